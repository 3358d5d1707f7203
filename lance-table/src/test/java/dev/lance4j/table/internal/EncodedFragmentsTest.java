package dev.lance4j.table.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.proto.table.TableProto;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class EncodedFragmentsTest {
  private static FragmentMetadata fragment(long id, String file) {
    DataFile data = DataFile.of(file, List.of(0, 1), List.of(0, 1), FileVersion.V2_1, 1000 + id);
    return FragmentMetadata.of(List.of(data), 10 + id).withId(id);
  }

  private static TableProto.Manifest.Builder message(List<FragmentMetadata> fragments) {
    return TableProto.Manifest.newBuilder()
        .setVersion(7)
        .setTransactionFile("t")
        .addAllFragments(FragmentMessages.toMessages(fragments));
  }

  private static EncodedFragments encoded(List<FragmentMetadata> fragments) {
    return EncodedFragments.of(
        fragments, ByteBuffer.wrap(message(fragments).build().toByteArray()));
  }

  private static ByteString joined(List<ByteBuffer> parts) {
    return parts.stream().map(ByteString::copyFrom).reduce(ByteString.EMPTY, ByteString::concat);
  }

  private static ByteString expected(List<FragmentMetadata> fragments) {
    return TableProto.Manifest.newBuilder()
        .addAllFragments(FragmentMessages.toMessages(fragments))
        .build()
        .toByteString();
  }

  @Property
  void theBytesAreThoseOfAMessageMadeAnew(@ForAll @IntRange(max = 40) int size, @ForAll long seed) {
    Random random = new Random(seed);
    List<FragmentMetadata> before = new ArrayList<>();
    List<FragmentMetadata> after = new ArrayList<>();
    for (int id = 0; id < size; id++) {
      FragmentMetadata old = fragment(id, id + ".lance");
      int fate = random.nextInt(6);
      if (fate != 0) {
        before.add(old);
      }
      if (fate != 1) {
        after.add(fate == 2 ? fragment(id, "new.lance") : old);
      }
    }

    assertThat(joined(encoded(before).encode(after))).isEqualTo(expected(after));
  }

  @Test
  void fragmentsInAnyOrderAreRight() {
    List<FragmentMetadata> before =
        List.of(fragment(5, "5"), fragment(1, "1"), fragment(3, "3"), fragment(3, "again"));
    List<FragmentMetadata> after = List.of(before.get(1), before.get(3), before.get(0));

    assertThat(joined(encoded(before).encode(after))).isEqualTo(expected(after));
    assertThat(joined(encoded(after).encode(before))).isEqualTo(expected(before));
  }

  @Test
  void whatIsTheSameIsCopiedAtOnce() {
    List<FragmentMetadata> before = new ArrayList<>();
    for (int id = 0; id < 100; id++) {
      before.add(fragment(id, id + ".lance"));
    }
    List<FragmentMetadata> after = new ArrayList<>(before);
    after.add(fragment(100, "new.lance"));
    after.set(40, fragment(40, "changed.lance"));

    assertThat(encoded(before).encode(after)).hasSize(4);
  }

  @Test
  void fieldsBetweenFragmentsAreNotCopied() throws IOException {
    List<FragmentMetadata> fragments = List.of(fragment(0, "a"), fragment(1, "b"));
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    message(fragments.subList(0, 1)).build().writeTo(out);
    message(fragments.subList(1, 2)).build().writeTo(out);
    out.flush();

    EncodedFragments encoded =
        EncodedFragments.of(fragments, bytes.toByteString().asReadOnlyByteBuffer());

    assertThat(joined(encoded.encode(fragments))).isEqualTo(expected(fragments));
  }
}
