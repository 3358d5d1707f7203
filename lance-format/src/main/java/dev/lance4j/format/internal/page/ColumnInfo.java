package dev.lance4j.format.internal.page;

import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import java.util.List;

/**
 * One column of a file.
 *
 * @param index the column's index in the file
 * @param metadata its metadata
 * @param pages its pages in row order
 * @param rows the sum of the pages' lengths
 */
public record ColumnInfo(int index, ColumnMetadata metadata, List<PageInfo> pages, long rows) {}
