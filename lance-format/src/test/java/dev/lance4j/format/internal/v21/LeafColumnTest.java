package dev.lance4j.format.internal.v21;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.internal.v21.item.ItemType;
import dev.lance4j.format.internal.v21.level.LayerShape;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import dev.lance4j.format.testing.SampleFields;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeafColumnTest {
  @Test
  void refusesRowsThatTheColumnDoesNotHaveHoweverManyItemsTheyWouldHave() {
    ColumnInfo column = new ColumnInfo(4, ColumnMetadata.getDefaultInstance(), List.of(), 0);
    LeafColumn leaf =
        new LeafColumn(
            "the file",
            column,
            ItemType.of(SampleFields.int32("a")),
            new LayerShape(new boolean[1], false),
            Integer.MAX_VALUE);
    assertThatThrownBy(() -> leaf.read(RowRanges.of(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2 + 1)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("the file")
        .hasMessageContaining("column 4");
  }
}
