package dev.lance4j.scan.expr;

import static dev.lance4j.scan.expr.SubstraitMessages.I32;
import static dev.lance4j.scan.expr.SubstraitMessages.field;
import static dev.lance4j.scan.expr.SubstraitMessages.i32;
import static dev.lance4j.scan.expr.SubstraitMessages.i64;
import static dev.lance4j.scan.expr.SubstraitMessages.literal;
import static dev.lance4j.scan.expr.SubstraitMessages.string;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.substrait.SubstraitFilters;
import io.substrait.proto.Expression;
import io.substrait.proto.Expression.Literal;
import io.substrait.proto.ExtendedExpression;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Filters that come as Substrait choose the rows that the same filters in text choose. */
class SubstraitFiltersTest {
  private static final Schema TWO_COLUMNS =
      new Schema(
          List.of(
              Field.nullable("id", new ArrowType.Int(32, true)),
              Field.nullable("s", ArrowType.Utf8.INSTANCE)));

  private static FilterTable table;

  private final SubstraitMessages messages = new SubstraitMessages();

  @BeforeAll
  static void openTable() throws Exception {
    table = FilterTable.open();
  }

  @AfterAll
  static void closeTable() throws Exception {
    table.close();
  }

  @Test
  void theExampleOfTheSpecificationIsRead() {
    byte[] bytes =
        HexFormat.of()
            .parseHex(
                "0a1e0801121a2f66756e6374696f6e735f636f6d70617269736f6e2e79616d6c120a1a0808011001"
                    + "1a0267741a260a1e1a1c08011a040a021001220a1a0812060a021200220022061a040a022805"
                    + "1a046f75743022170a0269640a0173120e0a042a0210010a04620210011802");
    var filter = SubstraitFilters.parse(ByteBuffer.wrap(bytes), TWO_COLUMNS);
    assertThat(filter)
        .isEqualTo(
            Expressions.binary(
                BinaryOperator.GREATER,
                Expressions.column("id"),
                Expressions.call("arrow_cast", 5L, "Int32")));
  }

  @Test
  void functionsChooseWhatTheirTextChooses() {
    Expression i8 = column("i8");
    Expression b = column("b");
    Expression s = column("s");
    Map<String, Expression> filters =
        Map.ofEntries(
            Map.entry("i8 = 7", messages.call("equal:any_any", i8, i64(7))),
            Map.entry("i8 != 7", messages.call("not_equal", i8, i32(7))),
            Map.entry("i8 < 7", messages.call("lt", i8, i32(7))),
            Map.entry("i8 >= 7", messages.call("gte", i8, i32(7))),
            Map.entry(
                "i8 > 1 AND i8 < 100 AND b",
                messages.call(
                    "and", messages.call("gt", i8, i32(1)), messages.call("lt", i8, i32(100)), b)),
            Map.entry("b OR i8 IS NULL", messages.call("or", b, messages.call("is_null", i8))),
            Map.entry("NOT b", messages.call("not", b)),
            Map.entry("b IS NOT TRUE", messages.call("is_not_true", b)),
            Map.entry(
                "i8 + 1 = 8", messages.call("equal", messages.call("add", i8, i32(1)), i32(8))),
            Map.entry("s LIKE '%a%'", messages.call("like", s, string("%a%"))),
            Map.entry("i8 BETWEEN 1 AND 9", messages.call("between", i8, i32(1), i32(9))),
            Map.entry(
                "lower(s) = 'a'",
                messages.call("equal", messages.call("lower:str", s), string("a"))),
            Map.entry("st.x = 1", messages.call("equal", field(index("st"), 0), i32(1))),
            Map.entry("st.inner.z > 0", messages.call("gt", field(index("st"), 2, 0), i32(0))));
    filters.forEach(
        (text, filter) -> assertThat(select(filter)).as(text).isEqualTo(table.select(text)));
  }

  @Test
  void literalsHaveTheirOwnTypes() {
    Map<String, Expression> filters =
        Map.ofEntries(
            Map.entry("b = true", equal("b", Literal.newBuilder().setBoolean(true))),
            Map.entry("i8 = 7", equal("i8", Literal.newBuilder().setI8(7))),
            Map.entry("i16 = 7", equal("i16", Literal.newBuilder().setI16(7))),
            Map.entry("f32 = 1.5", equal("f32", Literal.newBuilder().setFp32(1.5f))),
            Map.entry("f64 = 1.5", equal("f64", Literal.newBuilder().setFp64(1.5))),
            Map.entry(
                "d32 >= date '1970-01-02'", compare("gte", "d32", Literal.newBuilder().setDate(1))),
            Map.entry(
                "ts_us >= timestamp '1970-01-01 00:00:01'",
                compare(
                    "gte",
                    "ts_us",
                    Literal.newBuilder()
                        .setPrecisionTimestamp(
                            Literal.PrecisionTimestamp.newBuilder()
                                .setPrecision(3)
                                .setValue(1000)))),
            Map.entry(
                "tz_us >= timestamp '1970-01-01 00:00:01'",
                compare(
                    "gte",
                    "tz_us",
                    Literal.newBuilder()
                        .setPrecisionTimestampTz(
                            Literal.PrecisionTimestamp.newBuilder()
                                .setPrecision(6)
                                .setValue(1_000_000)))),
            Map.entry(
                "dec >= decimal(10,2) '1.50'",
                compare("gte", "dec", Literal.newBuilder().setDecimal(decimal("150", 10, 2)))));
    filters.forEach(
        (text, filter) -> {
          assertThat(table.select(text)).as(text).isNotEmpty();
          assertThat(select(filter)).as(text).isEqualTo(table.select(text));
        });
    // A number beyond the column's type is an ordinary number here, not an error as in text.
    assertThat(select(equal("i8", Literal.newBuilder().setI32(1000)))).isEmpty();
  }

