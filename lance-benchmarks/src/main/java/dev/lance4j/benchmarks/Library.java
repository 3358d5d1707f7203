package dev.lance4j.benchmarks;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

/** One of the libraries that are compared, doing what the benchmarks measure. */
interface Library {
  String LANCE4J = "lance4j";
  String ORACLE = "oracle";

  /**
   * The library of a name.
   *
   * @param name {@link #LANCE4J}, or {@link #ORACLE} for the real library
   */
  static Library named(String name) {
    return switch (name) {
      case LANCE4J -> new Lance4jLibrary();
      case ORACLE -> new OracleLibrary();
      default -> throw new IllegalArgumentException("There is no library " + name);
    };
  }

  /** Opens the newest version, counts its rows and closes it. */
  long countRows(String uri);

  /** Keeps the newest version open for reading. */
  OpenTable open(String uri, Contents contents);

  /** Creates a table. */
  void create(String uri, ArrowReader rows, BufferAllocator allocator);

  /** Adds one batch to a table again and again, each time as a version of its own. */
  void append(String uri, int times, Batches batch, BufferAllocator allocator) throws IOException;

  /**
   * Opens the newest version of a table and changes it.
   *
   * @param source what is merged
   */
  void change(String uri, Change change, Batches source, BufferAllocator allocator)
      throws IOException;

  /** Opens the newest version of a table and joins its fragments. */
  void compact(String uri, BufferAllocator allocator);

  /** Opens the newest version of a table of {@link IndexRows} and builds an index. */
  void createIndex(String uri, SampleIndex index);

  /** Opens the newest version of a table of {@link VectorRows} and builds an index. */
  void createVectorIndex(
      String uri, SampleVectorIndex index, VectorShape shape, BufferAllocator allocator);

  /** Keeps the newest version of a table of {@link VectorRows} open for searching. */
  VectorTable openVectors(String uri);

  /** The same batches, as often as they are asked for. */
  interface Batches {
    ArrowReader read();
  }

  /**
   * What a table holds.
   *
   * @param columns the names of all its columns
   * @param checksum what tells right rows from wrong ones
   */
  record Contents(List<String> columns, RowsChecksum checksum) {}

  /** Makes a number of rows, which depends on all their values and their order. */
  interface RowsChecksum {
    /** Reads to the end. */
    long of(ArrowReader rows) throws IOException;
  }

  /** A version of a table that stays open. Reads give the checksum of the rows. */
  interface OpenTable extends AutoCloseable {
    long scan() throws Exception;

    /** All columns of the rows for which a condition is true. */
    long filter(String condition) throws Exception;

    /** The number of rows for which a condition is true. */
    long count(String condition);

    long take(long[] positions) throws IOException;

    long takeRows(long[] rowIds) throws IOException;

    @Override
    void close();
  }

  /** A version of a table of {@link VectorRows} that stays open. */
  interface VectorTable extends AutoCloseable {
    /** The numbers of the rows that are nearest to a vector, the nearest first. */
    long[] nearest(float[] query, int k, SampleVectorIndex index) throws IOException;

    @Override
    void close();
  }
}
