package dev.lance4j.rowid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import org.junit.jupiter.api.Test;

class CreatedVersionsTest {
  @Test
  void aMovedRowKeepsTheVersionInWhichItWasCreatedWhateverItsFragment() {
    List<FragmentLineage> fragments =
        List.of(
            fragment(1, RowIdSequence.range(10, 20), RowVersionSequence.uniform(10, 2)),
            fragment(0, RowIdSequence.range(0, 10), RowVersionSequence.uniform(10, 1)));

    RowVersionSequence created = CreatedVersions.of(RowIdSequence.of(3, 12, 15), fragments, 3);

    assertThat(created).isEqualTo(RowVersionSequence.of(1, 2, 2));
  }

  @Test
  void anInsertedRowIsCreatedInTheNewVersion() {
    List<FragmentLineage> fragments =
        List.of(fragment(0, RowIdSequence.range(0, 10), RowVersionSequence.uniform(10, 4)));

    RowVersionSequence created = CreatedVersions.of(RowIdSequence.of(3, 10, 11), fragments, 9);

    assertThat(created).isEqualTo(RowVersionSequence.of(4, 9, 9));
  }

  @Test
  void rowsOfFragmentsWithoutVersionsCountAsCreatedInTheFirst() {
    List<FragmentLineage> fragments = List.of(fragment(0, RowIdSequence.range(0, 10), null));

    RowVersionSequence created = CreatedVersions.of(RowIdSequence.of(3, 20), fragments, 9);

    assertThat(created).isEqualTo(RowVersionSequence.of(1, 9));
  }

  @Property
  @Domain(RowIdLists.class)
  void theFragmentWithTheSmallestIdDecides(
      @ForAll long[] first, @ForAll long[] second, @ForAll long[] moved, @ForAll Random random) {
    Map<Long, Long> expected = new HashMap<>();
    List<FragmentLineage> fragments = new ArrayList<>();
    fragments.add(randomFragment(9, second, expected, random));
    fragments.add(randomFragment(5, first, expected, random));

    RowVersionSequence created = CreatedVersions.of(RowIdSequence.of(moved), fragments, 100);

    assertThat(created.length()).isEqualTo(moved.length);
    for (int i = 0; i < moved.length; i++) {
      assertThat(created.version(i)).isEqualTo(expected.getOrDefault(moved[i], 100L));
    }
  }

  private static FragmentLineage randomFragment(
      long id, long[] rowIds, Map<Long, Long> expected, Random random) {
    RowVersionSequence.Builder versions = RowVersionSequence.builder();
    for (long rowId : rowIds) {
      long version = 1L + random.nextInt(5);
      versions.append(1, version);
      expected.put(rowId, version);
    }
    return fragment(id, RowIdSequence.of(rowIds), versions.build());
  }

  private static FragmentLineage fragment(
      long id, RowIdSequence rowIds, RowVersionSequence created) {
    return new FragmentLineage(id, rowIds, created);
  }
}
