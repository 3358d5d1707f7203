package dev.lance4j.table.internal;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.proto.table.TableProto;
import dev.lance4j.format.proto.table.TransactionProto;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Transaction;
import java.io.InvalidObjectException;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;

/**
 * What Java serialisation writes in place of metadata: its message, which every version can read
 * and which is checked when it is read, as the one of a file is.
 */
public abstract class MessageBytes implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final String SOURCE = "serialised object";

  private final byte[] message;

  private MessageBytes(byte[] message) {
    this.message = message;
  }

  /** Gives what was serialised. */
  protected final Object readResolve() throws InvalidObjectException {
    try {
      if (message != null) {
        return parse(ByteString.copyFrom(message));
      }
    } catch (InvalidProtocolBufferException | LanceException e) {
      InvalidObjectException invalid = new InvalidObjectException(e.getMessage());
      invalid.initCause(e);
      throw invalid;
    }
    throw new InvalidObjectException("the object has no content");
  }

  abstract Object parse(ByteString bytes) throws InvalidProtocolBufferException;

  /** Stands for a fragment. */
  public static MessageBytes of(FragmentMetadata fragment) {
    return new OfFragment(FragmentMessages.toMessage(fragment).toByteArray());
  }

  /** Stands for a data file. */
  public static MessageBytes of(DataFile file) {
    return new OfDataFile(FragmentMessages.toMessage(file).toByteArray());
  }

  /** Stands for an index segment. */
  public static MessageBytes of(IndexMetadata index) {
    return new OfIndex(IndexMessages.toMessage(index).toByteArray());
  }

  /** Stands for a transaction. */
  public static MessageBytes of(Transaction transaction) {
    return new OfTransaction(transaction);
  }

  /** Stands for an operation. */
  public static MessageBytes of(Operation operation) {
    return new OfOperation(new Transaction(0, "", operation, "", Map.of()));
  }

  private static final class OfFragment extends MessageBytes {
    private static final long serialVersionUID = 1L;

    OfFragment(byte[] message) {
      super(message);
    }

    @Override
    Object parse(ByteString bytes) throws InvalidProtocolBufferException {
      return FragmentMessages.fromMessage(TableProto.DataFragment.parseFrom(bytes), SOURCE);
    }
  }

  private static final class OfDataFile extends MessageBytes {
    private static final long serialVersionUID = 1L;

    OfDataFile(byte[] message) {
      super(message);
    }

    @Override
    Object parse(ByteString bytes) throws InvalidProtocolBufferException {
      return FragmentMessages.fromMessage(TableProto.DataFile.parseFrom(bytes), SOURCE);
    }
  }

  private static final class OfIndex extends MessageBytes {
    private static final long serialVersionUID = 1L;

    OfIndex(byte[] message) {
      super(message);
    }

    @Override
    Object parse(ByteString bytes) throws InvalidProtocolBufferException {
      return IndexMessages.fromMessage(TableProto.IndexMetadata.parseFrom(bytes), SOURCE);
    }
  }

  private static class OfTransaction extends MessageBytes {
    private static final long serialVersionUID = 1L;

    private final HashMap<String, String> schemaMetadata;
    private final IndexMetadata fragmentReuse;

    OfTransaction(Transaction transaction) {
      super(TransactionMessages.toBytes(transaction));
      this.schemaMetadata = new HashMap<>(SchemaMetadata.of(transaction.operation()));
      this.fragmentReuse =
          transaction.operation() instanceof Operation.Rewrite rewrite
              ? rewrite.fragmentReuse().orElse(null)
              : null;
    }

    @Override
    Object parse(ByteString bytes) throws InvalidProtocolBufferException {
      return transaction(bytes);
    }

    final Transaction transaction(ByteString bytes) throws InvalidProtocolBufferException {
      Transaction transaction =
          TransactionMessages.fromMessage(TransactionProto.Transaction.parseFrom(bytes), SOURCE);
      Transaction complete =
          SchemaMetadata.put(transaction, schemaMetadata == null ? Map.of() : schemaMetadata);
      return fragmentReuse == null
          ? complete
          : TransactionMessages.withFragmentReuse(complete, fragmentReuse);
    }
  }

  private static final class OfOperation extends OfTransaction {
    private static final long serialVersionUID = 1L;

    OfOperation(Transaction transaction) {
      super(transaction);
    }

    @Override
    Object parse(ByteString bytes) throws InvalidProtocolBufferException {
      return transaction(bytes).operation();
    }
  }
}
