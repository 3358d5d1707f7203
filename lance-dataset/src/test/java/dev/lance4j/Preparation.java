package dev.lance4j;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The states of a table in which each reported fault is tried: the answers must always be the same.
 * A kind of index becomes one more state.
 */
enum Preparation {
  /** One fragment. */
  PLAIN,
  STABLE_ROW_IDS,
  /** A fragment for each row. */
  MANY_FRAGMENTS,
  /** Other rows with the same values were there, and were deleted. */
  DELETED_COPIES {
    @Override
    Dataset prepare(Dataset dataset, VectorSchemaRoot rows, String... filtered) {
      try (Dataset before = dataset;
          Dataset doubled = before.append(rows)) {
        return doubled.delete("_rowaddr >= " + (1L << 32)).dataset();
      }
    }
  };

  /**
   * A table of these rows.
   *
   * @param filtered the columns that conditions are about
   */
  Dataset create(String uri, VectorSchemaRoot rows, BufferAllocator allocator, String... filtered) {
    Dataset dataset =
        Dataset.write(uri)
            .allocator(allocator)
            .stableRowIds(this == STABLE_ROW_IDS)
            .maxRowsPerFile(this == MANY_FRAGMENTS ? 1 : 1_000_000)
            .from(rows);
    return prepare(dataset, rows, filtered);
  }

  /** Makes the state of a table that holds these rows; closes the dataset that is given. */
  Dataset prepare(Dataset dataset, VectorSchemaRoot rows, String... filtered) {
    return dataset;
  }
}
