package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.WriteMode;
import dev.lance4j.format.proto.table.TableProto;
import dev.lance4j.format.proto.table.TransactionProto;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.table.ManifestLocation;
import dev.lance4j.table.ManifestNaming;
import dev.lance4j.table.MapUpdate;
import dev.lance4j.table.Ref;
import dev.lance4j.table.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests of one history, made by both libraries, field by field. */
@WithOracle
class ManifestComparisonTest {
  /** What is different each time: names of files, random numbers, times and sizes. */
  private static final Set<String> RANDOM =
      Set.of(
          "fragments.files.path",
          "fragments.files.file_size_bytes",
          "fragments.deletion_file.id",
          "timestamp.seconds",
          "timestamp.nanos",
          "transaction_file",
          "index_section",
          "transaction_section",
          "base_paths.path",
          "writer_version.library",
          "writer_version.version");

  private static final Set<String> RANDOM_IN_TRANSACTIONS =
      Set.of(
          "uuid",
          "append.fragments.files.path",
          "append.fragments.files.file_size_bytes",
          "overwrite.fragments.files.path",
          "overwrite.fragments.files.file_size_bytes",
          "delete.updated_fragments.files.path",
          "delete.updated_fragments.files.file_size_bytes",
          "delete.updated_fragments.deletion_file.id",
          "clone.ref_path");

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();
  private final List<String> steps = new ArrayList<>();

  @TempDir private Path folder;
  private boolean stable;
  private String ours;
  private String theirs;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset open(String uri) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private void write(String mode, int from, int to) {
    steps.add(mode);
    try (ArrowTable data = StableTables.rows(StableTables.keys(from, to), 0, allocator)) {
      Dataset.write(ours)
          .allocator(allocator)
          .mode(WriteMode.valueOf(mode))
          .stableRowIds(stable)
          .maxRowsPerFile(3)
          .from(data.root())
          .close();
      ObjectNode args = Oracle.args(theirs).put("mode", mode).put("maxRowsPerFile", 3);
      oracle.send("write", stable ? args.put("stableRowIds", true) : args, data);
    }
  }

  private void delete(String predicate) {
    steps.add("delete " + predicate);
    change(dataset -> dataset.delete(predicate).dataset());
    oracle.delete(theirs, predicate);
  }

  private void change(Function<Dataset, Dataset> ourChange) {
    try (Dataset dataset = open(ours)) {
      ourChange.apply(dataset).close();
    }
  }

  private void setConfig(String key, String value) {
    steps.add("config " + key);
    change(dataset -> dataset.updateConfig(Map.of(key, value)));
    ObjectNode args = Oracle.args(theirs);
    args.putObject("config").put(key, value);
    oracle.call("updateMetadata", args);
  }

  private void removeConfig(String key) {
    steps.add("remove " + key);
    change(dataset -> dataset.updateConfig(MapUpdate.remove(List.of(key))));
    ObjectNode args = Oracle.args(theirs);
    args.putObject("config").putNull(key);
    oracle.call("updateMetadata", args);
  }

  private void setMetadata() {
    steps.add("metadata of table, field and schema");
    MapUpdate table = new MapUpdate(Map.of("t", Optional.of("1")), false);
    change(dataset -> dataset.updateTableMetadata(table));
    ObjectNode args = Oracle.args(theirs);
    args.putObject("table").put("t", "1");
    oracle.call("updateMetadata", args);
    change(dataset -> dataset.updateFieldMetadata("v", MapUpdate.set(Map.of("f", "2"))));
    args = Oracle.args(theirs);
    args.putObject("fields").putObject("1").put("f", "2");
    oracle.call("updateMetadata", args);
    change(dataset -> dataset.updateSchemaMetadata(MapUpdate.set(Map.of("s", "3"))));
    args = Oracle.args(theirs);
    args.putObject("schema").put("s", "3");
    oracle.call("updateMetadata", args);
  }

  private void restore(long version) {
    steps.add("restore " + version);
    change(
        dataset -> {
          try (Dataset old = dataset.checkout(version)) {
            return old.restore();
          }
        });
    oracle.call("restore", Oracle.args(theirs).put("version", version));
  }

