package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.column.VirtualColumn;
import dev.lance4j.scan.internal.nearest.NearestQuery;
import dev.lance4j.table.StableRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Gives the nearest of the rows that searches found, query after query: what a search says of a
 * row, and then its address.
 */
final class NearestNode implements BatchNode {
  private final List<NeighborsNode> searches;
  private final List<NoteNode> notes;
  private final NearestQuery query;
  private final Scan.Source source;
  private final int batchRows;
  private final Schema schema;
  private final StepMetrics metrics = new StepMetrics();

  /**
   * @param searches of different rows
   * @param notes what else whoever reads the plan should know
   */
  NearestNode(
      List<NeighborsNode> searches,
      List<NoteNode> notes,
      NearestQuery query,
      Scan.Source source,
      int batchRows) {
    this.searches = searches;
    this.notes = notes;
    this.query = query;
    this.source = source;
    this.batchRows = batchRows;
    List<Field> fields = new ArrayList<>(query.found());
    fields.add(VirtualColumn.ROW_ADDRESS.field());
    this.schema = new Schema(fields);
  }

  @Override
  public String describe() {
    String of = query.isBatch() ? " each of " + query.queries().size() + " vectors" : "";
    return "Nearest " + query.asked().k() + " by " + query.column().name() + of;
  }

  @Override
  public List<PlanNode> inputs() {
    List<PlanNode> inputs = new ArrayList<>(searches);
    inputs.addAll(notes);
    return inputs;
  }

  @Override
  public StepMetrics metrics() {
    return metrics;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public ArrayBatchReader.Source open() {
    return new MeteredBatches(new Batches(), metrics);
  }

  private List<Neighbors> find() {
    List<List<Neighbors>> found = new ArrayList<>();
    for (NeighborsNode search : searches) {
      found.add(search.find());
    }
    List<Neighbors> nearest = new ArrayList<>();
    for (int i = 0; i < query.queries().size(); i++) {
      int number = i;
      List<Neighbors> lists = found.stream().map(rows -> rows.get(number)).toList();
      nearest.add(NeighborLists.nearest(lists, query.asked().k()));
    }
    return nearest;
  }

  private final class Batches implements ArrayBatchReader.Source {
    private Found found;
    private int done;

    @Override
    public ArrayBatch next() {
      if (found == null) {
        found = locate(find());
      }
      int rows = Math.min(batchRows, found.addresses.length - done);
      if (rows == 0) {
        return null;
      }
      done += rows;
      return found.batch(done - rows, rows);
    }

    @Override
    public void close() {
      done = found == null ? 0 : found.addresses.length;
    }
  }

  /** Finds out where rows are. */
  private Found locate(List<Neighbors> nearest) {
    int rows = nearest.stream().mapToInt(Neighbors::size).sum();
    Found all = new Found(new int[rows], new float[rows], new long[rows]);
    int at = 0;
    for (int number = 0; number < nearest.size(); number++) {
      Neighbors of = nearest.get(number);
      Arrays.fill(all.numbers, at, at + of.size(), number);
      System.arraycopy(of.distances(), 0, all.distances, at, of.size());
      System.arraycopy(of.rowIds(), 0, all.addresses, at, of.size());
      at += of.size();
    }
    return new Found(all.numbers, all.distances, addresses(source, all.addresses));
  }

  /** Where rows are whose ids are known. */
  static long[] addresses(Scan.Source source, long[] rowIds) {
    if (!source.version().manifest().hasStableRowIds()) {
      return rowIds;
    }
    long[] addresses = new StableRows(source.version(), source.session()).rowAddresses(rowIds);
    for (long address : addresses) {
      if (address == RowAddress.NONE) {
        throw new IllegalStateException("a row was found that is not live");
      }
    }
    return addresses;
  }

  /** Rows that were found, with the numbers of the queries that they were found for. */
  private final class Found {
    private final int[] numbers;
    private final float[] distances;
    private final long[] addresses;

    Found(int[] numbers, float[] distances, long[] addresses) {
      this.numbers = numbers;
      this.distances = distances;
      this.addresses = addresses;
    }

    ArrayBatch batch(int from, int rows) {
      try (OwnedBuffers owned = new OwnedBuffers(source.allocator())) {
        List<ArrayData> arrays = new ArrayList<>();
        if (query.isBatch()) {
          ArrowBuf buffer = owned.allocate((long) rows * Integer.BYTES);
          for (int i = 0; i < rows; i++) {
            buffer.setInt((long) i * Integer.BYTES, numbers[from + i]);
          }
          arrays.add(values(rows, buffer));
        }
        ArrowBuf near = owned.allocate((long) rows * Float.BYTES);
        ArrowBuf places = owned.allocate((long) rows * Long.BYTES);
        for (int i = 0; i < rows; i++) {
          near.setFloat((long) i * Float.BYTES, distances[from + i]);
          places.setLong((long) i * Long.BYTES, addresses[from + i]);
        }
        arrays.add(values(rows, near));
        ArrayData last = owned.release(values(rows, places));
        arrays.add(last);
        return new ArrayBatch(rows, arrays);
      }
    }

    private ArrayData values(int rows, ArrowBuf buffer) {
      return new ArrayData(rows, 0, new ArrowBuf[] {null, buffer});
    }
  }
}
