package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.OracleError;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.table.Branch;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.ManifestNaming;
import dev.lance4j.table.MapUpdate;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Ref;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Tag;
import dev.lance4j.table.Transaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions, tags, branches, clones and settings that one library makes and the other uses. */
@WithOracle
class VersionsInteropTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;
  private String uri;

  @BeforeEach
  void nameTheTable() {
    uri = folder.resolve("t.lance").toString();
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private ArrowTable rows(int from, int to) {
    return StableTables.rows(StableTables.keys(from, to), 0, allocator);
  }

  private void oracleWrites(String where, String mode, int from, int to) {
    try (ArrowTable data = rows(from, to)) {
      oracle.send("write", Oracle.args(where).put("mode", mode).put("maxRowsPerFile", 3), data);
    }
  }

  private Dataset weCreate(int from, int to) {
    try (ArrowTable data = rows(from, to)) {
      return Dataset.write(uri).allocator(allocator).maxRowsPerFile(3).from(data.root());
    }
  }

  private Dataset weAppend(Dataset dataset, int from, int to) {
    try (ArrowTable data = rows(from, to)) {
      return dataset.append(data.root());
    }
  }

  private Dataset open(String where) {
    return Dataset.open(where, OpenOptions.builder().allocator(allocator).build());
  }

  private static List<Long> keys(Dataset dataset) {
    List<Long> keys = new ArrayList<>();
    try (ArrowReader reader = dataset.scan().select("k").open()) {
      while (reader.loadNextBatch()) {
        BigIntVector vector = (BigIntVector) reader.getVectorSchemaRoot().getVector("k");
        for (int i = 0; i < vector.getValueCount(); i++) {
          keys.add(vector.get(i));
        }
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return keys;
  }

  private List<Long> oracleKeys(ObjectNode args) {
    List<Long> keys = new ArrayList<>();
    args.putArray("columns").add("k");
    try (ArrowTable read = oracle.fetch("scan", args, allocator)) {
      BigIntVector vector = (BigIntVector) read.root().getVector("k");
      for (int i = 0; i < vector.getValueCount(); i++) {
        keys.add(vector.get(i));
      }
    }
    return keys;
  }

  private static List<Long> range(int from, int to) {
    List<Long> keys = new ArrayList<>();
    for (long k = from; k < to; k++) {
      keys.add(k);
    }
    return keys;
  }

  private static void expectSame(Tag ours, JsonNode theirs) {
    assertThat(theirs.get("branch").asText(null)).isEqualTo(ours.branch().orElse(null));
    assertThat(theirs.get("version").asLong()).isEqualTo(ours.version());
    assertThat(theirs.get("manifestSize").asLong()).isEqualTo(ours.manifestBytes());
    assertThat(Instant.parse(theirs.get("createdAt").asText())).isEqualTo(ours.createdAt().get());
    assertThat(Instant.parse(theirs.get("updatedAt").asText())).isEqualTo(ours.updatedAt().get());
    assertThat(theirs.get("metadata")).hasSize(ours.metadata().size());
    ours.metadata()
        .forEach(
            (key, value) -> assertThat(theirs.at("/metadata/" + key).asText()).isEqualTo(value));
  }

  private static void expectSame(Branch ours, JsonNode theirs) {
    assertThat(theirs.get("parent").asText(null)).isEqualTo(ours.parent().orElse(null));
    assertThat(theirs.get("version").asLong()).isEqualTo(ours.version());
    assertThat(theirs.get("createAt").asLong()).isEqualTo(ours.createdAt().getEpochSecond());
    assertThat(theirs.get("manifestSize").asLong()).isEqualTo(ours.manifestBytes());
    List<String> lineage = new ArrayList<>();
    theirs.get("lineage").forEach(point -> lineage.add(point.asText()));
    assertThat(ours.lineage())
        .extracting(point -> point.version() + ":" + point.id())
        .isEqualTo(lineage);
  }

  private void expectSameRefs() {
    JsonNode tags = oracle.call("tagDetails", Oracle.args(uri));
    JsonNode branches = oracle.call("branchDetails", Oracle.args(uri));
    try (Dataset dataset = open(uri)) {
      List<Tag> ours = dataset.tags().list();
      assertThat(tags).hasSize(ours.size());
      ours.forEach(tag -> expectSame(tag, tags.get(tag.name())));
      List<Branch> oursToo = dataset.branches().list();
      assertThat(branches).hasSize(oursToo.size());
      oursToo.forEach(branch -> expectSame(branch, branches.get(branch.name())));
    }
  }

  @Test
  void theRealLibraryUsesOurTags() {
    try (Dataset first = weCreate(0, 4);
        Dataset second = weAppend(first, 4, 6)) {
      second.tags().create("one", 1);
      second.tags().create("two.x-y_z", 2);
      second.tags().create("moved", 1);
      second.tags().update("moved", 2);
      second.tags().replaceMetadata("moved", Map.of("who", "me"));
      second.tags().create("gone", 1);
      second.tags().delete("gone");
    }

    expectSameRefs();
    assertThat(oracleKeys(Oracle.args(uri).put("tag", "one"))).isEqualTo(range(0, 4));
    assertThat(oracleKeys(Oracle.args(uri).put("tag", "moved"))).isEqualTo(range(0, 6));
    oracle.call("updateTag", Oracle.args(uri).put("name", "moved").put("tagVersion", 1));
    oracle.call("deleteTag", Oracle.args(uri).put("name", "one"));
    expectSameRefs();
  }

  @Test
  void weUseTheRealLibrarysTags() {
    oracleWrites(uri, "CREATE", 0, 4);
    oracleWrites(uri, "APPEND", 4, 6);
    oracle.call("createTag", Oracle.args(uri).put("name", "one").put("tagVersion", 1));
    oracle.call("createTag", Oracle.args(uri).put("name", "two").put("tagVersion", 2));

    expectSameRefs();
    try (Dataset newest = open(uri);
        Dataset one = newest.checkout("one")) {
      assertThat(keys(one)).isEqualTo(range(0, 4));
      newest.tags().update("two", 1);
      newest.tags().delete("one");
    }
    expectSameRefs();
  }

  @Test
  void aTagThatIsThereIsNotMadeAgainByEither() {
    try (Dataset dataset = weCreate(0, 1)) {
      dataset.tags().create("t", 1);

      assertThatThrownBy(() -> dataset.tags().create("t", 1))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(
              () ->
                  oracle.call("createTag", Oracle.args(uri).put("name", "t").put("tagVersion", 1)))
          .isInstanceOf(OracleError.class)
          .hasMessageContaining("already exists");
    }
  }

  @Test
  void theRealLibraryWorksOnOurBranches() {
    try (Dataset main = weCreate(0, 4)) {
      main.branches().create("dev");
      try (Dataset dev = main.checkout("dev");
          Dataset more = weAppend(dev, 4, 6)) {
        more.branches().create("fix/1");
        more.tags().create("on-dev", 2);
        main.branches().create("from-tag", Ref.tag("on-dev"));
      }
    }

    expectSameRefs();
    String dev = uri + "/tree/dev";
    assertThat(oracleKeys(Oracle.args(uri).put("branch", "dev"))).isEqualTo(range(0, 6));
    assertThat(oracleKeys(Oracle.args(uri).put("branch", "fix/1"))).isEqualTo(range(0, 6));
    assertThat(oracleKeys(Oracle.args(uri).put("tag", "on-dev"))).isEqualTo(range(0, 6));
    oracleWrites(dev, "APPEND", 6, 8);
    oracle.delete(dev, "k = 1");
    try (Dataset main = open(uri);
        Dataset onDev = main.checkout("dev")) {
      assertThat(onDev.version()).isEqualTo(4);
      assertThat(keys(onDev)).containsExactly(0L, 2L, 3L, 4L, 5L, 6L, 7L);
      assertThat(keys(main)).isEqualTo(range(0, 4));
    }
    oracle.call("deleteBranch", Oracle.args(uri).put("name", "fix/1"));
    assertThat(folder.resolve("t.lance/tree/fix")).doesNotExist();
    expectSameRefs();
  }

  @Test
  void weWorkOnTheRealLibrarysBranches() {
    oracleWrites(uri, "CREATE", 0, 4);
    oracle.delete(uri, "k = 1");
    oracle.call("createBranch", Oracle.args(uri).put("name", "dev"));
    oracleWrites(uri + "/tree/dev", "APPEND", 4, 6);
    oracle.call("createBranch", Oracle.args(uri).put("branch", "dev").put("name", "a/b"));

    expectSameRefs();
    try (Dataset main = open(uri);
        Dataset nested = main.checkout("a/b");
        Dataset more = weAppend(nested, 6, 8);
        Dataset less = more.delete("k = 0 OR k = 7").dataset()) {
      assertThat(nested.branch()).contains("a/b");
      assertThat(keys(less)).containsExactly(2L, 3L, 4L, 5L, 6L);
      assertThat(oracleKeys(Oracle.args(uri).put("branch", "a/b")))
          .containsExactly(2L, 3L, 4L, 5L, 6L);
      assertThat(oracle.countRows(uri + "/tree/a/b")).isEqualTo(5);
      assertThatThrownBy(() -> main.branches().delete("dev"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("a/b");
      main.branches().delete("a/b");
      main.branches().delete("dev");
    }
    assertThat(oracle.call("branches", Oracle.args(uri))).isEmpty();
    assertThat(folder.resolve("t.lance/tree/a")).doesNotExist();
    oracle.call("createBranch", Oracle.args(uri).put("name", "dev"));
    assertThat(oracleKeys(Oracle.args(uri).put("branch", "dev"))).containsExactly(0L, 2L, 3L);
  }

  @Test
  void aBranchWithATagIsKept() {
    oracleWrites(uri, "CREATE", 0, 4);
    oracle.call("createBranch", Oracle.args(uri).put("name", "dev"));
    oracleWrites(uri + "/tree/dev", "APPEND", 4, 6);
    try (Dataset main = open(uri)) {
      main.tags().create("keep", Ref.branch("dev", 2));

      assertThatThrownBy(() -> main.branches().delete("dev"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("keep");
      try (Dataset kept = main.checkout("keep")) {
        assertThat(keys(kept)).isEqualTo(range(0, 6));
      }
      main.tags().delete("keep");
      main.branches().delete("dev");
      assertThat(main.branches().list()).isEmpty();
    }
  }

  @Test
  void theRealLibraryWorksOnOurClones() {
    String clone = folder.resolve("clone.lance").toString();
    String second = folder.resolve("second.lance").toString();
    try (Dataset source = weCreate(0, 7);
        Dataset less = source.delete("k = 1").dataset();
        Dataset cloned = less.shallowClone(clone);
        Dataset more = weAppend(cloned, 7, 9);
        Dataset twice = more.shallowClone(second)) {
      assertThat(cloned.version()).isEqualTo(2);
      assertThat(keys(twice)).containsExactly(0L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    assertThat(oracleKeys(Oracle.args(clone))).containsExactly(0L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    assertThat(oracleKeys(Oracle.args(second))).containsExactly(0L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    oracle.delete(second, "k = 0 OR k = 8");
    oracleWrites(second, "APPEND", 9, 10);
    try (Dataset twice = open(second);
        Dataset less = twice.delete("k = 3").dataset();
        Dataset source = open(uri)) {
      assertThat(keys(less)).containsExactly(2L, 4L, 5L, 6L, 7L, 9L);
      assertThat(keys(source)).containsExactly(0L, 2L, 3L, 4L, 5L, 6L);
    }
    assertThat(oracleKeys(Oracle.args(second))).containsExactly(2L, 4L, 5L, 6L, 7L, 9L);
  }

  @Test
  void weWorkOnTheRealLibrarysClones() {
    String clone = folder.resolve("clone.lance").toString();
    oracleWrites(uri, "CREATE", 0, 7);
    oracle.delete(uri, "k = 1");
    oracle.call("shallowClone", Oracle.args(uri).put("target", clone));
    oracleWrites(clone, "APPEND", 7, 9);

    try (Dataset cloned = open(clone);
        Dataset more = weAppend(cloned, 9, 10);
        Dataset less = more.delete("k = 0 OR k = 8").dataset()) {
      assertThat(keys(less)).containsExactly(2L, 3L, 4L, 5L, 6L, 7L, 9L);
    }
    assertThat(oracleKeys(Oracle.args(clone))).containsExactly(2L, 3L, 4L, 5L, 6L, 7L, 9L);
  }

  @Test
  void detachedVersionsGoBothWays() {
    try (Dataset main = weCreate(0, 7);
        Dataset detached = main.commitDetached(dropFragment(0));
        Dataset further = detached.commitDetached(dropFragment(2))) {
      assertThat(oracleKeys(Oracle.args(uri).put("version", detached.version())))
          .isEqualTo(range(3, 7));
      assertThat(oracleKeys(Oracle.args(uri).put("version", further.version())))
          .isEqualTo(range(3, 6));
      ObjectNode onOurs = Oracle.args(uri).put("version", further.version());
      onOurs.putArray("fragments").add(1);
      long theirs = oracle.call("commitDetached", onOurs).asLong();
      assertThat(theirs).isNegative();
      try (Dataset opened = main.checkout(theirs)) {
        assertThat(opened.countRows()).isZero();
      }
      assertThat(main.versions()).hasSize(1);
      assertThat(oracle.call("versions", Oracle.args(uri))).hasSize(1);
      try (Dataset restored = further.restore()) {
        assertThat(restored.version()).isEqualTo(2);
      }
      assertThat(oracleKeys(Oracle.args(uri))).isEqualTo(range(3, 6));
    }
  }

  private static Operation dropFragment(long id) {
    return new Operation.Delete(List.of(), List.of(id), "true");
  }

  @Test
  void theRealLibraryReadsOurSettingsAndMetadata() {
    try (Dataset first = weCreate(0, 1);
        Dataset configured = first.updateConfig(Map.of("a", "1", "b", "2"));
        Dataset removed =
            configured.updateConfig(
                new MapUpdate(Map.of("a", Optional.empty(), "c", Optional.of("3")), false));
        Dataset described = removed.updateTableMetadata(MapUpdate.set(Map.of("owner", "me")));
        Dataset field =
            described.updateFieldMetadata("v", MapUpdate.set(Map.of("unit", "metres")));
        Dataset schema = field.updateSchemaMetadata(MapUpdate.set(Map.of("s", "t")))) {
      assertThat(schema.config()).isEqualTo(Map.of("b", "2", "c", "3"));
      assertThat(schema.tableMetadata()).isEqualTo(Map.of("owner", "me"));
    }

    JsonNode config = oracle.call("config", Oracle.args(uri));
    assertThat(config).hasSize(2);
    assertThat(config.get("b").asText()).isEqualTo("2");
    assertThat(config.get("c").asText()).isEqualTo("3");
    assertThat(oracle.call("tableMetadata", Oracle.args(uri)).get("owner").asText())
        .isEqualTo("me");
    assertThat(oracle.schema(uri).findField("v").getMetadata()).containsEntry("unit", "metres");
    assertThat(oracle.schema(uri).getCustomMetadata()).containsEntry("s", "t");
  }

  @Test
  void weReadTheRealLibrarysSettingsAndMetadata() {
    oracleWrites(uri, "CREATE", 0, 1);
    ObjectNode config = Oracle.args(uri);
    config.putObject("values").put("a", "1").put("b", "2");
    oracle.call("updateConfig", config);
    ObjectNode keys = Oracle.args(uri);
    keys.putArray("keys").add("a");
    oracle.call("deleteConfigKeys", keys);
    ObjectNode metadata = Oracle.args(uri);
    metadata.putObject("table").put("owner", "me");
    metadata.putObject("schema").put("s", "t");
    metadata.putObject("fields").putObject("1").put("unit", "metres");
    oracle.call("updateMetadata", metadata);

    try (Dataset dataset = open(uri)) {
      assertThat(dataset.config()).isEqualTo(Map.of("b", "2"));
      assertThat(dataset.tableMetadata()).isEqualTo(Map.of("owner", "me"));
      assertThat(dataset.schema().getCustomMetadata()).containsEntry("s", "t");
      assertThat(dataset.schema().findField("v").getMetadata()).containsEntry("unit", "metres");
    }
  }

  @Test
  void manifestNamesAreMigratedAsByTheRealLibrary() throws Exception {
    String other = folder.resolve("other.lance").toString();
    for (String where : List.of(uri, other)) {
      Table table = StableTables.table(where);
      TableVersion first =
          new Committer(table, CommitOptions.DEFAULT.withNaming(ManifestNaming.V1))
              .create(Transaction.of(0, new Operation.Overwrite(List.of(), schema())));
      assertThat(first.location().naming()).isEqualTo(ManifestNaming.V1);
      oracleWrites(where, "APPEND", 0, 4);
    }

    Dataset.migrateManifestNames(uri, OpenOptions.builder().allocator(allocator).build());
    oracle.call("migrateManifestNames", Oracle.args(other));

    assertThat(manifestNames(uri)).isEqualTo(manifestNames(other));
    oracleWrites(uri, "APPEND", 4, 6);
    try (Dataset migrated = open(other);
        Dataset more = weAppend(migrated, 4, 6)) {
      assertThat(keys(more)).isEqualTo(range(0, 6));
    }
    assertThat(oracleKeys(Oracle.args(uri))).isEqualTo(range(0, 6));
    assertThat(oracleKeys(Oracle.args(other))).isEqualTo(range(0, 6));
  }

  private dev.lance4j.format.schema.LanceSchema schema() {
    try (ArrowTable data = rows(0, 1)) {
      return dev.lance4j.format.schema.LanceSchema.fromArrow(data.root().getSchema());
    }
  }

  private static List<String> manifestNames(String where) throws Exception {
    try (var names = Files.list(Path.of(where, "_versions"))) {
      return names
          .map(path -> path.getFileName().toString())
          .filter(name -> name.endsWith(".manifest"))
          .sorted()
          .toList();
    }
  }

  @Test
  void aRestoredVersionIsTheNewestAgain() {
    try (Dataset first = weCreate(0, 3);
        Dataset second = weAppend(first, 3, 5);
        Dataset checkedOut = second.checkout(1);
        Dataset restored = checkedOut.restore();
        Dataset more = weAppend(restored, 5, 6)) {
      assertThat(restored.version()).isEqualTo(3);
      assertThat(restored.countRows()).isEqualTo(3);
      assertThat(more.version()).isEqualTo(4);
      assertThat(more.countRows()).isEqualTo(4);
      assertThat(more.fragments()).extracting(fragment -> fragment.id()).containsExactly(0L, 2L);
    }
    assertThat(oracle.countRows(uri)).isEqualTo(4);
    assertThat(oracle.call("countRows", Oracle.args(uri).put("version", 2)).asLong()).isEqualTo(5);
  }
}
