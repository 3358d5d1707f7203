package dev.lance4j.table;

import com.google.protobuf.ByteString;
import java.util.Locale;

/**
 * What a kind of index records about a segment, kept as it was written.
 *
 * @param typeUrl names the message; its prefix varies between writers
 * @param value the message's bytes
 */
public record IndexDetails(String typeUrl, ByteString value) {
  /** The name of the message without package and prefix, such as {@code BTreeIndexDetails}. */
  public String typeName() {
    int end = Math.max(typeUrl.lastIndexOf('.'), typeUrl.lastIndexOf('/'));
    return typeUrl.substring(end + 1);
  }

  /** Whether the message is of this name, in any package and any case. */
  public boolean is(String name) {
    return typeName().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT));
  }
}
