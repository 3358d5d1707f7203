package dev.lance4j.index.vector.internal.build;

/**
 * The rows of a partition as they come from encoding: records of a row id, a code, and in RaBit
 * quantization two factors.
 */
interface PartitionRecords {
  /** The number of records. */
  int count();

  /** Visits all records, in pieces. */
  void forEach(Visitor visitor);

  /** Takes a piece. */
  interface Visitor {
    /**
     * Takes some records.
     *
     * @param from the first byte of the first one
     */
    void visit(byte[] bytes, int from, int count);
  }
}
