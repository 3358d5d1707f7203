package dev.lance4j.format.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.List;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * The columns by which sizes and times are compared with those of the real library. A value is a
 * function of its row, so what a read must give is known without keeping it.
 */
public enum SampleColumn {
  /** Ascending integers. */
  SEQUENTIAL,
  /** Integers of 40 random bits. */
  RANDOM,
  /** One of twenty integers, small ones more often. */
  LOW_CARDINALITY,
  /** Microseconds that ascend by about a second. */
  TIMESTAMP,
  /** True for one row in four. */
  BOOLEAN,
  /** Random UUIDs in their usual form of 36 characters. */
  UUID_TEXT,
  /** Sentences of five to twenty words, common ones more often. */
  ENGLISH,
  /** Addresses with a host, a path and a number. */
  URL,
  /** Objects of the same five keys. */
  JSON_TEXT,
  /** Integers, all but one in twenty null. */
  SPARSE,
  /** Vectors of {@link #DIMENSION} random floats. */
  EMBEDDING;

  /** The length of an embedding. */
  public static final int DIMENSION = 32;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long FIRST_MICROS = 1_700_000_000_000_000L;
  private static final long MICROS_PER_SECOND = 1_000_000;

  private static final String[] WORDS =
      ("the of and a to in is it that was for on are as with his they at be this from have or by"
              + " one had not but what all were when we there can an your which their said if do"
              + " will each about how up out them then she many some so these would other into has"
              + " more her two like him see time could no make than first been its who now people"
              + " my made over did down only way find use may water long little very after words"
              + " called just where most know get through back much before go good new write our"
              + " used me man too any day same right look think also around another came come work"
              + " three word must because does part even place well such here take why things help"
              + " put years different away again off went old number great tell men say small every"
              + " found still between name should home big give air line set own under read last"
              + " never us left end along while might next sound below saw something thought both")
          .split(" ");
  private static final String[] HOSTS = {
    "www.example.com", "shop.example.org", "news.example.net", "docs.example.io", "example.com"
  };
  private static final String[] SECTIONS = {
    "articles", "products", "users", "search", "images", "category", "archive", "help"
  };

  /** The column's field, named as this is. */
  public Field field() {
    List<Field> children =
        this == EMBEDDING
            ? List.of(
                Field.nullable("item", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)))
            : List.of();
    return new Field(name(), FieldType.nullable(type()), children);
  }

  private ArrowType type() {
    return switch (this) {
      case SEQUENTIAL, RANDOM, LOW_CARDINALITY, SPARSE -> new ArrowType.Int(64, true);
      case TIMESTAMP -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
      case BOOLEAN -> ArrowType.Bool.INSTANCE;
      case UUID_TEXT, ENGLISH, URL, JSON_TEXT -> ArrowType.Utf8.INSTANCE;
      case EMBEDDING -> new ArrowType.FixedSizeList(DIMENSION);
    };
  }

  /** Makes the values of some rows, which are the caller's to close. */
  public FieldVector vector(long first, int rows, BufferAllocator allocator) {
    FieldVector vector = field().createVector(allocator);
    vector.setInitialCapacity(rows);
    vector.allocateNew();
    for (int i = 0; i < rows; i++) {
      set(vector, i, first + i);
    }
    vector.setValueCount(rows);
    return vector;
  }

  private void set(FieldVector vector, int i, long row) {
    long random = mix(mix(row) + name().hashCode());
    if (vector instanceof VarCharVector texts) {
      texts.setSafe(i, text(row, random).getBytes(US_ASCII));
    } else if (vector instanceof BitVector bits) {
      bits.set(i, (random & 3) == 0 ? 1 : 0);
    } else if (vector instanceof TimeStampMicroVector times) {
      times.set(
          i,
          FIRST_MICROS
              + row * MICROS_PER_SECOND
              + Long.remainderUnsigned(random, MICROS_PER_SECOND));
    } else if (vector instanceof FixedSizeListVector lists) {
      Float4Vector floats = (Float4Vector) lists.getDataVector();
      lists.setNotNull(i);
      for (int d = 0; d < DIMENSION; d++) {
        floats.setSafe(i * DIMENSION + d, (int) mix(random + d) * 0x1p-31f);
      }
    } else if (this != SPARSE || Long.remainderUnsigned(random, 20) == 0) {
      ((BigIntVector) vector).set(i, number(row, random));
    }
  }

  private long number(long row, long random) {
    return switch (this) {
      case SEQUENTIAL -> row;
      case LOW_CARDINALITY -> Long.numberOfTrailingZeros(random | 1L << 19) * 1_000_003L;
      default -> random >>> 24;
    };
  }

  private String text(long row, long random) {
    return switch (this) {
      case UUID_TEXT -> new UUID(random, mix(random)).toString();
      case ENGLISH -> sentence(random);
      case URL -> url(random);
      default -> json(row, random);
    };
  }

  private static String sentence(long random) {
    int count = 5 + (int) (random & 15);
    StringBuilder text = new StringBuilder();
    long state = random;
    for (int i = 0; i < count; i++) {
      state = mix(state);
      text.append(i == 0 ? "" : " ").append(word(state));
    }
    return text.append('.').toString();
  }

  /** A word; the chance of one falls with its rank. */
  private static String word(long random) {
    double uniform = (random >>> 11) * 0x1p-53;
    return WORDS[(int) (uniform * uniform * WORDS.length)];
  }

  private static String url(long random) {
    return "https://"
        + HOSTS[(int) (random & 0xFF) % HOSTS.length]
        + '/'
        + SECTIONS[(int) (random >>> 8) & 7]
        + '/'
        + word(mix(random))
        + '-'
        + word(mix(random + 1))
        + "?id="
        + (random >>> 40);
  }

  private static String json(long row, long random) {
    return "{\"id\":"
        + row
        + ",\"name\":\""
        + word(mix(random))
        + ' '
        + word(mix(random + 1))
        + "\",\"price\":"
        + (random >>> 50)
        + '.'
        + (random & 63)
        + ",\"active\":"
        + ((random & 64) == 0)
        + ",\"tags\":[\""
        + word(mix(random + 2))
        + "\",\""
        + word(mix(random + 3))
        + "\"]}";
  }

  private static long mix(long value) {
    long z = value * GOLDEN + GOLDEN;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
