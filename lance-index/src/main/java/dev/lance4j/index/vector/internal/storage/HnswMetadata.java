package dev.lance4j.index.vector.internal.storage;

/**
 * What {@code index.idx} says about the graph of one partition.
 *
 * @param entryPoint where searches start
 * @param maxLevel the number of levels
 * @param maxNeighbors of a node above level 0, where it may have twice as many
 * @param constructionEf the breadth of the searches that built it
 * @param levelOffsets the first row of each level among those of the partition, and their end
 */
public record HnswMetadata(
    int entryPoint, int maxLevel, int maxNeighbors, int constructionEf, int[] levelOffsets) {
  private static final int MAX_LEVEL = 1 << 10;

  static HnswMetadata read(String json, int rows, String path) {
    MetadataJson metadata = MetadataJson.parse(json, "lance:hnsw", path);
    MetadataJson params = metadata.get("params");
    HnswMetadata graph =
        new HnswMetadata(
            metadata.count("entry_point", Integer.MAX_VALUE),
            params.count("max_level", MAX_LEVEL),
            params.count("m", Integer.MAX_VALUE),
            params.count("ef_construction", Integer.MAX_VALUE),
            metadata.counts("level_offsets", rows));
    if (graph.levelOffsets.length != graph.maxLevel + 1 || graph.maxLevel == 0) {
      throw metadata.wrong(
          graph.levelOffsets.length + " level_offsets do not fit " + graph.maxLevel + " levels");
    }
    for (int level = 0; level < graph.maxLevel; level++) {
      if (graph.levelOffsets[level + 1] < graph.levelOffsets[level]) {
        throw metadata.wrong("has level_offsets that do not ascend");
      }
    }
    return graph;
  }

  /** The metadata as JSON. */
  public String json() {
    StringBuilder offsets = new StringBuilder();
    for (int offset : levelOffsets) {
      offsets.append(offsets.length() > 0 ? "," : "").append(offset);
    }
    return String.format(
        "{\"entry_point\":%d,\"params\":{\"max_level\":%d,\"m\":%d,\"ef_construction\":%d,"
            + "\"prefetch_distance\":2},\"level_offsets\":[%s]}",
        entryPoint, maxLevel, maxNeighbors, constructionEf, offsets);
  }
}
