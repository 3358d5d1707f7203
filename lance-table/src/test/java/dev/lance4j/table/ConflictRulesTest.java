package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.table.Operation.Kind;
import dev.lance4j.table.internal.Basis;
import dev.lance4j.table.internal.ConflictRules;
import dev.lance4j.table.internal.ConflictRules.Verdict;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.roaringbitmap.RoaringBitmap;

class ConflictRulesTest {
  private static final Kind[] COLUMNS = {
    Kind.APPEND,
    Kind.DELETE,
    Kind.OVERWRITE,
    Kind.CREATE_INDEX,
    Kind.REWRITE,
    Kind.MERGE,
    Kind.RESTORE,
    Kind.RESERVE_FRAGMENTS,
    Kind.UPDATE,
    Kind.PROJECT,
    Kind.UPDATE_CONFIG,
    Kind.DATA_REPLACEMENT,
    Kind.UPDATE_MEM_WAL_STATE,
    Kind.CLONE,
    Kind.UPDATE_BASES
  };

  /**
   * The matrix of the specification for operations that have nothing in common: other fragments,
   * other fields, other keys. o compatible, R retryable, X incompatible.
   */
  private static final Map<Kind, String> APART =
      Map.ofEntries(
          //              App Del Ovw CIx Rew Mrg Rst Rsv Upd Prj Cfg DRp MWS Cln UBs
          Map.entry(Kind.APPEND, "o o X o o o X o o o o o X o o"),
          Map.entry(Kind.DELETE, "o o X o o R X o o o o o X o o"),
          Map.entry(Kind.UPDATE, "o o X o o R X o o o o o X o o"),
          Map.entry(Kind.OVERWRITE, "o o R o o o o o o o o o X o o"),
          Map.entry(Kind.CREATE_INDEX, "o o X o o o X o o o o o X o o"),
          Map.entry(Kind.REWRITE, "o o X o o R X o o o o o o o o"),
          Map.entry(Kind.MERGE, "R R X o R R X o R X o R X o o"),
          Map.entry(Kind.RESTORE, "o o o o o o o o o o o o X o o"),
          Map.entry(Kind.RESERVE_FRAGMENTS, "o o X o o o X o o o o o o o o"),
          Map.entry(Kind.PROJECT, "o o X o o R X o o R o o X o o"),
          Map.entry(Kind.UPDATE_CONFIG, "o o o o o o o o o o o o o o o"),
          Map.entry(Kind.DATA_REPLACEMENT, "o o X o o R X o o o o o X o o"),
          Map.entry(Kind.UPDATE_BASES, "o o o o o o o o o o o o o o o"));

  /** Fragments, fields and keys numbered by side, so that the sides have nothing in common. */
  private static Map<Kind, Operation> operations(int side) {
    FragmentMetadata fragment = Tables.fragment(side + ".lance", 10).withId(side);
    List<FragmentMetadata> fragments = List.of(fragment);
    Map<Kind, Operation> all = new EnumMap<>(Kind.class);
    for (Operation operation :
        List.of(
            new Operation.Append(List.of(Tables.fragment("new.lance", 1))),
            new Operation.Delete(fragments, List.of(), ""),
            new Operation.Overwrite(List.of(), Tables.SCHEMA, Map.of("k" + side, "v"), List.of()),
            new Operation.CreateIndex(List.of(index("i" + side, side, side)), List.of()),
            new Operation.Rewrite(
                List.of(new Operation.RewriteGroup(fragments, List.of())), List.of()),
            new Operation.Merge(fragments, Tables.SCHEMA),
            new Operation.Restore(1),
            new Operation.ReserveFragments(1),
            new Operation.Update(
                List.of(),
                fragments,
                List.of(),
                List.of(side),
                List.of(),
                List.of(side),
                Operation.UpdateMode.REWRITE_COLUMNS,
                Optional.empty()),
            new Operation.Project(Tables.SCHEMA),
            Operation.UpdateConfig.ofConfig(MapUpdate.set(Map.of("c" + side, "v"))),
            new Operation.DataReplacement(
                List.of(
                    new Operation.Replacement(
                        side, fragment.files().get(0).withFieldIds(List.of(side))))),
            new Operation.UpdateMemWalState(List.of()),
            new Operation.Clone(true, Optional.empty(), 1, "/p", Optional.empty()),
            new Operation.UpdateBases(
                List.of(new BasePath(0, Optional.of("n" + side), true, "/" + side))))) {
      all.put(operation.kind(), operation);
    }
    return all;
  }

