package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayConcat;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.NullArrays;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** A field whose values all lie in the pages of one column. */
final class PagedColumn implements FieldReader {
  private final Field field;
  private final ColumnInfo column;
  private final Function<PageInfo, PageArray> opener;
  private final AtomicReferenceArray<PageArray> arrays;

  /**
   * @param opener makes the array of a page
   */
  PagedColumn(Field field, ColumnInfo column, Function<PageInfo, PageArray> opener) {
    this.field = field;
    this.column = column;
    this.opener = opener;
    this.arrays = new AtomicReferenceArray<>(column.pages().size());
  }

  /** Values in the encoding that each page names. */
  static PagedColumn of(Field field, ColumnInfo column) {
    return new PagedColumn(
        field,
        column,
        page -> new PageArrays(page).array(PageArrays.encoding(page), field, page.rows(), false));
  }

  @Override
  public FieldRead read(RowRanges rows) {
    List<FieldRead> reads = new ArrayList<>();
    for (PageSplit split : PageSplit.of(column, rows)) {
      PageInfo page = column.pages().get(split.page());
      FieldRead read = Guard.call(page, () -> array(split.page()).read(split.rows()));
      reads.add(Guard.read(page, read));
    }
    return new Read(reads);
  }

  /** Opened when first needed; two threads may open the same page, either will do. */
  private PageArray array(int page) {
    PageArray array = arrays.get(page);
    if (array == null) {
      array = opener.apply(column.pages().get(page));
      arrays.set(page, array);
    }
    return array;
  }

  private final class Read implements FieldRead {
    private final List<FieldRead> reads;

    Read(List<FieldRead> reads) {
      this.reads = reads;
    }

    @Override
    public boolean request(RangeRequests requests) {
      boolean asked = false;
      for (FieldRead read : reads) {
        asked |= read.request(requests);
      }
      return asked;
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      if (reads.isEmpty()) {
        return NullArrays.of(field, 0, allocator);
      }
      List<ArrayData> parts = new ArrayList<>(reads.size());
      boolean complete = false;
      try {
        for (FieldRead read : reads) {
          parts.add(read.decode(allocator));
        }
        complete = true;
      } finally {
        if (!complete) {
          parts.forEach(ArrayData::close);
        }
      }
      return ArrayConcat.concat(field, parts, allocator);
    }
  }
}
