package dev.lance4j.interop.reliability;

import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.OracleError;
import java.util.List;
import java.util.SortedMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** A table that the real library writes to. */
final class OracleTable implements SharedTable {
  private final BufferAllocator allocator = new RootAllocator();
  private final String uri;

  OracleTable(String uri) {
    this.uri = uri;
  }

  @Override
  public void append(SortedMap<Long, Long> rows) {
    try (ArrowTable data = ArrowTable.of(KeyedRows.batch(rows, allocator))) {
      Oracle.shared().append(uri, data);
    }
  }

  @Override
  public void delete(List<Long> keys) {
    Oracle.shared().call("delete", Oracle.args(uri).put("predicate", KeyedRows.oneOf(keys)));
  }

  @Override
  public void update(SortedMap<Long, Long> rows) {
    merge(rows);
  }

  @Override
  public void merge(SortedMap<Long, Long> rows) {
    try (ArrowTable data = ArrowTable.of(KeyedRows.batch(rows, allocator))) {
      Oracle.shared()
          .send(
              "mergeInsert", Oracle.args(uri).put("matched", "updateAll").set("on", onKey()), data);
    }
  }

  private static com.fasterxml.jackson.databind.JsonNode onKey() {
    return Oracle.args().putArray("on").add("k");
  }

  @Override
  public void compact() {
    try {
      Oracle.shared().call("compact", Oracle.args(uri).put("targetRowsPerFragment", 30));
    } catch (OracleError e) {
      if (!e.getMessage().contains("preempted by concurrent")) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    allocator.close();
  }
}
