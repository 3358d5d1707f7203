package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.index.internal.segment.SegmentFiles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The open files of a segment: most often one file of pages in order, but one for each part where
 * parts were built in different places. Safe for use by many threads.
 */
record BTreeFiles(List<SortedPages> parts) implements AutoCloseable {
  static final String PAGES = "page_data.lance";
  static final String LOOKUP = "page_lookup.lance";

  private static final String PART = "part_";
  private static final Pattern PART_LOOKUP = Pattern.compile(PART + "(\\d{1,20})_" + LOOKUP);

  BTreeFiles {
    parts = List.copyOf(parts);
  }

  /**
   * Opens the files.
   *
   * @param values the type of the values
   * @throws CorruptFileException if they are damaged or missing
   */
  static BTreeFiles open(SegmentFiles files, Field values, BufferAllocator allocator) {
    List<String> names = files.names();
    List<SortedPages> parts = new ArrayList<>();
    boolean complete = false;
    try {
      if (names.contains(LOOKUP) || names.stream().noneMatch(BTreeFiles::isPartLookup)) {
        openWhole(files, values, allocator, parts);
      } else {
        openParts(files, values, names, allocator, parts);
      }
      complete = true;
      return new BTreeFiles(parts);
    } finally {
      if (!complete) {
        parts.forEach(SortedPages::close);
      }
    }
  }

  /** The number of rows of a page, those of the last one aside. */
  static long pageRows(SegmentFiles files) {
    List<String> names = files.names();
    String name =
        names.contains(LOOKUP)
            ? LOOKUP
            : names.stream().filter(BTreeFiles::isPartLookup).sorted().findFirst().orElse(LOOKUP);
    try (LookupFile lookup = new LookupFile(files.open(name))) {
      return lookup.pageRows();
    }
  }

  private static boolean isPartLookup(String name) {
    return PART_LOOKUP.matcher(name).matches();
  }

  private static void openWhole(
      SegmentFiles files, Field values, BufferAllocator allocator, List<SortedPages> parts) {
    try (LookupFile lookup = new LookupFile(files.open(LOOKUP))) {
      long first = 0;
      if (lookup.isPartitioned()) {
        for (LookupFile.Partition partition : lookup.partitions()) {
          String name = PART + partition.id() + '_' + PAGES;
          SortedPages pages =
              open(files, values, name, lookup, first, partition.pages(), allocator);
          parts.add(pages);
          first += partition.pages();
        }
      } else {
        parts.add(open(files, values, PAGES, lookup, 0, lookup.pages(), allocator));
      }
    }
  }

  private static void openParts(
      SegmentFiles files,
      Field values,
      List<String> names,
      BufferAllocator allocator,
      List<SortedPages> parts) {
    for (String name : names.stream().sorted(Comparator.naturalOrder()).toList()) {
      Matcher matcher = PART_LOOKUP.matcher(name);
      if (matcher.matches()) {
        try (LookupFile lookup = new LookupFile(files.open(name))) {
          String pages = PART + matcher.group(1) + '_' + PAGES;
          parts.add(open(files, values, pages, lookup, 0, lookup.pages(), allocator));
        }
      }
    }
  }

  private static SortedPages open(
      SegmentFiles files,
      Field values,
      String name,
      LookupFile lookup,
      long firstPage,
      long pages,
      BufferAllocator allocator) {
    LanceFileReader reader = files.open(name);
    boolean complete = false;
    try {
      PageFile file = new PageFile(reader, values, lookup.pageRows());
      PageLookup entries = entries(file, lookup, firstPage, pages, allocator);
      SortedPages opened =
          new SortedPages(file, entries, files.location().store(), files.session());
      complete = true;
      return opened;
    } finally {
      if (!complete) {
        reader.close();
      }
    }
  }

  private static PageLookup entries(
      PageFile file, LookupFile lookup, long firstPage, long pages, BufferAllocator allocator) {
    PageBounds bounds = file.bounds();
    if (bounds.pages() == pages && (lookup.isMarked() || bounds.areBatches())) {
      return lookup.read(file, firstPage, allocator);
    }
    return DerivedLookup.of(file, allocator);
  }

  /** About how many bytes of memory this takes. */
  long memoryBytes() {
    long bytes = 0;
    for (SortedPages part : parts) {
      bytes += part.memoryBytes();
    }
    return bytes;
  }

  @Override
  public void close() {
    parts.forEach(SortedPages::close);
  }
}
