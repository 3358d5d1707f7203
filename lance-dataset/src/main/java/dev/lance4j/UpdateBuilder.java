package dev.lance4j;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.expr.Expressions;
import dev.lance4j.write.InsertOptions;
import dev.lance4j.write.RetryOptions;
import dev.lance4j.write.RowChange;
import dev.lance4j.write.Update;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sets columns of rows. The rows are written anew as a whole and deleted where they were; in tables
 * with stable row ids they keep their ids. Not safe for use by many threads.
 */
public final class UpdateBuilder {
  private final Environment environment;
  private final Scan.Source source;
  private final Map<String, Expression> assignments = new LinkedHashMap<>();
  private Optional<Expression> condition = Optional.empty();
  private long maxRowsPerFile = InsertOptions.DEFAULT_MAX_ROWS_PER_FILE;
  private RetryOptions retries = RetryOptions.DEFAULT;

  UpdateBuilder(Environment environment, Scan.Source source) {
    this.environment = environment;
    this.source = source;
  }

  /**
   * Only rows for which a condition is true; all rows unless this is called. Conditions of several
   * calls must all be true.
   *
   * @param filter see {@link Scan#where(String)}
   * @throws InvalidInputException if it is not well-formed
   */
  public UpdateBuilder where(String filter) {
    return where(Expression.parse(filter));
  }

  /** As above, with a condition that was built. */
  public UpdateBuilder where(Expression filter) {
    condition = Optional.of(condition.map(first -> Expressions.and(first, filter)).orElse(filter));
    return this;
  }

  /**
   * Sets a column to the value of an expression. All expressions see the values from before the
   * update. The value is converted to the column's type as {@code CAST} does; a column of JSON
   * takes JSON text.
   *
   * @param column its name, which may be in back-ticks; {@code a.b} sets only the field {@code b}
   *     of the struct column {@code a}, where a null struct becomes one whose other fields are null
   * @param expression such as {@code plays + 1} or {@code 'text'}
   * @throws InvalidInputException if the expression is not well-formed, or the column is set
   *     already
   */
  public UpdateBuilder set(String column, String expression) {
    return set(column, Expression.parse(expression));
  }

  /** As above, with an expression that was built. */
  public UpdateBuilder set(String column, Expression expression) {
    if (assignments.putIfAbsent(column, expression) != null) {
      throw new InvalidInputException("Column '" + column + "' is set twice");
    }
    return this;
  }

  /** Starts another file, and fragment, at exactly this many rows; 1,048,576 unless set. */
  public UpdateBuilder maxRowsPerFile(long rows) {
    this.maxRowsPerFile = rows;
    return this;
  }

  /** How often to start over when others change the same rows meanwhile; 10 times unless set. */
  public UpdateBuilder conflictRetries(int times) {
    this.retries = retries.withMaxRetries(times);
    return this;
  }

  /** How long to go on starting over; 30 seconds unless set. */
  public UpdateBuilder retryTimeout(Duration timeout) {
    this.retries = retries.withTimeout(timeout);
    return this;
  }

  /**
   * Updates, starting over on the newest version when others deleted or updated some of the same
   * rows meanwhile. When no row matches there is no new version.
   *
   * @throws InvalidInputException if no column is set, the condition or an expression does not fit
   *     the table, or a new value cannot be computed or stored
   * @throws dev.lance4j.format.TooMuchContentionException if others did so again and again
   * @throws dev.lance4j.format.CommitConflictException if others replaced the whole table
   */
  public UpdateResult execute() {
    Update.Result result = update().execute();
    return new UpdateResult(new Dataset(environment, result.version()), result.rowsUpdated());
  }

  /**
   * Writes all files without committing, for engines that commit themselves.
   *
   * @return nothing when no row matches
   */
  public Optional<RowChange> uncommitted() {
    return update().uncommitted();
  }

  private Update update() {
    InsertOptions options =
        new InsertOptions(
            environment.allocator(),
            Optional.empty(),
            maxRowsPerFile,
            InsertOptions.DEFAULT_MAX_BYTES_PER_FILE,
            false);
    return new Update(source, condition, assignments, options, retries);
  }
}
