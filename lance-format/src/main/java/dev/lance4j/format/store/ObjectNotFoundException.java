package dev.lance4j.format.store;

import java.io.FileNotFoundException;
import java.io.UncheckedIOException;

/** There is no object at the path asked for. */
public class ObjectNotFoundException extends UncheckedIOException {
  private static final long serialVersionUID = 1L;

  private final String path;

  public ObjectNotFoundException(String path) {
    super(new FileNotFoundException(path));
    this.path = path;
  }

  /** The path that was asked for. */
  public String path() {
    return path;
  }
}
