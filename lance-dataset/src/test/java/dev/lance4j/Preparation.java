package dev.lance4j;

import dev.lance4j.format.schema.FieldPath;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.ScalarIndexSpec;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The states of a table in which each reported fault is tried: the answers must always be the same.
 * A kind of index becomes one more state.
 */
enum Preparation {
  /** One fragment. */
  PLAIN,
  STABLE_ROW_IDS,
  /** A fragment for each row. */
  MANY_FRAGMENTS,
  /** Other rows with the same values were there, and were deleted. */
  DELETED_COPIES {
    @Override
    Dataset prepare(Dataset dataset, VectorSchemaRoot rows, String... filtered) {
      try (Dataset before = dataset;
          Dataset doubled = before.append(rows)) {
        return doubled.delete("_rowaddr >= " + (1L << 32)).dataset();
      }
    }
  },
  /** An index of each kind on each column. */
  INDEXED {
    @Override
    Dataset prepare(Dataset dataset, VectorSchemaRoot rows, String... filtered) {
      return indexed(dataset, rows, allFragments(dataset), filtered);
    }
  },
  INDEXED_WITH_STABLE_ROW_IDS {
    @Override
    Dataset prepare(Dataset dataset, VectorSchemaRoot rows, String... filtered) {
      return indexed(dataset, rows, allFragments(dataset), filtered);
    }
  },
  /** A fragment for each row, of which every second one is in the indices. */
  INDEXED_IN_PART {
    @Override
    Dataset prepare(Dataset dataset, VectorSchemaRoot rows, String... filtered) {
      List<Long> even = allFragments(dataset).stream().filter(id -> id % 2 == 0).toList();
      return indexed(dataset, rows, even, filtered);
    }
  };

  /**
   * A table of these rows.
   *
   * @param filtered the columns that conditions are about
   */
  Dataset create(String uri, VectorSchemaRoot rows, BufferAllocator allocator, String... filtered) {
    boolean manyFragments = this == MANY_FRAGMENTS || this == INDEXED_IN_PART;
    Dataset dataset =
        Dataset.write(uri)
            .allocator(allocator)
            .stableRowIds(this == STABLE_ROW_IDS || this == INDEXED_WITH_STABLE_ROW_IDS)
            .maxRowsPerFile(manyFragments ? 1 : 1_000_000)
            .from(rows);
    return prepare(dataset, rows, filtered);
  }

  /** Makes the state of a table that holds these rows; closes the dataset that is given. */
  Dataset prepare(Dataset dataset, VectorSchemaRoot rows, String... filtered) {
    return dataset;
  }

  private static List<Long> allFragments(Dataset dataset) {
    return dataset.fragments().stream().map(fragment -> fragment.id()).toList();
  }

  private static Dataset indexed(
      Dataset dataset, VectorSchemaRoot rows, List<Long> fragmentIds, String... columns) {
    Dataset indexed = dataset;
    for (String column : columns) {
      Field field = rows.getSchema().findField(column);
      for (ScalarIndexSpec kind : IndexKindsUnderTest.on(field)) {
        IndexOptions options =
            IndexOptions.builder().name(column + " by " + kind).fragmentIds(fragmentIds).build();
        try (Dataset before = indexed) {
          indexed = before.createIndex(FieldPath.format(List.of(column)), kind, options);
        }
      }
    }
    return indexed;
  }
}
