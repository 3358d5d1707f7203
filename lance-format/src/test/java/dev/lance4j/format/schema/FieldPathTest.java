package dev.lance4j.format.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FieldPathTest {
  @Test
  void dotsSeparateNamesUnlessTheyAreInBackTicks() {
    assertThat(FieldPath.parse("a")).containsExactly("a");
    assertThat(FieldPath.parse("a.b c.d")).containsExactly("a", "b c", "d");
    assertThat(FieldPath.parse("a.`b.c`")).containsExactly("a", "b.c");
    assertThat(FieldPath.parse("`a``b`.c")).containsExactly("a`b", "c");
  }

  @Test
  void whatIsNoPathIsANameAsItStands() {
    for (String text : List.of("", "a.", ".a", "a..b", "`a", "`a`b", "a`b", "``", "`a`.")) {
      assertThat(FieldPath.parse(text)).as(text).containsExactly(text);
    }
  }

  @Property
  void pathsSurviveBeingWritten(@ForAll @Size(min = 1, max = 4) List<@NotEmpty String> names) {
    assertThat(FieldPath.parse(FieldPath.format(names))).isEqualTo(names);
  }
}
