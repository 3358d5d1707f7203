package dev.lance4j.format.internal.json;

import dev.lance4j.format.InvalidInputException;

/** Bytes that should be JSON in its binary form and are not. */
public final class MalformedJsonbException extends InvalidInputException {
  private static final long serialVersionUID = 1;

  MalformedJsonbException(String message) {
    super(message);
  }
}
