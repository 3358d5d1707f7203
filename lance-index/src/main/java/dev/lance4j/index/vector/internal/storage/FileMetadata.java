package dev.lance4j.index.vector.internal.storage;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.proto.index.IndexProto.IVF;

/** The keys that the files of a segment have in the metadata of their schemas. */
final class FileMetadata {
  static final String INDEX = "lance:index";
  static final String IVF_BUFFER = "lance:ivf";
  static final String FLAT = "lance:flat";
  static final String HNSW = "lance:hnsw";
  static final String METRIC = "distance_type";
  static final String STORAGE = "storage_metadata";

  private FileMetadata() {}

  static String require(LanceFileReader file, String key) {
    String value = file.metadata().get(key);
    if (value == null) {
      throw new CorruptFileException(file.path(), -1, key + " not found");
    }
    return value;
  }

  /** The message that the metadata refer to. */
  static IVF partitions(LanceFileReader file) {
    String text = require(file, IVF_BUFFER);
    int buffer;
    try {
      buffer = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new CorruptFileException(
          file.path(), -1, IVF_BUFFER + " is no number but '" + text + "'", e);
    }
    try {
      return IVF.parseFrom(QuantizerMetadata.globalBuffer(file, buffer));
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(file.path(), -1, "unreadable partitions", e);
    }
  }
}
