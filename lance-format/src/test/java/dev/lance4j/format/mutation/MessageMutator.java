package dev.lance4j.format.mutation;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import dev.lance4j.format.proto.encodings21.PageLayout;
import java.util.List;
import java.util.SplittableRandom;

/** Changes one value, somewhere in a message, to one that may be absurd. */
final class MessageMutator {
  private static final long[] ABSURD = {
    0,
    1,
    -1,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Integer.MAX_VALUE,
    1L << 31,
    1L << 32,
    (1L << 32) - 1,
    1L << 40,
    1L << 61,
    1 << 24
  };
  private static final List<String> TYPES =
      List.of(
          "int32",
          "string",
          "struct",
          "list",
          "list.struct",
          "map",
          "null",
          "bool",
          "large_binary",
          "fixed_size_list:float:2147483647",
          "fixed_size_list:float:0",
          "fixed_size_list:fixed_size_list:double:2147483647:2147483647",
          "fixed_size_list:fixed_size_list:bool:65536:65536",
          "fixed_size_list:struct:2147483647",
          "fixed_size_list:list:2",
          "fixed_size_list:string:2",
          "fixed_size_list:dict:string:int8:false:3",
          "fixed_size_list:float:-1",
          "fixed_size_binary:0",
          "fixed_size_binary:-3",
          "fixed_size_binary:2147483647",
          "decimal:128:99:0",
          "decimal:64:3:-7",
          "timestamp:us:Nowhere/Land",
          "dict:string:int8:false",
          "dict:int32:uint64:true",
          "dict:list:int8:false",
          "struct:struct");

  private final SplittableRandom random;

  MessageMutator(SplittableRandom random) {
    this.random = random;
  }

  /** The message with one value changed, in it or below. */
  Message mutate(Message message) {
    Message.Builder builder = message.toBuilder();
    List<FieldDescriptor> all = message.getDescriptorForType().getFields();
    List<FieldDescriptor> set = List.copyOf(message.getAllFields().keySet());
    List<FieldDescriptor> from = set.isEmpty() || random.nextInt(6) == 0 ? all : set;
    if (from.isEmpty()) {
      return message;
    }
    FieldDescriptor field = from.get(random.nextInt(from.size()));
    if (field.isMapField()) {
      return builder.clearField(field).build();
    }
    if (field.isRepeated()) {
      mutateElement(builder, field);
    } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && random.nextInt(12) == 0) {
      builder.clearField(field);
    } else {
      builder.setField(field, mutate(field, message.getField(field)));
    }
    return builder.build();
  }

  private void mutateElement(Message.Builder builder, FieldDescriptor field) {
    int size = builder.getRepeatedFieldCount(field);
    if (size == 0) {
      if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
        builder.addRepeatedField(field, mutate(field, zero(field)));
      }
      return;
    }
    int at = random.nextInt(size);
    Object element = builder.getRepeatedField(field, at);
    switch (random.nextInt(8)) {
      case 0 -> builder.addRepeatedField(field, element);
      case 1 -> {
        Object last = builder.getRepeatedField(field, size - 1);
        List<?> shorter = List.copyOf((List<?>) builder.getField(field)).subList(0, size - 1);
        builder.setField(field, shorter);
        if (at < size - 1) {
          builder.setRepeatedField(field, at, last);
        }
      }
      default -> builder.setRepeatedField(field, at, mutate(field, element));
    }
  }

  private static Object zero(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT -> 0;
      case LONG -> 0L;
      case ENUM -> field.getEnumType().getValues().get(0);
      default -> field.getDefaultValue();
    };
  }

  private Object mutate(FieldDescriptor field, Object value) {
    return switch (field.getJavaType()) {
      case INT -> (int) number((Integer) value);
      case LONG -> number((Long) value);
      case BOOLEAN -> !((Boolean) value);
      case ENUM -> anyOf(field);
      case STRING -> TYPES.get(random.nextInt(TYPES.size()));
      case BYTE_STRING -> bytes(field, (ByteString) value);
      case MESSAGE -> mutate((Message) value);
      default -> value;
    };
  }

  private long number(long value) {
    return switch (random.nextInt(6)) {
      case 0 -> value + 1;
      case 1 -> value - 1;
      case 2 -> value ^ (1L << random.nextInt(Long.SIZE));
      case 3 -> random.nextInt(256);
      case 4 -> value * 2;
      default -> ABSURD[random.nextInt(ABSURD.length)];
    };
  }

  private EnumValueDescriptor anyOf(FieldDescriptor field) {
    int known = field.getEnumType().getValues().size();
    return field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(known + 1));
  }

  private ByteString bytes(FieldDescriptor field, ByteString value) {
    if (field.getFullName().equals("lance.file.v2.DirectEncoding.encoding")) {
      return pageEncoding(value);
    }
    byte[] bytes = value.toByteArray();
    if (bytes.length == 0 || random.nextInt(4) == 0) {
      return ByteString.copyFrom(bytes, 0, bytes.length / 2);
    }
    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    return ByteString.copyFrom(bytes);
  }

  private ByteString pageEncoding(ByteString bytes) {
    try {
      Any any = Any.parseFrom(bytes);
      Message message =
          any.getTypeUrl().endsWith("PageLayout")
              ? PageLayout.parseFrom(any.getValue())
              : ArrayEncoding.parseFrom(any.getValue());
      return any.toBuilder().setValue(mutate(message).toByteString()).build().toByteString();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }
}