  private void tag(String name, long version) {
    try (Dataset dataset = open(ours)) {
      dataset.tags().create(name, version);
    }
    oracle.call("createTag", Oracle.args(theirs).put("name", name).put("tagVersion", version));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theHistoryOfATableIsTheSame(boolean stableRowIds) {
    start("table", stableRowIds);
    write("CREATE", 0, 7);
    write("APPEND", 7, 9);
    delete("k = 1 OR k = 4");
    tag("t", 2);
    delete("k = 2");
    delete("k >= 3 AND k < 6");
    setConfig("a", "1");
    setConfig("b", "2");
    removeConfig("a");
    setMetadata();
    write("OVERWRITE", 20, 25);
    write("APPEND", 25, 26);
    delete("k >= 20");
    write("APPEND", 26, 30);
    removeConfig("b");

    compare();
  }

  // Where stable row ids go on after a restore is a deliberate difference.
  @ParameterizedTest
  @ValueSource(booleans = false)
  void aRestoredHistoryIsTheSame(boolean stableRowIds) {
    start("restored", stableRowIds);
    write("CREATE", 0, 4);
    write("APPEND", 4, 9);
    setConfig("a", "1");
    delete("k = 8");
    restore(1);
    write("APPEND", 9, 10);
    restore(4);
    write("APPEND", 10, 11);

    compare();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theHistoryOfBranchesIsTheSame(boolean stableRowIds) {
    start("main", stableRowIds);
    write("CREATE", 0, 7);
    delete("k = 1");
    setConfig("a", "1");
    branch("dev", Ref.MAIN);
    onBranch("dev");
    write("APPEND", 7, 9);
    delete("k = 4 OR k = 8");
    compare();
    branch("a/b", "dev");
    onBranch("a/b");
    write("APPEND", 9, 10);
    delete("k = 2");

    compare();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theHistoryOfAClonesCloneIsTheSame(boolean stableRowIds) {
    start("source", stableRowIds);
    write("CREATE", 0, 7);
    delete("k = 1");
    cloneTo("clone");
    write("APPEND", 7, 9);
    delete("k = 4 OR k = 8");
    compare();
    cloneTo("second");
    delete("k = 5");
    write("APPEND", 9, 10);

    compare();
  }

  private void start(String name, boolean stableRowIds) {
    stable = stableRowIds;
    ours = folder.resolve("ours").resolve(name).toString();
    theirs = folder.resolve("theirs").resolve(name).toString();
  }

  private void branch(String name, String from) {
    steps.add("branch " + name);
    try (Dataset dataset = open(ours)) {
      dataset.branches().create(name, Ref.branch(from, dataset.version()));
    }
    ObjectNode args = Oracle.args(theirs).put("name", name);
    if (!from.equals(Ref.MAIN)) {
      args.put("branch", from).put("uri", theirs.substring(0, theirs.indexOf("/tree/")));
    }
    oracle.call("createBranch", args);
  }

  private void onBranch(String name) {
    ours = main(ours) + "/tree/" + name;
    theirs = main(theirs) + "/tree/" + name;
  }

  private static String main(String uri) {
    int tree = uri.indexOf("/tree/");
    return tree < 0 ? uri : uri.substring(0, tree);
  }

  private void cloneTo(String name) {
    steps.add("clone to " + name);
    String ourClone = folder.resolve("ours").resolve(name).toString();
    String theirClone = folder.resolve("theirs").resolve(name).toString();
    change(dataset -> dataset.shallowClone(ourClone));
    oracle.call("shallowClone", Oracle.args(theirs).put("target", theirClone));
    ours = ourClone;
    theirs = theirClone;
  }

  private void compare() {
    Table ourTable = StableTables.table(ours);
    Table theirTable = StableTables.table(theirs);
    List<ManifestLocation> ourVersions = ourTable.findAll();
    assertThat(ourVersions)
        .extracting(ManifestLocation::version)
        .isEqualTo(theirTable.findAll().stream().map(ManifestLocation::version).toList());
    List<String> differences = new ArrayList<>();
    for (ManifestLocation version : ourVersions) {
      File our = File.of(version.path());
      File their = File.of(theirTable.find(version.version()).orElseThrow().path());
      String prefix = "version " + version.version() + " ";
      for (String difference :
          ManifestDifferences.between(
              sorted(our.manifest()), sorted(their.manifest()), this::isDeliberate)) {
        differences.add(prefix + difference);
      }
      for (String difference :
          ManifestDifferences.between(
              sorted(our.transaction()),
              sorted(their.transaction()),
              this::isDeliberateInTransaction)) {
        differences.add(prefix + "transaction " + difference);
      }
      assertThat(version.naming()).isEqualTo(ManifestNaming.V2);
    }
    assertThat(differences).as("after %s", steps).isEmpty();
  }

  /** Base paths are found by their ids, whatever their order. */
  private static TableProto.Manifest sorted(TableProto.Manifest manifest) {
    List<TableProto.BasePath> bases = new ArrayList<>(manifest.getBasePathsList());
    bases.sort((a, b) -> Integer.compareUnsigned(a.getId(), b.getId()));
    return manifest.toBuilder().clearBasePaths().addAllBasePaths(bases).build();
  }

  /** The real library gives the fragments of a deletion in any order. */
  private static TransactionProto.Transaction sorted(TransactionProto.Transaction transaction) {
    if (!transaction.hasDelete()) {
      return transaction;
    }
    List<TableProto.DataFragment> fragments =
        new ArrayList<>(transaction.getDelete().getUpdatedFragmentsList());
    fragments.sort(Comparator.comparingLong(TableProto.DataFragment::getId));
    TransactionProto.Transaction.Builder sorted = transaction.toBuilder();
    sorted.getDeleteBuilder().clearUpdatedFragments().addAllUpdatedFragments(fragments);
    return sorted.build();
  }

  private boolean isDeliberate(String path, List<Object> values) {
    return RANDOM.contains(path);
  }

  private boolean isDeliberateInTransaction(String path, List<Object> values) {
    return RANDOM_IN_TRANSACTIONS.contains(path);
  }

  /** The two messages in a manifest's file, parsed by the fixed positions of the footer. */
  private record File(TableProto.Manifest manifest, TransactionProto.Transaction transaction) {
    static File of(String path) {
      try {
        ByteBuffer bytes =
            ByteBuffer.wrap(Files.readAllBytes(Path.of(path))).order(ByteOrder.LITTLE_ENDIAN);
        int position = (int) bytes.getLong(bytes.capacity() - 16);
        TableProto.Manifest manifest =
            TableProto.Manifest.parseFrom(bytes.slice(position + 4, bytes.getInt(position)));
        int section = (int) manifest.getTransactionSection();
        return new File(
            manifest,
            TransactionProto.Transaction.parseFrom(
                bytes.slice(section + 4, bytes.getInt(section))));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