  private static IndexMetadata index(String name, int field, int fragment) {
    return new IndexMetadata(
            UUID.randomUUID(),
            List.of(field),
            name,
            1,
            ByteString.EMPTY,
            Optional.empty(),
            OptionalInt.empty(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            List.of(),
            UnknownFieldSet.getDefaultInstance())
        .withFragments(RoaringBitmap.bitmapOf(fragment));
  }

  private static Verdict verdict(Operation current, Operation committed) {
    return ConflictRules.verdict(current, committed, basis(Optional.empty()));
  }

  private static Basis basis(Optional<RowAddressSet> affectedRows) {
    List<FragmentMetadata> fragments =
        List.of(Tables.fragment("0.lance", 10).withId(0), Tables.fragment("1.lance", 10).withId(1));
    Manifest read = Manifest.builder(1, Tables.SCHEMA).fragments(fragments).build();
    return new Basis(read, affectedRows);
  }

  /** What changes in the matrix when the affected rows of the operation are known. */
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"DELETE", "UPDATE"})
  void theRowsDecideAboutTheSameFragmentUnlessItsFilesChangedOrItIsGone(Kind kind) {
    Operation current = operations(0).get(kind);
    Basis known = basis(Optional.of(RowAddressSet.of(1)));
    FragmentMetadata fragment = Tables.fragment("0.lance", 10).withId(0);
    FragmentMetadata rewritten = Tables.fragment("other.lance", 10).withId(0);

    for (Operation committed :
        List.of(
            new Operation.Delete(List.of(fragment), List.of(), ""),
            Operation.Update.ofRows(List.of(), List.of(fragment), List.of(), List.of()))) {
      assertThat(ConflictRules.verdict(current, committed, known)).isEqualTo(Verdict.COMPATIBLE);
    }
    for (Operation committed :
        List.of(
            new Operation.Delete(List.of(), List.of(0L), ""),
            Operation.Update.ofRows(List.of(0L), List.of(), List.of(), List.of()),
            Operation.Update.ofRows(List.of(), List.of(rewritten), List.of(), List.of()),
            operations(0).get(Kind.REWRITE),
            operations(0).get(Kind.DATA_REPLACEMENT),
            operations(0).get(Kind.MERGE))) {
      assertThat(ConflictRules.verdict(current, committed, known)).isEqualTo(Verdict.RETRYABLE);
    }
  }

  private static Verdict of(String letter) {
    return switch (letter) {
      case "o" -> Verdict.COMPATIBLE;
      case "R" -> Verdict.RETRYABLE;
      default -> Verdict.INCOMPATIBLE;
    };
  }

  static Stream<Arguments> pairsApart() {
    return APART.entrySet().stream()
        .flatMap(
            row -> {
              String[] cells = row.getValue().split(" ", -1);
              return Stream.iterate(0, i -> i < COLUMNS.length, i -> i + 1)
                  .map(i -> Arguments.of(row.getKey(), COLUMNS[i], of(cells[i])));
            });
  }

  @ParameterizedTest
  @MethodSource("pairsApart")
  void operationsWithNothingInCommon(Kind current, Kind committed, Verdict expected) {
    assertThat(verdict(operations(0).get(current), operations(1).get(committed)))
        .isEqualTo(expected);
  }

  /** What changes in the matrix when both sides touch the same fragment, field, name and key. */
  static Stream<Arguments> pairsTogether() {
    return Stream.of(
        Arguments.of(Kind.DELETE, Kind.DELETE, Verdict.RETRYABLE),
        Arguments.of(Kind.DELETE, Kind.UPDATE, Verdict.RETRYABLE),
        Arguments.of(Kind.DELETE, Kind.REWRITE, Verdict.RETRYABLE),
        Arguments.of(Kind.DELETE, Kind.DATA_REPLACEMENT, Verdict.RETRYABLE),
        Arguments.of(Kind.UPDATE, Kind.DELETE, Verdict.RETRYABLE),
        Arguments.of(Kind.UPDATE, Kind.UPDATE, Verdict.RETRYABLE),
        Arguments.of(Kind.UPDATE, Kind.REWRITE, Verdict.RETRYABLE),
        Arguments.of(Kind.UPDATE, Kind.DATA_REPLACEMENT, Verdict.RETRYABLE),
        Arguments.of(Kind.OVERWRITE, Kind.OVERWRITE, Verdict.INCOMPATIBLE),
        Arguments.of(Kind.CREATE_INDEX, Kind.CREATE_INDEX, Verdict.RETRYABLE),
        Arguments.of(Kind.CREATE_INDEX, Kind.REWRITE, Verdict.RETRYABLE),
        Arguments.of(Kind.CREATE_INDEX, Kind.UPDATE, Verdict.RETRYABLE),
        Arguments.of(Kind.CREATE_INDEX, Kind.DATA_REPLACEMENT, Verdict.RETRYABLE),
        Arguments.of(Kind.REWRITE, Kind.DELETE, Verdict.RETRYABLE),
        Arguments.of(Kind.REWRITE, Kind.UPDATE, Verdict.RETRYABLE),
        Arguments.of(Kind.REWRITE, Kind.REWRITE, Verdict.RETRYABLE),
        Arguments.of(Kind.REWRITE, Kind.CREATE_INDEX, Verdict.RETRYABLE),
        Arguments.of(Kind.REWRITE, Kind.DATA_REPLACEMENT, Verdict.RETRYABLE),
        Arguments.of(Kind.UPDATE_CONFIG, Kind.UPDATE_CONFIG, Verdict.INCOMPATIBLE),
        Arguments.of(Kind.DATA_REPLACEMENT, Kind.CREATE_INDEX, Verdict.RETRYABLE),
        Arguments.of(Kind.DATA_REPLACEMENT, Kind.REWRITE, Verdict.RETRYABLE),
        Arguments.of(Kind.DATA_REPLACEMENT, Kind.UPDATE, Verdict.RETRYABLE),
        Arguments.of(Kind.DATA_REPLACEMENT, Kind.DATA_REPLACEMENT, Verdict.RETRYABLE),
        Arguments.of(Kind.UPDATE_BASES, Kind.UPDATE_BASES, Verdict.INCOMPATIBLE));
  }

  @ParameterizedTest
  @MethodSource("pairsTogether")
  void operationsOnTheSame(Kind current, Kind committed, Verdict expected) {
    assertThat(verdict(operations(0).get(current), operations(0).get(committed)))
        .isEqualTo(expected);
  }

  private static LanceSchema schema(int idOfX, boolean nullable) {
    Field id = Field.nullable("id", new ArrowType.Int(64, true));
    Field x =
        nullable
            ? Field.nullable("x", new ArrowType.Int(32, true))
            : Field.notNullable("x", new ArrowType.Int(32, true));
    LanceSchema fresh = LanceSchema.fromArrow(new Schema(List.of(id, x)));
    return new LanceSchema(
        List.of(fresh.fields().get(0), fresh.fields().get(1).withId(idOfX)), Map.of());
  }

  @Test
  void aCastOrANewRequirementInvalidatesFilesThatWereWrittenBefore() {
    Operation append = operations(0).get(Kind.APPEND);
    LanceSchema dropped = new LanceSchema(List.of(Tables.SCHEMA.fields().get(0)), Map.of());

    assertThat(verdict(append, new Operation.Merge(List.of(), schema(2, true))))
        .isEqualTo(Verdict.RETRYABLE);
    assertThat(verdict(append, new Operation.Project(schema(1, false))))
        .isEqualTo(Verdict.RETRYABLE);
    assertThat(verdict(append, new Operation.Project(dropped))).isEqualTo(Verdict.COMPATIBLE);
    assertThat(verdict(new Operation.Project(schema(1, false)), append))
        .isEqualTo(Verdict.RETRYABLE);
  }

  @Test
  void anIndexOnAColumnThatIsGoneIsNotCommitted() {
    LanceSchema dropped = new LanceSchema(List.of(Tables.SCHEMA.fields().get(0)), Map.of());

    assertThat(
            verdict(
                new Operation.CreateIndex(List.of(index("i", 1, 0)), List.of()),
                new Operation.Project(dropped)))
        .isEqualTo(Verdict.RETRYABLE);
  }

  @Test
  void keysThatMayHaveBeenInsertedTwiceConflict() {
    Operation.Update merge = merge(new KeyFilter.Exact(List.of(1L, 2L)));

    assertThat(verdict(merge, operations(1).get(Kind.APPEND))).isEqualTo(Verdict.RETRYABLE);
    assertThat(verdict(merge, operations(1).get(Kind.UPDATE))).isEqualTo(Verdict.RETRYABLE);
    assertThat(verdict(merge, merge(new KeyFilter.Exact(List.of(2L)))))
        .isEqualTo(Verdict.RETRYABLE);
    assertThat(verdict(merge, merge(new KeyFilter.Exact(List.of(3L)))))
        .isEqualTo(Verdict.COMPATIBLE);
    assertThat(verdict(merge, merge(bloom(4)))).isEqualTo(Verdict.RETRYABLE);
    assertThat(verdict(merge(bloom(1)), merge(bloom(3)))).isEqualTo(Verdict.RETRYABLE);
    assertThat(verdict(merge(bloom(1)), merge(bloom(2)))).isEqualTo(Verdict.COMPATIBLE);
    assertThat(verdict(operations(1).get(Kind.APPEND), merge)).isEqualTo(Verdict.COMPATIBLE);
  }

  private static KeyFilter.Bloom bloom(int bits) {
    return new KeyFilter.Bloom(ByteString.copyFrom(new byte[] {(byte) bits}), 8, 1, 0.1);
  }

  private static Operation.Update merge(KeyFilter.Keys keys) {
    return new Operation.Update(
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Operation.UpdateMode.REWRITE_ROWS,
        Optional.of(new KeyFilter(List.of(0), keys)));
  }
}
