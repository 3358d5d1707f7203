package dev.lance4j.table.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class NameSetTest {
  @Property(tries = 50)
  void holdsWhatWasAdded(@ForAll Random random) {
    NameSet names = new NameSet();
    Set<String> expected = new HashSet<>();
    int range = 1 + random.nextInt(5_000);
    for (int i = random.nextInt(10_000); i > 0; i--) {
      String name = "data/" + random.nextInt(range) + ".lance";
      names.add(name);
      expected.add(name);
    }
    for (int i = 0; i < range; i++) {
      String name = "data/" + i + ".lance";
      assertThat(names.contains(name)).as(name).isEqualTo(expected.contains(name));
    }
  }
}
