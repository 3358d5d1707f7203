package dev.lance4j.format.internal.page;

/**
 * How large pages get.
 *
 * @param pageBytes a column's page is written once so many bytes of its data have gathered
 * @param maxPageBytes rows that together exceed this are written as several pages
 */
public record PageLimits(long pageBytes, long maxPageBytes) {
  /** Pages of about 8 MiB, at most 32 MiB unless a single row is larger. */
  public static final PageLimits DEFAULT = new PageLimits(8L << 20, 32L << 20);

  public PageLimits {
    if (pageBytes < 1 || maxPageBytes < pageBytes) {
      throw new IllegalArgumentException(
          "page bytes must be positive and at most the maximum: "
              + pageBytes
              + ", "
              + maxPageBytes);
    }
  }
}
