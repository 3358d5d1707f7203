package dev.lance4j.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.blob.BlobDescriptor;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.scan.internal.BlobLocation;
import dev.lance4j.scan.internal.column.BlobFields;
import dev.lance4j.table.FragmentMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Finds single values of a blob column, wherever they are, without reading them. */
public final class BlobTake {
  private static final String ROW_ADDRESS = "_rowaddr";
  // With size 0, the position that stands for null in files of version 2.0.
  private static final long NULL_POSITION = 1;

  private final Scan.Source source;
  private final String column;
  private final LanceField field;

  /**
   * @param column a blob column; {@code a.b} for one that is inside a struct
   * @throws InvalidInputException if there is no such column or it does not hold blobs
   */
  public BlobTake(Scan.Source source, String column) {
    this.source = source;
    this.column = column;
    this.field = blobField(source, column);
  }

  private static LanceField blobField(Scan.Source source, String column) {
    LanceField field =
        source.version().manifest().schema().project(List.of(column)).fields().get(0);
    while (!BlobFields.isBlob(field)) {
      if (field.children().size() != 1) {
        throw new InvalidInputException(
            "Column '"
                + column
                + "' is not a blob column, which is of the extension type lance.blob.v2, or of the"
                + " type large_binary with 'lance-encoding:blob' = 'true' in its metadata");
      }
      field = field.children().get(0);
    }
    return field;
  }

  /**
   * Values by the row's id, in the order asked for, repeated where they are. Ids of rows that are
   * deleted or never were are left out.
   *
   * @return a blob for each row, to be closed by the caller; null where the value is null
   */
  public List<Blob> byRowId(long[] rowIds) {
    return blobs(take().byRowId(rowIds));
  }

  /**
   * Values by the row's position among the live rows of the table; as above.
   *
   * @throws InvalidInputException if a position is not in the table
   */
  public List<Blob> byPosition(long[] positions) {
    return blobs(take().byPosition(positions));
  }

  private Take take() {
    return new Take(source, column, ROW_ADDRESS);
  }

  private List<Blob> blobs(ArrowReader rows) {
    List<Blob> blobs = new ArrayList<>();
    boolean complete = false;
    try (rows) {
      while (rows.loadNextBatch()) {
        addBlobs(rows.getVectorSchemaRoot(), blobs);
      }
      complete = true;
      return blobs;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!complete) {
        blobs.stream().filter(Objects::nonNull).forEach(Blob::close);
      }
    }
  }

  private void addBlobs(VectorSchemaRoot batch, List<Blob> blobs) {
    UInt8Vector rowAddresses = (UInt8Vector) batch.getVector(1);
    List<StructVector> path = path(batch.getVector(0));
    StructVector descriptors = path.get(path.size() - 1);
    boolean second = BlobV2Fields.isBlob(field);
    for (int row = 0; row < batch.getRowCount(); row++) {
      if (isNull(path, row)) {
        blobs.add(null);
      } else if (second) {
        blobs.add(secondKind(descriptors, row, fragment(rowAddresses.get(row))));
      } else {
        blobs.add(firstKind(descriptors, row, fragment(rowAddresses.get(row))));
      }
    }
  }

  /** The structs from the top-level column down to the descriptors. */
  private static List<StructVector> path(FieldVector top) {
    List<StructVector> path = new ArrayList<>();
    path.add((StructVector) top);
    StructVector last = (StructVector) top;
    while (last.getChildByOrdinal(0) instanceof StructVector child) {
      path.add(child);
      last = child;
    }
    return path;
  }

  private static boolean isNull(List<StructVector> path, int row) {
    for (StructVector struct : path) {
      if (struct.isNull(row)) {
        return true;
      }
    }
    return false;
  }

  private FragmentMetadata fragment(long rowAddress) {
    long fragmentId = RowAddress.fragmentId(rowAddress);
    return source.version().manifest().fragment(fragmentId).orElseThrow();
  }

  private Blob firstKind(StructVector descriptors, int row, FragmentMetadata fragment) {
    long position = ((UInt8Vector) descriptors.getChildByOrdinal(0)).get(row);
    long size = ((UInt8Vector) descriptors.getChildByOrdinal(1)).get(row);
    return size == 0 && position == NULL_POSITION
        ? null
        : new Blob(BlobLocation.inline(source, fragment, field, position, size));
  }

  private Blob secondKind(StructVector descriptors, int row, FragmentMetadata fragment) {
    byte[] uri = ((VarCharVector) descriptors.getChildByOrdinal(BlobV2Fields.BLOB_URI)).get(row);
    BlobDescriptor descriptor =
        new BlobDescriptor(
            Byte.toUnsignedInt(
                ((UInt1Vector) descriptors.getChildByOrdinal(BlobV2Fields.KIND)).get(row)),
            ((UInt8Vector) descriptors.getChildByOrdinal(BlobV2Fields.POSITION)).get(row),
            ((UInt8Vector) descriptors.getChildByOrdinal(BlobV2Fields.SIZE)).get(row),
            ((UInt4Vector) descriptors.getChildByOrdinal(BlobV2Fields.BLOB_ID)).get(row),
            new String(uri, UTF_8));
    return new Blob(BlobLocation.of(source, fragment, field, descriptor));
  }
}