  @Test
  void choicesListsAndCastsAreRead() {
    Expression list =
        Expression.newBuilder()
            .setSingularOrList(
                Expression.SingularOrList.newBuilder()
                    .setValue(column("i8"))
                    .addOptions(i32(7))
                    .addOptions(i32(127)))
            .build();
    assertThat(select(list)).isEqualTo(table.select("i8 IN (7, 127)"));
    Expression choice =
        Expression.newBuilder()
            .setIfThen(
                Expression.IfThen.newBuilder()
                    .addIfs(
                        Expression.IfThen.IfClause.newBuilder()
                            .setIf(messages.call("gt", column("i8"), i32(0)))
                            .setThen(column("b"))))
            .build();
    assertThat(select(choice)).isEqualTo(table.select("i8 > 0 AND b"));
    Expression.Cast.Builder cast =
        Expression.Cast.newBuilder().setInput(column("i64")).setType(I32);
    assertThat(select(messages.call("equal", wrap(cast), i32(1))))
        .isEqualTo(table.select("i64 = 1"));
    cast.setInput(column("s"))
        .setFailureBehavior(Expression.Cast.FailureBehavior.FAILURE_BEHAVIOR_RETURN_NULL);
    assertThat(select(messages.call("is_not_null", wrap(cast))))
        .isEqualTo(table.select("TRY_CAST(s AS int) IS NOT NULL"));
  }

  @Test
  void deepTreesWorkUpToTheLimitOfAllExpressions() {
    Expression deep = column("b");
    for (int i = 0; i < 200; i++) {
      deep = messages.call("not", deep);
    }
    assertThat(select(deep)).isEqualTo(table.select("b"));
    for (int i = 0; i < 400; i++) {
      deep = messages.call("not", deep);
    }
    ByteBuffer tooDeep = messages.bytes(table.schema(), deep);
    assertThatThrownBy(() -> SubstraitFilters.parse(tooDeep, table.schema()))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void whatIsNoFilterOnTheTableIsRefused() {
    Expression filter = messages.call("gt", field(0), i32(5));
    refused(messages.message(TWO_COLUMNS), "has 0");
    refused(messages.message(TWO_COLUMNS, filter, filter), "has 2");
    refused(
        messages.message(new Schema(TWO_COLUMNS.getFields().subList(0, 1)), filter), "1 columns");
    refused(messages.message(TWO_COLUMNS, field(2)), "field 2");
    refused(messages.message(TWO_COLUMNS, field(-1)), "field -1");
    refused(messages.message(TWO_COLUMNS, field(0, 0)), "field 0 of a row or struct that has 0");
    refused(messages.message(TWO_COLUMNS, Expression.getDefaultInstance()), "kind REXTYPE_NOT_SET");
    refused(new SubstraitMessages().message(TWO_COLUMNS, filter), "which it does not declare");
    refused(messages.message(TWO_COLUMNS, messages.call("gt", field(0))), "gt with 1 arguments");
    ExtendedExpression.Builder nameless = messages.message(TWO_COLUMNS, filter);
    nameless.getBaseSchemaBuilder().clearNames();
    refused(nameless, "more fields than its 0 names");
    assertThatThrownBy(
            () -> SubstraitFilters.parse(ByteBuffer.wrap(new byte[] {1, 2, 3}), TWO_COLUMNS))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("not an ExtendedExpression");
    assertThatThrownBy(() -> select(messages.call("no_such_function", field(0))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("no_such_function");
    assertThatThrownBy(() -> select(i32(1)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("not a condition");
  }

  private static void refused(ExtendedExpression.Builder message, String reason) {
    assertThatThrownBy(
            () ->
                SubstraitFilters.parse(
                    message.build().toByteString().asReadOnlyByteBuffer(), TWO_COLUMNS))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(reason);
  }

  private Expression equal(String column, Literal.Builder literal) {
    return compare("equal", column, literal);
  }

  private Expression compare(String function, String column, Literal.Builder literal) {
    return messages.call(function, column(column), literal(literal));
  }

  private static Expression wrap(Expression.Cast.Builder cast) {
    return Expression.newBuilder().setCast(cast).build();
  }

  private static Literal.Decimal decimal(String unscaled, int precision, int scale) {
    byte[] bytes = new byte[16];
    byte[] bigEndian = new BigInteger(unscaled).toByteArray();
    for (int i = 0; i < bigEndian.length; i++) {
      bytes[i] = bigEndian[bigEndian.length - 1 - i];
    }
    return Literal.Decimal.newBuilder()
        .setValue(ByteString.copyFrom(bytes))
        .setPrecision(precision)
        .setScale(scale)
        .build();
  }

  private static int index(String column) {
    return table.schema().getFields().indexOf(table.schema().findField(column));
  }

  private static Expression column(String name) {
    return field(index(name));
  }

  private List<Integer> select(Expression filter) {
    ByteBuffer bytes = messages.bytes(table.schema(), filter);
    return table.select(
        RowFilter.of(SubstraitFilters.parse(bytes, table.schema()), table.schema()));
  }
}
