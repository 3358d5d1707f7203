package dev.lance4j.index.vector.internal.build;

import java.util.List;

/** The records of several sources, one after the other. */
record JoinedRecords(List<PartitionRecords> parts) implements PartitionRecords {
  @Override
  public int count() {
    int count = 0;
    for (PartitionRecords part : parts) {
      count = Math.addExact(count, part.count());
    }
    return count;
  }

  @Override
  public void forEach(Visitor visitor) {
    parts.forEach(part -> part.forEach(visitor));
  }
}
