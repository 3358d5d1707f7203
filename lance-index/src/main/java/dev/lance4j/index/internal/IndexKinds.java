package dev.lance4j.index.internal;

import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.scalar.ScalarKind;
import dev.lance4j.index.internal.scalar.bitmap.BitmapKind;
import dev.lance4j.index.internal.scalar.bitmap.LabelListKind;
import dev.lance4j.index.internal.scalar.btree.BTreeKind;
import dev.lance4j.index.internal.scalar.zone.BloomFilterKind;
import dev.lance4j.index.internal.scalar.zone.ZoneMapKind;
import dev.lance4j.index.internal.segment.IndexedColumn;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.vector.VectorIndexDetails;
import dev.lance4j.table.IndexDetails;
import dev.lance4j.table.IndexMetadata;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The kinds of indices that are known. */
public final class IndexKinds {
  private static final String DETAILS = "indexdetails";

  private static final List<ScalarKind> SCALAR =
      List.of(
          new BTreeKind(),
          new BitmapKind(),
          new LabelListKind(),
          new ZoneMapKind(),
          new BloomFilterKind());

  private IndexKinds() {}

  /** The kind that a specification asks for. */
  public static ScalarKind of(ScalarIndexSpec spec) {
    return SCALAR.stream()
        .filter(kind -> kind.builds(spec))
        .findFirst()
        .orElseThrow(() -> new UnsupportedFormatException("Indices of the kind " + spec));
  }

  /** The scalar kind of a name, in lower case. */
  public static Optional<ScalarKind> scalar(String name) {
    return SCALAR.stream().filter(kind -> kind.name().equals(name)).findFirst();
  }

  /** The name of the kind of a segment that descriptions show, also of kinds that are not known. */
  public static String displayName(IndexSource source, IndexMetadata segment) {
    Optional<String> recorded = segment.details().map(IndexKinds::nameOf);
    if (recorded.isEmpty()) {
      return IndexedColumn.withId(
              source.version().manifest().schema(),
              segment.fieldIds().stream().findFirst().orElse(-1))
          .map(
              column ->
                  SegmentKind.nameOf(
                      SegmentFiles.of(source.version(), segment, column.field(), source.session())))
          .flatMap(IndexKinds::scalar)
          .map(IndexKind::displayName)
          .orElse("Unknown");
    }
    IndexDetails details = segment.details().orElseThrow();
    if (VectorIndexDetails.areOfVectors(details)) {
      return VectorIndexDetails.read(details, source.version().location().path())
          .map(known -> known.type().name())
          .orElse("Vector");
    }
    String typeName = details.typeName();
    int end = typeName.length() - DETAILS.length();
    return scalar(recorded.get())
        .map(IndexKind::displayName)
        .orElse(
            typeName.length() == recorded.get().length() ? typeName : typeName.substring(0, end));
  }

  /** The name in lower case of the kind that details are of. */
  public static String nameOf(IndexDetails details) {
    String name = details.typeName().toLowerCase(Locale.ROOT);
    return name.endsWith(DETAILS) ? name.substring(0, name.length() - DETAILS.length()) : name;
  }

  /** Whether the segment's format is one that a kind can read. */
  public static boolean canRead(IndexKind kind, IndexMetadata segment) {
    int version = segment.indexVersion().orElse(0);
    return version >= 0 && version <= kind.maxVersion();
  }
}
