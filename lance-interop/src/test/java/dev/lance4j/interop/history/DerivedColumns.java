package dev.lance4j.interop.history;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.Dataset;
import dev.lance4j.interop.history.Content.Leaf;
import dev.lance4j.write.BatchFunction;
import dev.lance4j.write.Checkpoints;
import dev.lance4j.write.NewColumns;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Additions of columns whose values follow from those of a column. */
final class DerivedColumns {
  private DerivedColumns() {}

  /** A column of integers to derive from; null if there is none. */
  private static Leaf anyKey(Content before, Random random) {
    return before.leaf(random, leaf -> leaf.isInteger() && leaf.child() == null);
  }

  private static List<Field> plus(Content before, Field field) {
    List<Field> fields = new ArrayList<>(before.fields());
    fields.add(field);
    return fields;
  }

  /**
   * Joins a column by a key that some rows share and others lack.
   *
   * @param partners the new values by key
   */
  record Join(Content before, Leaf key, Field field, Map<Long, Object> partners) implements Change {
    private static final String KEY = "the key";

    static Join random(Content before, Random random) {
      Leaf key = anyKey(before, random);
      if (key == null) {
        return null;
      }
      List<Field> samples = Values.sampleFields();
      Field sample = samples.get(random.nextInt(samples.size()));
      Field field = new Field(before.newName(random), sample.getFieldType(), sample.getChildren());
      Map<Long, Object> partners = new HashMap<>();
      for (long value = -3; value < 13; value++) {
        if (random.nextBoolean()) {
          boolean nullStructs = before.variant().nullStructs();
          Map<String, Object> row = Values.randomRow(List.of(field), nullStructs, random);
          partners.put(value, row.get(field.getName()));
        }
      }
      return new Join(before, key, field, partners);
    }

    @Override
    public Optional<Content> outcome(long version) {
      return Optional.of(
          before.change(
              plus(before, field),
              row -> row.with(field.getName(), partners.get(key.of(row))).updatedIn(version)));
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      List<Field> fields = List.of(Content.nullable(KEY, key.type()), field);
      List<Map<String, Object>> rows = new ArrayList<>();
      partners.forEach(
          (value, partner) -> {
            Map<String, Object> row = new HashMap<>();
            row.put(KEY, value);
            row.put(field.getName(), partner);
            rows.add(row);
          });
      try (dataset;
          VectorSchemaRoot right = Values.batch(fields, rows, dataset.allocator());
          ArrowReader reader = reader(right, dataset.allocator())) {
        return dataset.joinColumns(reader, key.column(), KEY);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static ArrowReader reader(VectorSchemaRoot batch, BufferAllocator allocator)
        throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ArrowStreamWriter writer = new ArrowStreamWriter(batch, null, bytes)) {
        writer.writeBatch();
      }
      return new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator);
    }

    @Override
    public String toString() {
      return "join " + field + " on " + key.column() + " of " + partners.keySet();
    }
  }

  /**
   * Has a function compute a column, which fails at a batch and then goes on from what was kept.
   *
   * @param failing the number of that batch; there may be none so far on
   */
  record Compute(Content before, Leaf source, String name, int failing) implements Change {
    static Compute random(Content before, Random random) {
      Leaf source = anyKey(before, random);
      return source == null
          ? null
          : new Compute(before, source, before.newName(random), random.nextInt(4));
    }

    private Field field() {
      return Content.nullable(name, Values.INT64);
    }

    private static Object computed(Object value) {
      return value == null ? null : 3 * (Long) value - 1;
    }

    @Override
    public Optional<Content> outcome(long version) {
      return Optional.of(
          before.change(
              plus(before, field()),
              row -> row.with(name, computed(source.of(row))).updatedIn(version)));
    }

    @Override
    public Dataset byUs(Dataset dataset) {
      Map<String, byte[]> kept = new HashMap<>();
      int[] batches = new int[1];
      BatchFunction function = batch -> compute(batch, dataset.allocator());
      BatchFunction stumbling =
          batch -> {
            if (batches[0]++ == failing) {
              throw new IllegalStateException("stumbled");
            }
            return function.apply(batch);
          };
      try (dataset) {
        NewColumns.Computed first = columns(stumbling).resumingFrom(new Kept(kept));
        if (failing < liveFragments(dataset)) {
          assertThatThrownBy(() -> dataset.addColumns(first)).hasMessageContaining("stumbled");
          return dataset.addColumns(columns(function).resumingFrom(new Kept(kept)));
        }
        return dataset.addColumns(first);
      }
    }

    /** A function is called once at least for each fragment that has rows left. */
    private static long liveFragments(Dataset dataset) {
      return dataset.fragments().stream()
          .filter(each -> each.physicalRows() > each.deletedRows())
          .count();
    }

    private NewColumns.Computed columns(BatchFunction function) {
      return NewColumns.computed(List.of(source.column()), new Schema(List.of(field())), function);
    }

    private VectorSchemaRoot compute(VectorSchemaRoot batch, BufferAllocator allocator) {
      List<Map<String, Object>> rows = new ArrayList<>();
      for (int i = 0; i < batch.getRowCount(); i++) {
        Map<String, Object> row = new HashMap<>();
        row.put(name, computed(Values.row(batch, i).get(source.column())));
        rows.add(row);
      }
      return Values.batch(List.of(field()), rows, allocator);
    }

    @Override
    public String toString() {
      return "compute " + name + " of " + source.column() + ", stumbling at batch " + failing;
    }
  }

  /** Checkpoints in memory. */
  private record Kept(Map<String, byte[]> contents) implements Checkpoints {
    @Override
    public Optional<byte[]> load(String name) {
      return Optional.ofNullable(contents.get(name));
    }

    @Override
    public void save(String name, byte[] content) {
      contents.put(name, content);
    }
  }
}
