package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.sort.SortedRows;
import dev.lance4j.scan.Ordering;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.lookup.WhatIfDamaged;
import dev.lance4j.scan.internal.nearest.NearestQuery;
import dev.lance4j.table.FragmentMetadata;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.vector.types.pojo.Field;

/** What a scan is asked for. Immutable: each method with an argument returns a changed copy. */
public final class ScanRequest implements Cloneable {
  private final Scan.Source source;
  private Selection selection = Selection.ALL;
  private Expression condition;
  private List<FragmentMetadata> fragments;
  private boolean deletedToo;
  private List<Ordering> orderings = List.of();
  private Window window = Window.ALL;
  private NearestQuery nearest;
  private boolean prefilter;
  private boolean fastSearch;
  private BatchSize size;
  private Parallelism parallelism;
  private boolean indicesUsed = true;
  private WhatIfDamaged whatIfDamaged = WhatIfDamaged.FAIL;
  private SortedRows.Memory sortMemory;

  /** All rows and columns. */
  public ScanRequest(
      Scan.Source source, BatchSize size, Parallelism parallelism, SortedRows.Memory sortMemory) {
    this.source = source;
    this.fragments = source.version().manifest().fragments();
    this.size = size;
    this.parallelism = parallelism;
    this.sortMemory = sortMemory;
  }

  private ScanRequest change(Consumer<ScanRequest> change) {
    try {
      ScanRequest copy = (ScanRequest) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  public Scan.Source source() {
    return source;
  }

  /** Which columns. */
  public Selection selection() {
    return selection;
  }

  public ScanRequest selection(Selection columns) {
    return change(copy -> copy.selection = columns);
  }

  /** Which rows; null for all. */
  public Expression condition() {
    return condition;
  }

  public ScanRequest condition(Expression filter) {
    return change(copy -> copy.condition = filter);
  }

  /** Where, in order. */
  public List<FragmentMetadata> fragments() {
    return fragments;
  }

  public ScanRequest fragments(List<FragmentMetadata> chosen) {
    return change(copy -> copy.fragments = List.copyOf(chosen));
  }

  /** Whether deleted rows are given too. */
  public boolean deletedToo() {
    return deletedToo;
  }

  public ScanRequest deletedToo(boolean included) {
    return change(copy -> copy.deletedToo = included);
  }

  /** How to order the rows; none for the order of the table. */
  public List<Ordering> orderings() {
    return orderings;
  }

  public ScanRequest orderings(List<Ordering> order) {
    return change(copy -> copy.orderings = List.copyOf(order));
  }

  /** Which of the rows in order. */
  public Window window() {
    return window;
  }

  public ScanRequest window(Window rows) {
    return change(copy -> copy.window = rows);
  }

  /** Which rows are the nearest; null for all. */
  public NearestQuery nearest() {
    return nearest;
  }

  public ScanRequest nearest(NearestQuery query) {
    return change(copy -> copy.nearest = query);
  }

  /** The columns that a search adds to those of the table. */
  public List<Field> found() {
    return nearest == null ? List.of() : nearest.found();
  }

  /** Whether only rows that fulfil the condition are searched. */
  public boolean prefilter() {
    return prefilter;
  }

  public ScanRequest prefilter(boolean first) {
    return change(copy -> copy.prefilter = first);
  }

  /** Whether only what indices cover is searched. */
  public boolean fastSearch() {
    return fastSearch;
  }

  public ScanRequest fastSearch(boolean indexedOnly) {
    return change(copy -> copy.fastSearch = indexedOnly);
  }

  /** How large batches may be. */
  public BatchSize size() {
    return size;
  }

  public ScanRequest size(BatchSize batches) {
    return change(copy -> copy.size = batches);
  }

  /** How to work ahead of the reader. */
  public Parallelism parallelism() {
    return parallelism;
  }

  public ScanRequest parallelism(Parallelism ahead) {
    return change(copy -> copy.parallelism = ahead);
  }

  /** Whether indices may find the rows. */
  public boolean indicesUsed() {
    return indicesUsed;
  }

  public ScanRequest indicesUsed(boolean used) {
    return change(copy -> copy.indicesUsed = used);
  }

  /** What to do when an index is damaged. */
  public WhatIfDamaged whatIfDamaged() {
    return whatIfDamaged;
  }

  public ScanRequest whatIfDamaged(WhatIfDamaged reaction) {
    return change(copy -> copy.whatIfDamaged = reaction);
  }

  /** How much memory ordering may take. */
  public SortedRows.Memory sortMemory() {
    return sortMemory;
  }

  public ScanRequest sortMemory(SortedRows.Memory memory) {
    return change(copy -> copy.sortMemory = memory);
  }
}
