package dev.lance4j.write.internal;

import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.write.Checkpoints;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * An object for each checkpoint.
 *
 * @param folder where they lie
 */
public record StoredCheckpoints(StoreLocation folder) implements Checkpoints {
  @Override
  public Optional<byte[]> load(String name) {
    try (ObjectReader reader = folder.store().open(path(name))) {
      byte[] content = new byte[Math.toIntExact(reader.size())];
      reader.read(0, content.length).get(content);
      return Optional.of(content);
    } catch (ObjectNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public void save(String name, byte[] content) {
    folder.store().put(path(name), ByteBuffer.wrap(content));
  }

  private String path(String name) {
    return folder.path() + '/' + name;
  }
}
