package dev.lance4j.write.internal;

import dev.lance4j.write.Checkpoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * A file for each checkpoint.
 *
 * @param folder of the files
 */
public record FolderCheckpoints(Path folder) implements Checkpoints {
  @Override
  public Optional<byte[]> load(String name) {
    try {
      return Optional.of(Files.readAllBytes(folder.resolve(name)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void save(String name, byte[] content) {
    try {
      Files.createDirectories(folder);
      Path unfinished = Files.createTempFile(folder, name, ".tmp");
      Files.write(unfinished, content);
      Files.move(
          unfinished,
          folder.resolve(name),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
