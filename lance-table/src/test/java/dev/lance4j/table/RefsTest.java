package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.rowid.internal.RoaringBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

/** Tags, branches and clones of tables whose data files do not matter. */
class RefsTest {
  private static final String ROOT = "tables/songs.lance";

  private final ObjectStore store = new MemoryObjectStore();
  private final Table table = Table.at(location(ROOT), path -> location(path));

  private StoreLocation location(String path) {
    return new StoreLocation(store, path, path);
  }

  private TableVersion create() {
    return new Committer(table, CommitOptions.DEFAULT)
        .create(
            Transaction.of(
                0,
                new Operation.Overwrite(List.of(Tables.fragment("a.lance", 10)), Tables.SCHEMA)));
  }

  private static TableVersion append(TableVersion handle, String file) {
    return new Committer(handle.table(), CommitOptions.DEFAULT)
        .commit(
            handle,
            Transaction.of(
                handle.version(), new Operation.Append(List.of(Tables.fragment(file, 1)))));
  }

  private String text(String path) {
    ByteBuffer bytes = store.open(ROOT + path).read(0, (int) store.stat(ROOT + path).size());
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }

  private void put(String path, String text) {
    store.put(ROOT + path, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  private List<String> paths(String below) {
    List<String> paths = new ArrayList<>();
    store.walk(below, object -> paths.add(object.path()));
    return paths;
  }

  private static List<String> files(TableVersion version) {
    return version.manifest().fragments().stream().map(f -> f.files().get(0).path()).toList();
  }

  @Test
  void aTagIsRecordedInTheFormOfTheRealLibrary() {
    TableVersion first = create();
    Tag tag = first.tags().create("release-1", 1);

    assertThat(text("/_refs/tags/release-1.json"))
        .isEqualTo(
            String.join(
                "\n",
                "{",
                "  \"branch\": null,",
                "  \"version\": 1,",
                "  \"createdAt\": \"" + tag.createdAt().get() + "\",",
                "  \"updatedAt\": \"" + tag.updatedAt().get() + "\",",
                "  \"manifestSize\": " + store.stat(first.location().path()).size() + ",",
                "  \"metadata\": {}",
                "}"));
    assertThat(first.tags().list()).containsExactly(tag);
    assertThat(first.checkout(Ref.tag("release-1")).version()).isEqualTo(1);
  }

  @Test
  void aTagMovesAndKeepsWhatItWasGiven() {
    TableVersion second = append(create(), "b.lance");
    Tags tags = second.tags();
    Tag made = tags.create("t", 1);
    tags.replaceMetadata("t", Map.of("who", "\"me\"\n", "a", "é"));

    Tag moved = tags.update("t", 2);

    assertThat(moved.version()).isEqualTo(2);
    assertThat(moved.createdAt()).isEqualTo(made.createdAt());
    assertThat(moved.updatedAt().get()).isAfterOrEqualTo(made.updatedAt().get());
    assertThat(moved.metadata()).isEqualTo(Map.of("who", "\"me\"\n", "a", "é"));
    assertThat(moved.manifestBytes()).isEqualTo(store.stat(second.location().path()).size());
    assertThat(tags.find("t")).contains(moved);
    tags.delete("t");
    assertThat(tags.list()).isEmpty();
  }

  @Test
  void tagsAreListedFromTheHighestVersion() {
    Tags tags = append(append(create(), "b.lance"), "c.lance").tags();
    tags.create("b", 1);
    tags.create("z", 3);
    tags.create("a", 1);
    tags.create("m", 2);

    assertThat(tags.list()).extracting(Tag::name).containsExactly("z", "m", "a", "b");
  }

  @Test
  void whatIsNotThereIsNeitherTaggedNorChanged() {
    Tags tags = create().tags();
    tags.create("t", 1);

    assertThatThrownBy(() -> tags.create("t", 1))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("already");
    assertThatThrownBy(() -> tags.create("u", 99)).isInstanceOf(VersionNotFoundException.class);
    assertThatThrownBy(() -> tags.update("u", 1)).isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> tags.update("t", 99)).isInstanceOf(VersionNotFoundException.class);
    assertThatThrownBy(() -> tags.delete("u")).isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> create().checkout(Ref.tag("u"))).isInstanceOf(RuntimeException.class);
    assertThat(tags.list()).extracting(Tag::version).containsExactly(1L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".a", "a.", "a..b", "a.lock", "a/b", "é", "a b", "a%2F", "..", "a\\b"})
  void namesThatNoTagMayHaveAreRefused(String name) {
    Tags tags = create().tags();

    assertThatThrownBy(() -> tags.create(name, 1))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'" + name + "'");
    assertThat(tags.find(name)).isEmpty();
    assertThat(paths(ROOT + "/_refs")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "main",
        "/a",
        "a/",
        "a//b",
        "a/../b",
        "a\\b",
        "a.lock",
        "a/b.lock",
        "é",
        "a b",
        "a/.",
        "a/data",
        "x/_versions/y"
      })
  void namesThatNoBranchMayHaveAreRefusedBeforeAnythingIsWritten(String name) {
    Branches branches = create().branches();

    assertThatThrownBy(() -> branches.create(name))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'" + name + "'");
    assertThat(paths(ROOT + "/tree")).isEmpty();
    assertThat(paths(ROOT + "/_refs")).isEmpty();
  }

