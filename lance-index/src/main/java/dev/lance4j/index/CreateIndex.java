package dev.lance4j.index;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.internal.IndexKinds;
import dev.lance4j.index.internal.scalar.ScalarBuild;
import dev.lance4j.index.internal.segment.IndexedColumn;
import dev.lance4j.index.internal.vector.VectorBuild;
import dev.lance4j.index.vector.VectorColumn;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.TableVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** Builds an index on a column, or a segment of one. Immutable. */
public final class CreateIndex {
  private final IndexSource source;
  private final IndexedColumn column;
  private final IndexSpec spec;
  private final IndexOptions options;
  private final String name;

  /**
   * @param source the version whose rows go into the index
   * @param column path of the column; dots lead into structs
   * @throws InvalidInputException if there is no such column, or the kind of index does not go with
   *     it
   */
  public CreateIndex(IndexSource source, String column, IndexSpec spec, IndexOptions options) {
    this.source = source;
    this.column = IndexedColumn.named(source.version().manifest().schema(), column);
    this.spec = spec;
    this.options = options;
    this.name = options.name().orElseGet(() -> column + "_idx");
    if (spec instanceof ScalarIndexSpec scalar) {
      IndexKinds.of(scalar).check(this.column.field());
    } else if (spec instanceof VectorIndexSpec vector) {
      vector.check(VectorColumn.of(this.column.field().toArrow()));
    }
  }

  /**
   * Builds the index and commits it.
   *
   * @return the version with the index
   * @throws InvalidInputException if an index of the name exists and is not to be replaced, or is
   *     one of another column
   * @throws CommitConflictException if the table was overwritten or its index replaced meanwhile
   */
  public TableVersion execute() {
    IndexCommit commit = new IndexCommit(source.version(), name, column.name(), options.replace());
    return commit.commit(List.of(segment()));
  }

  /**
   * Builds a segment of the index without committing it. Segments of different fragments may be
   * built at the same time in different places from the same version, and committed together.
   *
   * @see IndexCommit
   */
  public IndexSegment segment() {
    List<FragmentMetadata> fragments = fragments();
    if (spec instanceof ScalarIndexSpec scalar) {
      return new ScalarBuild(source, column, options).train(name, scalar, fragments);
    }
    if (spec instanceof VectorIndexSpec vector) {
      if (!options.train()) {
        throw new InvalidInputException(
            "Creating empty vector indices is not possible, since they learn from vectors: create"
                + " the index on column '"
                + column.name()
                + "' when the table has rows");
      }
      return new VectorBuild(source, column, options).train(name, vector, fragments);
    }
    throw new InvalidInputException("No index can be built from " + spec);
  }

  /**
   * Learns what segments of a vector index can share that are built apart, so that they can be
   * merged later: centroids, and the codebook of product quantization.
   *
   * @return the specification for all of them
   * @throws InvalidInputException if this is no vector index, or there are too few vectors
   */
  public VectorIndexSpec prepare() {
    if (spec instanceof VectorIndexSpec vector) {
      return new VectorBuild(source, column, options).prepare(vector, fragments());
    }
    throw new InvalidInputException("Only vector indices have something to share, not " + spec);
  }

  private List<FragmentMetadata> fragments() {
    List<FragmentMetadata> all = source.version().manifest().fragments();
    if (!options.train()) {
      return List.of();
    }
    if (options.fragmentIds().isEmpty()) {
      return all;
    }
    Map<Long, FragmentMetadata> byId = new HashMap<>();
    all.forEach(fragment -> byId.put(fragment.id(), fragment));
    List<FragmentMetadata> chosen = new ArrayList<>();
    for (long id : new LinkedHashSet<>(options.fragmentIds().get())) {
      FragmentMetadata fragment = byId.get(id);
      if (fragment == null) {
        throw new InvalidInputException(
            "There is no fragment " + id + " in version " + source.version().version());
      }
      chosen.add(fragment);
    }
    chosen.sort((a, b) -> Long.compare(a.id(), b.id()));
    return chosen;
  }
}
