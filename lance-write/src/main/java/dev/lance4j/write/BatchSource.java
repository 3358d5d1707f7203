package dev.lance4j.write;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.DictionaryUtility;

/**
 * Batches to be written, whatever they come from. Each batch is used up before the next is asked
 * for. Used once, by one thread.
 */
public interface BatchSource {
  /** The schema of all batches; dictionary fields have the type of their values. */
  Schema schema();

  /** The next batch, owned by the source and valid until the next call; null at the end. */
  VectorSchemaRoot next();

  /** The values of dictionary-encoded columns of the current batch; null when there are none. */
  DictionaryProvider dictionaries();

  /** No rows, only a schema. */
  static BatchSource of(Schema schema) {
    return of(schema, Collections.emptyIterator(), null);
  }

  /** One batch, still owned by the caller. */
  static BatchSource of(VectorSchemaRoot batch, DictionaryProvider dictionaries) {
    return of(
        messageSchema(batch.getSchema(), dictionaries),
        Collections.singleton(batch).iterator(),
        dictionaries);
  }

  /**
   * Batches of one schema, each still owned by the caller.
   *
   * @param schema dictionary fields have the type of their values
   * @param dictionaries of dictionary-encoded columns; null when there are none
   */
  static BatchSource of(
      Schema schema,
      Iterator<? extends VectorSchemaRoot> batches,
      DictionaryProvider dictionaries) {
    return new BatchSource() {
      @Override
      public Schema schema() {
        return schema;
      }

      @Override
      public VectorSchemaRoot next() {
        return batches.hasNext() ? batches.next() : null;
      }

      @Override
      public DictionaryProvider dictionaries() {
        return dictionaries;
      }
    };
  }

  /** The batches of a reader, which stays the caller's to close. */
  static BatchSource of(ArrowReader reader) {
    return new BatchSource() {
      @Override
      public Schema schema() {
        try {
          return messageSchema(reader.getVectorSchemaRoot().getSchema(), reader);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public VectorSchemaRoot next() {
        try {
          return reader.loadNextBatch() ? reader.getVectorSchemaRoot() : null;
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public DictionaryProvider dictionaries() {
        return reader;
      }
    };
  }

  /** A batch's schema, in which dictionary fields have the type of their keys, made neutral. */
  private static Schema messageSchema(Schema schema, DictionaryProvider dictionaries) {
    if (dictionaries == null) {
      return schema;
    }
    List<Field> fields = new ArrayList<>(schema.getFields().size());
    for (Field field : schema.getFields()) {
      fields.add(DictionaryUtility.toMessageFormat(field, dictionaries, new HashSet<>()));
    }
    return new Schema(fields, schema.getCustomMetadata());
  }
}
