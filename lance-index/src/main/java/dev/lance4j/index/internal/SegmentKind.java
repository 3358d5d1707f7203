package dev.lance4j.index.internal;

import dev.lance4j.format.schema.LanceField;
import dev.lance4j.index.internal.segment.SegmentFiles;
import java.util.List;

/** Tells the kind of segments whose writers did not record it: from their files and columns. */
final class SegmentKind {
  private SegmentKind() {}

  /** The name in lower case of the kind of a segment. */
  static String nameOf(SegmentFiles files) {
    return files
        .metadata()
        .details()
        .map(IndexKinds::nameOf)
        .orElseGet(() -> infer(files.field(), files.names()));
  }

  private static String infer(LanceField field, List<String> names) {
    if (names.contains("index.idx")) {
      return "vector";
    }
    if (field.logicalType().startsWith("list") || field.logicalType().startsWith("large_list")) {
      return "labellist";
    }
    if (names.contains("bitmap_page_lookup.lance")) {
      return "bitmap";
    }
    if (names.contains("metadata.lance") || names.contains("invert.lance")) {
      return "inverted";
    }
    return "btree";
  }
}
