package dev.lance4j.table.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.proto.table.TransactionProto;
import dev.lance4j.table.MapUpdate;
import dev.lance4j.table.Operation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Between changes of settings and their messages, of which there is an old and a new style. */
final class ConfigMessages {
  private ConfigMessages() {}

  static Operation.UpdateConfig fromMessage(
      TransactionProto.Transaction.UpdateConfig message, String path) {
    boolean newStyle =
        message.hasConfigUpdates()
            || message.hasTableMetadataUpdates()
            || message.hasSchemaMetadataUpdates()
            || message.getFieldMetadataUpdatesCount() > 0;
    boolean oldStyle =
        message.getUpsertValuesCount() > 0
            || message.getDeleteKeysCount() > 0
            || message.getSchemaMetadataCount() > 0
            || message.getFieldMetadataCount() > 0;
    if (newStyle && oldStyle) {
      throw new CorruptFileException(
          path, -1, "the operation UpdateConfig mixes fields of the old and the new style");
    }
    return oldStyle ? fromOldStyle(message) : fromNewStyle(message);
  }

  private static Operation.UpdateConfig fromOldStyle(
      TransactionProto.Transaction.UpdateConfig message) {
    Map<String, Optional<String>> config = new LinkedHashMap<>();
    message.getUpsertValuesMap().forEach((key, value) -> config.put(key, Optional.of(value)));
    message.getDeleteKeysList().forEach(key -> config.put(key, Optional.empty()));
    Map<Integer, MapUpdate> fields = new TreeMap<>();
    message
        .getFieldMetadataMap()
        .forEach((id, update) -> fields.put(id, MapUpdate.replaceAll(update.getMetadataMap())));
    return new Operation.UpdateConfig(
        config.isEmpty() ? Optional.empty() : Optional.of(new MapUpdate(config, false)),
        Optional.empty(),
        message.getSchemaMetadataCount() == 0
            ? Optional.empty()
            : Optional.of(MapUpdate.replaceAll(message.getSchemaMetadataMap())),
        fields);
  }

  private static Operation.UpdateConfig fromNewStyle(
      TransactionProto.Transaction.UpdateConfig message) {
    Map<Integer, MapUpdate> fields = new TreeMap<>();
    message
        .getFieldMetadataUpdatesMap()
        .forEach((id, update) -> fields.put(id, fromMessage(update)));
    return new Operation.UpdateConfig(
        message.hasConfigUpdates()
            ? Optional.of(fromMessage(message.getConfigUpdates()))
            : Optional.empty(),
        message.hasTableMetadataUpdates()
            ? Optional.of(fromMessage(message.getTableMetadataUpdates()))
            : Optional.empty(),
        message.hasSchemaMetadataUpdates()
            ? Optional.of(fromMessage(message.getSchemaMetadataUpdates()))
            : Optional.empty(),
        fields);
  }

  private static MapUpdate fromMessage(TransactionProto.Transaction.UpdateMap message) {
    Map<String, Optional<String>> entries = new LinkedHashMap<>();
    for (TransactionProto.Transaction.UpdateMapEntry entry : message.getUpdateEntriesList()) {
      entries.put(
          entry.getKey(), entry.hasValue() ? Optional.of(entry.getValue()) : Optional.empty());
    }
    return new MapUpdate(entries, message.getReplace());
  }

  static TransactionProto.Transaction.UpdateConfig toMessage(Operation.UpdateConfig operation) {
    TransactionProto.Transaction.UpdateConfig.Builder message =
        TransactionProto.Transaction.UpdateConfig.newBuilder();
    operation.config().ifPresent(update -> message.setConfigUpdates(toMessage(update)));
    operation
        .tableMetadata()
        .ifPresent(update -> message.setTableMetadataUpdates(toMessage(update)));
    operation
        .schemaMetadata()
        .ifPresent(update -> message.setSchemaMetadataUpdates(toMessage(update)));
    operation
        .fieldMetadata()
        .forEach((id, update) -> message.putFieldMetadataUpdates(id, toMessage(update)));
    return message.build();
  }

  private static TransactionProto.Transaction.UpdateMap toMessage(MapUpdate update) {
    TransactionProto.Transaction.UpdateMap.Builder message =
        TransactionProto.Transaction.UpdateMap.newBuilder().setReplace(update.replace());
    update
        .entries()
        .forEach(
            (key, value) -> {
              TransactionProto.Transaction.UpdateMapEntry.Builder entry =
                  message.addUpdateEntriesBuilder().setKey(key);
              value.ifPresent(entry::setValue);
            });
    return message.build();
  }
}
