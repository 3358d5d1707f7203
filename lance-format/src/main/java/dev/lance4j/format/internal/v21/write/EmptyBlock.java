package dev.lance4j.format.internal.v21.write;

/** Slots without content: of the null type and of structs without children. */
record EmptyBlock(int count) implements LeafBlock {
  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public int maxValueBytes() {
    return 0;
  }

  @Override
  public EmptyBlock slice(int from, int length) {
    return new EmptyBlock(length);
  }
}
