package dev.lance4j.rowid;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * No shipped class above the file format shifts by 32 bits but {@link RowAddress}. Whoever does it
 * takes a number for a row address, and a stable row id looks just like one.
 */
class RowAddressesArePackedInOnePlaceTest {
  private static final Set<String> MODULES =
      Set.of(
          "lance-rowid",
          "lance-table",
          "lance-index",
          "lance-scan",
          "lance-write",
          "lance-compaction",
          "lance-dataset");

  /** Classes that shift by 32 bits for another reason, which is given. */
  private static final Set<String> EXCEPTIONS =
      Set.of(
          "RowAddress.java",
          // Splits addresses and ids alike, as the serialised form does, and gives no meaning to
          // it.
          "WordMap.java",
          // Keep a distance and the number of a row or partition in one value.
          "HnswSearch.java",
          "NodeHeap.java",
          "ProbeOrder.java",
          // Takes the upper half of a hash.
          "SplitBlockFilter.java");

  private static final Set<Tree.Kind> SHIFTS =
      EnumSet.of(
          Tree.Kind.LEFT_SHIFT,
          Tree.Kind.RIGHT_SHIFT,
          Tree.Kind.UNSIGNED_RIGHT_SHIFT,
          Tree.Kind.LEFT_SHIFT_ASSIGNMENT,
          Tree.Kind.RIGHT_SHIFT_ASSIGNMENT,
          Tree.Kind.UNSIGNED_RIGHT_SHIFT_ASSIGNMENT);

  @Test
  void onlyRowAddressShiftsBy32Bits() throws IOException {
    List<Path> sources = shippedSources();

    assertThat(sources).anyMatch(path -> path.endsWith("RowAddress.java"));
    List<String> shifts = shiftsIn(sources.stream().filter(path -> !isException(path)).toList());
    assertThat(shifts).as("use RowAddress instead").isEmpty();
  }

  @Test
  void shiftsAreFoundHoweverTheyAreSpelt() throws IOException {
    String source =
        """
        class Spelt {
          static final int HIGH = 32;
          long a(long id) { return id >> 32; }
          long b(long id) { return id >>> (32L); }
          long c(long id) { return id << Integer.SIZE; }
          long d(long id) { id >>>= 32; return id; }
          long e(long id) { return id >> HIGH; }
          long f(long id) { return id >> 31; }
          long g() { return 1L << 32; }
        }
        """;

    JavaFileObject file =
        new SimpleJavaFileObject(Path.of("Spelt.java").toUri(), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    assertThat(shifts(List.of(file)))
        .containsExactly(
            "Spelt.java:3", "Spelt.java:4", "Spelt.java:5", "Spelt.java:6", "Spelt.java:7");
  }

  private static boolean isException(Path path) {
    return EXCEPTIONS.contains(path.getFileName().toString());
  }

  private static List<Path> shippedSources() {
    List<Path> sources = new ArrayList<>();
    for (String module : MODULES) {
      Path root = Path.of("..", module, "src", "main", "java");
      if (Files.isDirectory(root)) {
        try (Stream<Path> files = Files.walk(root)) {
          files.filter(path -> path.toString().endsWith(".java")).forEach(sources::add);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return sources;
  }

  private static List<String> shiftsIn(List<Path> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<JavaFileObject> objects = new ArrayList<>();
      files.getJavaFileObjectsFromPaths(sources).forEach(objects::add);
      return shifts(objects);
    }
  }

  private static List<String> shifts(List<JavaFileObject> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavacTask task = (JavacTask) compiler.getTask(null, null, null, null, null, sources);
    List<String> found = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) {
      ShiftFinder finder = new ShiftFinder(unit, Trees.instance(task));
      finder.scan(unit, null);
      found.addAll(finder.found);
    }
    return found;
  }

  private static final class ShiftFinder extends TreeScanner<Void, Void> {
    private final List<String> found = new ArrayList<>();
    private final Set<String> constants = new HashSet<>(Set.of("Integer.SIZE"));
    private final CompilationUnitTree unit;
    private final Trees trees;

    ShiftFinder(CompilationUnitTree unit, Trees trees) {
      this.unit = unit;
      this.trees = trees;
    }

    @Override
    public Void visitVariable(VariableTree node, Void unused) {
      if (is32(node.getInitializer())) {
        constants.add(node.getName().toString());
      }
      return super.visitVariable(node, null);
    }

    @Override
    public Void visitBinary(BinaryTree node, Void unused) {
      boolean isPowerOfTwo = node.getLeftOperand() instanceof LiteralTree;
      if (!isPowerOfTwo) {
        check(node, node.getRightOperand());
      }
      return super.visitBinary(node, null);
    }

    @Override
    public Void visitCompoundAssignment(CompoundAssignmentTree node, Void unused) {
      check(node, node.getExpression());
      return super.visitCompoundAssignment(node, null);
    }

    private void check(Tree node, ExpressionTree distance) {
      if (SHIFTS.contains(node.getKind()) && is32(distance)) {
        LineMap lines = unit.getLineMap();
        long position = trees.getSourcePositions().getStartPosition(unit, node);
        Path file = Path.of(unit.getSourceFile().toUri()).getFileName();
        found.add(file + ":" + lines.getLineNumber(position));
      }
    }

    private boolean is32(Tree expression) {
      if (expression instanceof ParenthesizedTree inner) {
        return is32(inner.getExpression());
      }
      if (expression instanceof LiteralTree literal) {
        return literal.getValue() instanceof Number number && number.longValue() == Integer.SIZE;
      }
      return expression != null && constants.contains(expression.toString());
    }
  }
}
