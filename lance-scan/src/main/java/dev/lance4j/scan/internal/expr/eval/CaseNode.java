package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.values.Bits;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of the first branch whose condition is true. Conditions and results are evaluated only
 * for the rows that reach them.
 */
public final class CaseNode extends Node {
  private final List<Node> conditions;
  private final List<Node> results;

  /**
   * @param conditions booleans
   * @param results one for each condition and one for the rows that meet none, all of one type
   */
  public CaseNode(List<Node> conditions, List<Node> results) {
    super(results.get(0).type(), concat(conditions, results));
    this.conditions = List.copyOf(conditions);
    this.results = List.copyOf(results);
  }

  private static List<Node> concat(List<Node> first, List<Node> second) {
    List<Node> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  @Override
  public boolean isCostly() {
    return true;
  }

  @Override
  public Values evaluate(Batch batch) {
    int size = batch.size();
    int[] branch = new int[size];
    int[] position = new int[size];
    Values[] values = new Values[results.size()];
    long[] open = Bits.ones(size);
    for (int i = 0; i < conditions.size(); i++) {
      int[] rows = Bits.rows(open);
      if (rows.length == 0) {
        break;
      }
      long[] truth = conditions.get(i).truth(batch.select(rows));
      int[] taken = taken(rows, truth);
      values[i] = settle(batch, taken, i, branch, position);
      for (int row : taken) {
        Bits.clear(open, row);
      }
    }
    int last = conditions.size();
    values[last] = settle(batch, Bits.rows(open), last, branch, position);
    return assemble(values, branch, position);
  }

  private static int[] taken(int[] rows, long[] truth) {
    int[] chosen = Bits.rows(truth);
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = rows[chosen[i]];
    }
    return chosen;
  }

  private Values settle(Batch batch, int[] rows, int index, int[] branch, int[] position) {
    for (int i = 0; i < rows.length; i++) {
      branch[rows[i]] = index;
      position[rows[i]] = i;
    }
    return rows.length == 0 ? null : results.get(index).evaluate(batch.select(rows));
  }

  private Values assemble(Values[] values, int[] branch, int[] position) {
    ValuesBuilder builder = new ValuesBuilder(type());
    for (int row = 0; row < branch.length; row++) {
      builder.append(values[branch[row]], position[row]);
    }
    return builder.build();
  }
}
