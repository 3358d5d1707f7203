package dev.lance4j.interop.index;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.interop.oracle.Oracle;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A kind of index on columns of {@link IndexedTables}, which either library builds.
 *
 * @param name of it in the real library
 * @param type of it as the real library names it
 * @param params what it is built with, as the real library takes it
 * @param spec the same for us
 * @param columns to index
 */
record ScalarKind(
    String name, String type, String params, ScalarIndexSpec spec, List<String> columns) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static final ScalarKind BTREE =
      new ScalarKind("btree", "BTREE", "{}", ScalarIndexSpec.btree(), List.of("n", "v", "s", "b"));
  static final ScalarKind BITMAP =
      new ScalarKind(
          "bitmap", "BITMAP", "{}", ScalarIndexSpec.bitmap(), List.of("n", "v", "s", "b"));
  static final ScalarKind LABEL_LIST =
      new ScalarKind("labellist", "LABEL_LIST", "{}", ScalarIndexSpec.labelList(), List.of("tags"));
  static final ScalarKind ZONE_MAP =
      new ScalarKind(
          "zonemap",
          "ZONEMAP",
          "{\"rows_per_zone\":4}",
          ScalarIndexSpec.zoneMap().withRowsPerZone(4),
          List.of("n", "v", "s", "b"));
  static final ScalarKind BLOOM_FILTER =
      new ScalarKind(
          "bloomfilter",
          "BLOOM_FILTER",
          "{\"number_of_items\":4,\"probability\":0.01}",
          ScalarIndexSpec.bloomFilter().withRowsPerZone(4).withProbability(0.01),
          List.of("n", "v", "s"));

  boolean hasZones() {
    return spec instanceof ScalarIndexSpec.ZoneMap || spec instanceof ScalarIndexSpec.BloomFilter;
  }

  private boolean isOfLists() {
    return columns.contains("tags");
  }

  /** A condition that the first index answers. */
  String condition() {
    return isOfLists() ? "array_has(tags, 'x')" : "n = 4";
  }

  /** Conditions on all columns. */
  static List<String> conditions() {
    List<String> all = new ArrayList<>(IndexedTables.flatConditions());
    all.addAll(IndexedTables.listConditions());
    return all;
  }

  /** Has us build the indices. */
  void indexOurs(String uri, BufferAllocator allocator) {
    for (String column : columns) {
      try (Dataset dataset = IndexedTables.open(uri, allocator)) {
        dataset.createIndex(column, spec).close();
      }
    }
  }

  /** Has the real library build the indices. */
  void indexTheirs(String uri) {
    for (String column : columns) {
      ObjectNode args = Oracle.args(uri).put("type", type).put("scalar", name);
      args.put("name", column + "_idx").putArray("columns").add(column);
      try {
        args.set("params", JSON.readTree(params));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(e);
      }
      Oracle.shared().call("createIndex", args);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
