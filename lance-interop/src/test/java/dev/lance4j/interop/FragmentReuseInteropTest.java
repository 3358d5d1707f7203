package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compactions of the real library that leave the translation of an index for later. */
@WithOracle
class FragmentReuseInteropTest {
  private static final int ROWS = 60;

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;
  private String uri;
  private Table table;

  @BeforeEach
  void locate() {
    uri = folder.resolve("songs.lance").toString();
    table = Table.at(ObjectStores.resolve(uri));
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private ArrowTable rows() {
    return RandomData.table(List.of(SampleFields.int32("k")), NullPattern.NONE, ROWS, 1, allocator);
  }

  /** Three fragments and an index. */
  private void create() throws Exception {
    try (ArrowTable rows = rows()) {
      Dataset.write(uri).allocator(allocator).maxRowsPerFile(20).from(rows.root()).close();
    }
    ObjectNode args = Oracle.args(uri).put("type", "BTREE").put("scalar", "btree");
    args.putArray("columns").add("k");
    oracle.call("createIndex", args);
  }

  private void append() throws Exception {
    try (ArrowTable rows = rows();
        Dataset dataset = Dataset.open(uri, OpenOptions.builder().allocator(allocator).build())) {
      dataset.append(rows.root()).close();
    }
  }

  private void compactDeferred() {
    oracle.call("compact", Oracle.args(uri).put("deferIndexRemap", true));
  }

  private long count() {
    return oracle.call("countRows", Oracle.args(uri).put("filter", "k IS NOT NULL")).asLong();
  }

  private static IndexMetadata entry(TableVersion version) {
    return FragmentReuse.entry(version.indices()).orElseThrow();
  }

  @Test
  void theEntryOfTheRealLibraryIsReadAndWrittenAgain() throws Exception {
    create();
    long read = table.latest().version();
    compactDeferred();

    TableVersion compacted = table.latest();
    FragmentReuse reuse = FragmentReuse.of(compacted).orElseThrow();
    FragmentMetadata only = compacted.manifest().fragments().get(0);

    assertThat(reuse.versions()).hasSize(1);
    FragmentReuse.Version version = reuse.versions().get(0);
    assertThat(version.datasetVersion()).isEqualTo(read);
    FragmentReuse.Group group = version.groups().get(0);
    assertThat(group.newFragments()).containsExactly(FragmentReuse.Digest.of(only));
    assertThat(group.oldFragments())
        .containsExactly(
            new FragmentReuse.Digest(0, 20, 0),
            new FragmentReuse.Digest(1, 20, 0),
            new FragmentReuse.Digest(2, 20, 0));
    for (long id = 0; id < 3; id++) {
      assertThat(group.rows().offsets(id, RowAddress.LIMIT).getCardinality()).isEqualTo(20);
    }
    IndexMetadata ours = reuse.write(table, read, reuse.newFragments());
    assertThat(ours.details()).isEqualTo(entry(compacted).details());
    assertThat(ours.fragmentBytes()).isEqualTo(entry(compacted).fragmentBytes());
    assertThat(ours.datasetVersion()).isEqualTo(entry(compacted).datasetVersion());
  }

  @Test
  void theRealLibraryUsesTheIndexAfterOurCommits() throws Exception {
    create();
    compactDeferred();

    append();

    TableVersion latest = table.latest();
    IndexMetadata index =
        latest.indices().stream().filter(i -> !i.isSystem()).findFirst().orElseThrow();
    assertThat(index.fragments()).contains(FragmentReuse.of(latest).orElseThrow().newFragments());
    assertThat(count()).isEqualTo(2 * ROWS);
  }

  @Test
  void theRealLibraryUsesTheIndexAfterATrimOverItsCompaction() throws Exception {
    create();
    compactDeferred();
    append();
    append();
    TableVersion read = table.latest();
    FragmentReuse before = FragmentReuse.of(read).orElseThrow();
    Operation.CreateIndex trim =
        new Operation.CreateIndex(
            List.of(before.write(table, read.version(), before.newFragments())),
            List.of(entry(read)));
    compactDeferred();
    FragmentReuse after = FragmentReuse.of(table.latest()).orElseThrow();

    TableVersion trimmed =
        new Committer(table, CommitOptions.DEFAULT)
            .commit(read, Transaction.of(read.version(), trim));

    assertThat(FragmentReuse.of(trimmed)).contains(after);
    assertThat(after.versions()).hasSize(2);
    assertThat(count()).isEqualTo(3 * ROWS);
  }
}
