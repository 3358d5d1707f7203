package dev.lance4j.table.internal;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.proto.table.TableProto;
import dev.lance4j.table.FragmentMetadata;
import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.io.Serializable;

/** What Java serialisation writes for a fragment: its message, which every version can read. */
public final class FragmentBytes implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[] message;

  public FragmentBytes(FragmentMetadata fragment) {
    this.message = FragmentMessages.toMessage(fragment).toByteArray();
  }

  private Object readResolve() throws ObjectStreamException {
    try {
      return FragmentMessages.fromMessage(
          TableProto.DataFragment.parseFrom(message), "serialised fragment");
    } catch (InvalidProtocolBufferException e) {
      InvalidObjectException invalid = new InvalidObjectException("not a fragment");
      invalid.initCause(e);
      throw invalid;
    }
  }
}