  @Test
  void tagsOfEarlyWritersAndWithUnknownKeysAreRead() {
    TableVersion first = create();
    put("/_refs/tags/old.json", "{\"version\":1,\"manifestSize\":7,\"new\":[{}]}");
    put(
        "/_refs/tags/%C3%A9.json",
        "{\"version\":1,\"manifestSize\":7,\"createdAt\":\"2026-01-02T03:04:05+01:00\"}");

    assertThat(first.tags().list())
        .containsExactly(
            new Tag("old", Optional.empty(), 1, Optional.empty(), Optional.empty(), 7, Map.of()),
            new Tag(
                "é",
                Optional.empty(),
                1,
                Optional.of(Instant.parse("2026-01-02T02:04:05Z")),
                Optional.empty(),
                7,
                Map.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{\"version\":\"1\",\"manifestSize\":7}",
        "{\"version\":-1,\"manifestSize\":7}",
        "{\"version\":1.5,\"manifestSize\":7}",
        "{\"manifestSize\":7}",
        "{\"version\":1,\"manifestSize\":7,\"branch\":1}",
        "{\"version\":1,\"manifestSize\":7,\"createdAt\":\"yesterday\"}",
        "{\"version\":1,\"manifestSize\":7,\"metadata\":{\"a\":1}}"
      })
  void damagedTagsAreNamed(String json) {
    TableVersion first = create();
    put("/_refs/tags/bad.json", json);

    assertThatThrownBy(() -> first.tags().find("bad"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("bad.json");
  }

  @Test
  void aBranchIsRecordedInTheFormOfTheRealLibrary() {
    TableVersion second = append(create(), "b.lance");
    Branch dev = second.branches().create("dev");
    TableVersion onDev = append(second.checkout(Ref.branch("dev")), "c.lance");
    Branch fix = onDev.branches().create("fix/1");

    assertThat(fix.lineage()).hasSize(2).startsWith(dev.lineage().get(0));
    assertThat(fix.lineage()).allMatch(point -> point.id().matches("[0-9a-f]{32}"));
    assertThat(text("/_refs/branches/fix%2F1.json"))
        .isEqualTo(
            String.join(
                "\n",
                "{",
                "  \"parentBranch\": \"dev\",",
                "  \"identifier\": {",
                "    \"version_mapping\": [",
                "      [",
                "        2,",
                "        \"" + dev.lineage().get(0).id() + "\"",
                "      ],",
                "      [",
                "        3,",
                "        \"" + fix.lineage().get(1).id() + "\"",
                "      ]",
                "    ]",
                "  },",
                "  \"parentVersion\": 3,",
                "  \"createAt\": " + fix.createdAt().getEpochSecond() + ",",
                "  \"manifestSize\": " + store.stat(onDev.location().path()).size() + ",",
                "  \"metadata\": {}",
                "}"));
    assertThat(second.branches().list()).containsExactly(dev, fix);
  }

  @Test
  void aBranchGoesOnFromWhereItStartedAndLeavesTheOthersAlone() {
    TableVersion second = append(create(), "b.lance");
    second.branches().create("dev", 1);

    TableVersion dev = second.checkout(Ref.branch("dev"));
    TableVersion next = append(dev, "dev.lance");

    assertThat(dev.version()).isEqualTo(1);
    assertThat(dev.branch()).contains("dev");
    assertThat(next.version()).isEqualTo(2);
    assertThat(next.branch()).contains("dev");
    assertThat(files(next)).containsExactly("a.lance", "dev.lance");
    assertThat(files(next.checkout(Ref.branch(Ref.MAIN)))).containsExactly("a.lance", "b.lance");
    assertThat(files(second.checkout(Ref.branch("dev", 1)))).containsExactly("a.lance");
    assertThat(next.manifest().fragments().get(0).files().get(0).baseId()).hasValue(0);
    assertThat(next.manifest().fragments().get(1).files().get(0).baseId()).isEmpty();
    assertThat(
            next.table()
                .locate(next.manifest().fragments().get(0).files().get(0), next.manifest())
                .path())
        .isEqualTo(ROOT + "/data/a.lance");
  }

  @Test
  void tagsAndBranchesAreTheSameFromEveryBranch() {
    TableVersion main = create();
    main.branches().create("dev");
    TableVersion dev = append(main.checkout(Ref.branch("dev")), "b.lance");

    Tag tag = dev.tags().create("on-dev", 2);

    assertThat(tag.branch()).contains("dev");
    assertThat(main.tags().list()).containsExactly(tag);
    assertThat(main.checkout(Ref.tag("on-dev")).branch()).contains("dev");
    assertThat(dev.branches().list()).isEqualTo(main.branches().list());
    assertThat(main.branches().create("from-tag", Ref.tag("on-dev")).parent()).contains("dev");
  }

  @Test
  void aBranchThatIsNeededStays() {
    TableVersion main = create();
    Branches branches = main.branches();
    branches.create("dev");
    branches.create("dev2", Ref.branch("dev"));
    main.tags().create("t", Ref.branch("dev"));

    assertThatThrownBy(() -> branches.delete("dev"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("branch dev2")
        .hasMessageContaining("tag t");

    main.tags().delete("t");
    branches.delete("dev2");
    branches.delete("dev");
    assertThat(branches.list()).isEmpty();
    assertThat(paths(ROOT + "/tree")).isEmpty();
    assertThatThrownBy(() -> main.checkout(Ref.branch("dev")))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void aBranchOfTheSameNameAsEarlierIsAnother() {
    Branches branches = create().branches();
    Branch first = branches.create("dev");
    branches.delete("dev");
    Branch second = branches.create("dev");

    assertThat(second.lineage()).isNotEqualTo(first.lineage());
  }

  @Test
  void branchesBelowADeletedOneStay() {
    TableVersion main = create();
    Branches branches = main.branches();
    branches.create("a");
    branches.create("a/b/c");
    append(main.checkout(Ref.branch("a")), "b.lance");

    branches.delete("a");

    assertThat(main.checkout(Ref.branch("a/b/c")).version()).isEqualTo(1);
    assertThat(paths(ROOT + "/tree")).allMatch(path -> path.startsWith(ROOT + "/tree/a/b/c/"));
    branches.create("a");
    branches.delete("a/b/c");
    assertThat(main.checkout(Ref.branch("a")).version()).isEqualTo(1);
    assertThat(paths(ROOT + "/tree")).noneMatch(path -> path.startsWith(ROOT + "/tree/a/b"));
  }

  @Test
  void aBranchThatLiesAmongFilesOfAnotherDoesNotTakeThemAlong() {
    TableVersion main = create();
    Branches branches = main.branches();
    branches.create("a");
    put("/tree/a/data/x.lance", "x");
    put("/_refs/branches/a%2Fdata.json", "{\"parentVersion\":1,\"createAt\":1,\"manifestSize\":1}");
    put("/tree/a/data/_versions/1.manifest", "x");

    branches.delete("a/data");

    assertThat(paths(ROOT + "/tree/a/data")).containsExactly(ROOT + "/tree/a/data/x.lance");
  }

  @Test
  void aBranchWhoseCreationWasNotCompletedIsNamedAndCanBeDeleted() {
    TableVersion main = create();
    Branches branches = main.branches();
    branches.create("dev");
    store.delete(ROOT + "/_refs/branches/dev.json");

    assertThat(branches.list()).isEmpty();
    assertThatThrownBy(() -> main.checkout(Ref.branch("dev")))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> branches.create("dev"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("delete it first");

    branches.delete("dev");
    branches.create("dev");
    assertThat(main.checkout(Ref.branch("dev")).version()).isEqualTo(1);
  }

  @Test
  void branchesOfEarlyWritersGetTheIdentityThatTheRealLibraryDerives() {
    TableVersion main = create();
    put(
        "/_refs/branches/x.json",
        "{\"parentBranch\":null,\"parentVersion\":1,\"createAt\":1760000000,\"manifestSize\":1}");

    assertThat(main.branches().find("x").get().lineage())
        .containsExactly(new Branch.Point(0, "893787d31e663eac69f275d46690d2a5"));
  }

  @Test
  void branchesAreNotMadeFromWhatIsNotThere() {
    Branches branches = create().branches();
    branches.create("dev");

    assertThatThrownBy(() -> branches.create("dev"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("already");
    assertThatThrownBy(() -> branches.create("x", 99)).isInstanceOf(VersionNotFoundException.class);
    assertThatThrownBy(() -> branches.create("x", Ref.tag("none")))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> branches.create("x", Ref.branch("none")))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> branches.delete("none")).isInstanceOf(InvalidInputException.class);
  }

  @Test
  void aCloneOfACloneRefersToBothSources() {
    TableVersion source = append(create(), "b.lance");
    TableVersion clone = source.cloneTo(Table.at(location("c1"), this::location));
    TableVersion changed = append(clone, "c.lance");

    TableVersion second = changed.cloneTo(Table.at(location("c2"), this::location));

    assertThat(clone.version()).isEqualTo(2);
    assertThat(second.version()).isEqualTo(3);
    assertThat(second.manifest().basePaths())
        .containsExactly(
            new BasePath(0, Optional.empty(), true, ROOT),
            new BasePath(1, Optional.empty(), true, "c1"));
    assertThat(second.manifest().fragments())
        .extracting(f -> f.files().get(0).baseId().getAsInt())
        .containsExactly(0, 0, 1);
    assertThat(FeatureFlag.BASE_PATHS.isIn(second.manifest().readerFlags())).isTrue();
    assertThat(second.transaction().get().operation())
        .isEqualTo(new Operation.Clone(true, Optional.empty(), 3, "c1", Optional.empty()));
    assertThatThrownBy(() -> source.cloneTo(Table.at(location("c1"), this::location)))
        .isInstanceOf(dev.lance4j.format.DatasetExistsException.class);
  }

  @Test
  void indexSegmentsOfAClonesCloneStayInTheBaseThatTheyLieIn() {
    TableVersion source = create();
    IndexMetadata first = index("first");
    IndexMetadata second = index("second");
    TableVersion indexed = commit(source, new Operation.CreateIndex(List.of(first), List.of()));
    TableVersion clone = indexed.cloneTo(Table.at(location("c1"), this::location));
    TableVersion more = commit(clone, new Operation.CreateIndex(List.of(second), List.of()));

    TableVersion twice = more.cloneTo(Table.at(location("c2"), this::location));

    assertThat(twice.indices())
        .extracting(index -> twice.table().locate(index, twice.manifest()).path())
        .containsExactly(ROOT + "/_indices/" + first.uuid(), "c1/_indices/" + second.uuid());
  }

  private static TableVersion commit(TableVersion handle, Operation operation) {
    return new Committer(handle.table(), CommitOptions.DEFAULT)
        .commit(handle, Transaction.of(handle.version(), operation));
  }

  private static IndexMetadata index(String name) {
    return new IndexMetadata(
        UUID.randomUUID(),
        List.of(0),
        name,
        1,
        RoaringBytes.toBytes(RoaringBitmap.bitmapOf(0)),
        Optional.empty(),
        OptionalInt.empty(),
        OptionalLong.empty(),
        OptionalInt.empty(),
        List.of(),
        UnknownFieldSet.getDefaultInstance());
  }

  @Test
  void detachedVersionsAreBesideTheHistory() {
    TableVersion first = create();
    Committer committer = new Committer(table, CommitOptions.DEFAULT);
    Operation.Append append = new Operation.Append(List.of(Tables.fragment("d.lance", 1)));

    TableVersion detached = committer.commitDetached(first, Transaction.of(1, append));
    TableVersion further =
        committer.commitDetached(detached, Transaction.of(detached.version(), append));

    assertThat(detached.version()).isNegative();
    assertThat(detached.location().path())
        .endsWith("/_versions/d" + Long.toUnsignedString(detached.version()) + ".manifest");
    assertThat(files(table.version(further.version())))
        .containsExactly("a.lance", "d.lance", "d.lance");
    assertThat(table.latest().version()).isEqualTo(1);
    assertThat(table.versions()).hasSize(1);
    assertThat(files(append(first, "e.lance"))).containsExactly("a.lance", "e.lance");
    assertThatThrownBy(() -> append(detached, "x.lance"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("detached");
    assertThatThrownBy(() -> detached.branches().create("x"))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void manifestsGetNewNamesOnce() {
    new Committer(table, CommitOptions.DEFAULT.withNaming(ManifestNaming.V1))
        .create(Transaction.of(0, new Operation.Overwrite(List.of(), Tables.SCHEMA)));
    TableVersion second = append(table.latest(), "a.lance");
    assertThatThrownBy(
            () ->
                new Committer(table, CommitOptions.DEFAULT)
                    .commitDetached(
                        second,
                        Transaction.of(
                            2, new Operation.Append(List.of(Tables.fragment("b.lance", 1))))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("migrate");

    // As after an interruption.
    store.put(
        ROOT + "/_versions/" + ManifestNaming.V2.fileName(1),
        store
            .open(table.find(1).get().path())
            .read(0, (int) store.stat(table.find(1).get().path()).size()));
    table.migrateManifestNames();
    table.migrateManifestNames();

    assertThat(paths(ROOT + "/_versions"))
        .containsExactly(
            ROOT + "/_versions/" + ManifestNaming.V2.fileName(2),
            ROOT + "/_versions/" + ManifestNaming.V2.fileName(1));
    assertThat(append(second, "b.lance").location().naming()).isEqualTo(ManifestNaming.V2);
  }
}
