package dev.lance4j.table.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.proto.table.TransactionProto;
import dev.lance4j.table.KeyFilter;

/** Between key filters and their messages. */
final class KeyFilterMessages {
  private KeyFilterMessages() {}

  static KeyFilter fromMessage(
      TransactionProto.Transaction.KeyExistenceFilter message, String path) {
    KeyFilter.Keys keys =
        switch (message.getDataCase()) {
          case EXACT -> new KeyFilter.Exact(message.getExact().getKeyHashesList());
          case BLOOM -> bloom(message.getBloom());
          case DATA_NOT_SET ->
              throw new CorruptFileException(path, -1, "a key filter without keys");
        };
    return new KeyFilter(message.getFieldIdsList(), keys);
  }

  private static KeyFilter.Bloom bloom(TransactionProto.Transaction.BloomFilter message) {
    return new KeyFilter.Bloom(
        message.getBitmap(),
        message.getNumBits(),
        message.getNumberOfItems(),
        message.getProbability());
  }

  static TransactionProto.Transaction.KeyExistenceFilter toMessage(KeyFilter filter) {
    TransactionProto.Transaction.KeyExistenceFilter.Builder message =
        TransactionProto.Transaction.KeyExistenceFilter.newBuilder()
            .addAllFieldIds(filter.fieldIds());
    if (filter.keys() instanceof KeyFilter.Exact exact) {
      message.setExact(
          TransactionProto.Transaction.ExactKeySetFilter.newBuilder()
              .addAllKeyHashes(exact.hashes()));
    } else {
      KeyFilter.Bloom bloom = (KeyFilter.Bloom) filter.keys();
      message.setBloom(
          TransactionProto.Transaction.BloomFilter.newBuilder()
              .setBitmap(bloom.bits())
              .setNumBits(bloom.numBits())
              .setNumberOfItems(bloom.items())
              .setProbability(bloom.probability()));
    }
    return message.build();
  }
}
