package dev.lance4j.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.FragmentWriter;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.IpcFiles;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.write.BatchSource;
import java.io.ObjectInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fragments that are written here and there and committed once. */
@WithOracle
class DistributedWriteInteropTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<Field> FIELDS = SampleFields.of(FileVersion.V2_1).subList(0, 8);

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private ArrowTable data(int rows, long seed) {
    return RandomData.table(FIELDS, NullPattern.SOME, rows, seed, allocator);
  }

  private Dataset open(String uri) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private void assertRows(String uri, ArrowTable... expected) {
    try (Dataset dataset = open(uri);
        ArrowTable ours = Tables.drain(dataset.scan().open(), allocator);
        ArrowTable theirs = oracle.scan(uri, allocator)) {
      TableAssert.assertEqual(ours, theirs);
      int start = 0;
      for (ArrowTable part : expected) {
        int end = start + part.rowCount();
        try (ArrowTable slice = Tables.slice(ours, start, end, allocator)) {
          TableAssert.assertEqual(part, slice);
        }
        start = end;
      }
      assertThat(ours.rowCount()).isEqualTo(start);
    }
  }

  @Test
  void processesWriteFragmentsThatAreCommittedOnce() throws Exception {
    String uri = folder.resolve("ours.lance").toString();
    try (ArrowTable first = data(50, 1);
        ArrowTable second = data(250, 2);
        ArrowTable third = data(100, 3);
        ArrowTable fourth = data(7, 4)) {
      Dataset.write(uri)
          .allocator(allocator)
          .from(BatchSource.of(first.root(), first.dictionaries()))
          .close();
      List<Process> workers =
          List.of(
              worker(uri, second, "2.json"),
              worker(uri, third, "3.ser"),
              worker(uri, fourth, "4.json"));
      oracle.append(uri, fourth);
      for (Process worker : workers) {
        assertThat(worker.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(worker.exitValue()).isZero();
      }
      List<FragmentMetadata> fragments = new ArrayList<>();
      for (String file : List.of("2.json", "3.ser", "4.json")) {
        fragments.addAll(read(folder.resolve(file)));
      }
      assertThat(fragments).hasSize(5);
      Operation operation = Operation.fromJson(Operation.append(fragments).toJson());

      try (Dataset committed = Dataset.commit(uri).allocator(allocator).execute(operation, 1)) {
        assertThat(committed.version()).isEqualTo(3);
        assertThat(committed.fragments()).hasSize(7);
      }
      assertRows(uri, first, fourth, second, third, fourth);
    }
  }

  private Process worker(String uri, ArrowTable rows, String answer) throws Exception {
    Path file = folder.resolve(answer + ".rows");
    IpcFiles.write(rows, file);
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-Xmx256m",
            FragmentWorker.class.getName(),
            uri,
            "1",
            file.toString(),
            folder.resolve(answer).toString());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  @SuppressWarnings("unchecked") // the worker wrote it
  private static List<FragmentMetadata> read(Path file) throws Exception {
    if (file.toString().endsWith(".json")) {
      return Files.readAllLines(file, UTF_8).stream().map(FragmentMetadata::fromJson).toList();
    }
    try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
      return (List<FragmentMetadata>) in.readObject();
    }
  }

  @Test
  void theRealLibrarysFragmentsAreCommittedHere() throws Exception {
    String uri = folder.resolve("theirs.lance").toString();
    try (ArrowTable first = data(20, 5);
        ArrowTable second = data(30, 6)) {
      oracle.create(uri, "2.1", first);
      ObjectNode args = Oracle.args(uri).put("maxRowsPerFile", 20);
      List<FragmentMetadata> fragments = new ArrayList<>();
      for (JsonNode fragment : oracle.send("writeFragments", args, second)) {
        fragments.add(FragmentMetadata.fromJson(fragment.toString()));
      }
      assertThat(fragments).hasSize(2);

      Dataset.commit(uri).allocator(allocator).execute(Operation.append(fragments), 1).close();

      assertRows(uri, first, second);
    }
  }

  @Test
  void ourFragmentsAreCommittedByTheRealLibrary() throws Exception {
    String uri = folder.resolve("theirs.lance").toString();
    try (ArrowTable first = data(20, 7);
        ArrowTable second = data(30, 8)) {
      oracle.create(uri, "2.1", first);
      ObjectNode args = Oracle.args(uri).put("readVersion", 1);
      ArrayNode fragments = args.putArray("fragments");
      try (Dataset dataset = open(uri)) {
        for (FragmentMetadata fragment :
            FragmentWriter.to(dataset)
                .maxRowsPerFile(20)
                .write(BatchSource.of(second.root(), second.dictionaries()))) {
          fragments.add(JSON.readTree(fragment.toJson()));
        }
      }

      oracle.call("commitFragments", args);

      assertRows(uri, first, second);
    }
  }

  @Test
  void aTableIsCreatedFromFragments() throws Exception {
    String uri = folder.resolve("made.lance").toString();
    try (ArrowTable first = data(20, 9);
        ArrowTable second = data(30, 10)) {
      FragmentWriter writer = FragmentWriter.to(uri, first.root().getSchema()).allocator(allocator);
      List<FragmentMetadata> fragments = new ArrayList<>(writer.write(first.root()));
      fragments.addAll(writer.write(second.root()));

      Dataset.commit(uri)
          .allocator(allocator)
          .stableRowIds(true)
          .execute(Operation.overwrite(fragments, writer.schema()), 0)
          .close();

      assertRows(uri, first, second);
    }
  }
}
