package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.internal.v21.write.Leaf.Layer;
import dev.lance4j.format.internal.v21.write.Leaf.LayerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** The walk from a top-level field to its leaves, laid out once from the Arrow schema. */
final class FieldTree {
  private static final String PACKED = "lance-encoding:packed";
  private static final String OLD_PACKED = "packed";
  private static final String BLOB = "lance-encoding:blob";

  private final FileVersion version;
  private final Map<String, String> columnMetadata;
  private final List<Leaf> leaves = new ArrayList<>();
  private final String name;
  private final FieldNode root;

  /**
   * @throws SchemaMismatchException if the version cannot hold the field's type, or one below it
   */
  FieldTree(Field field, FileVersion version) {
    this.version = version;
    this.name = field.getName();
    this.columnMetadata = field.getMetadata();
    this.root = node(field, new Place(field.getName(), List.of(), 1, field.isNullable()));
  }

  /** The name of the top-level field. */
  String name() {
    return name;
  }

  FieldNode root() {
    return root;
  }

  /** The leaves, depth first. */
  List<Leaf> leaves() {
    return leaves;
  }

  /** Where a field stands: its path, the layers outside it and the elements of a row. */
  private record Place(String path, List<Layer> layers, int elements, boolean nullable) {
    int depth() {
      return layers.size();
    }

    boolean inList() {
      return lists() > 0;
    }

    int lists() {
      return (int) layers.stream().filter(Layer::isList).count();
    }

    List<Layer> with(LayerKind kind) {
      List<Layer> longer = new ArrayList<>(layers);
      longer.add(new Layer(kind, nullable));
      return longer;
    }

    Place child(Field child, LayerKind own, int factor) {
      return new Place(
          path + '.' + child.getName(),
          with(own),
          Math.multiplyExact(elements, factor),
          child.isNullable());
    }
  }

  private FieldNode node(Field field, Place place) {
    if (field.getDictionary() != null) {
      return leaf(field, place, dictionary(field, place));
    }
    ArrowType type = LeafTypes.storage(field.getType());
    if (type instanceof ArrowType.Struct) {
      return struct(field, place);
    }
    if (type instanceof ArrowType.List || type instanceof ArrowType.LargeList) {
      return list(field, place, type instanceof ArrowType.LargeList);
    }
    if (type instanceof ArrowType.Map map) {
      requireMap(map, place);
      return list(field, place, false);
    }
    if (type instanceof ArrowType.FixedSizeList list && isStruct(field.getChildren().get(0))) {
      return elements(field, list.getListSize(), place);
    }
    LeafType leafType = LeafTypes.of(field, place.path());
    return leaf(field, place, isTrue(field, BLOB) ? blob(leafType, place) : leafType);
  }

  private static BlobType blob(LeafType type, Place place) {
    if (!(type instanceof VariableType values) || values.text() || place.inList()) {
      throw new SchemaMismatchException(
          "Field '"
              + place.path()
              + "' is marked as a blob, which must be binary and outside of lists");
    }
    return new BlobType(values);
  }

  private static boolean isStruct(Field field) {
    return LeafTypes.storage(field.getType()) instanceof ArrowType.Struct;
  }

  private FieldNode leaf(Field field, Place place, LeafType type) {
    Leaf leaf =
        new Leaf(
            place.path(),
            type,
            place.with(LayerKind.ITEM),
            place.elements(),
            field.getMetadata(),
            columnMetadata);
    leaves.add(leaf);
    return new LeafNode(leaf, place.nullable());
  }

  private static LeafType dictionary(Field field, Place place) {
    ArrowType.Int keys = field.getDictionary().getIndexType();
    LeafType values = LeafTypes.of(field, place.path());
    if (!(values instanceof FixedType) && !(values instanceof VariableType)) {
      throw new SchemaMismatchException(
          "Field '"
              + place.path()
              + "' is a dictionary of "
              + field.getType()
              + ", which the format cannot store; use a plain column");
    }
    return new DictionaryType(keys.getBitWidth(), keys.getIsSigned(), values);
  }

  private FieldNode struct(Field field, Place place) {
    if (field.getChildren().isEmpty()) {
      if (place.inList()) {
        throw new SchemaMismatchException(
            "Field '"
                + place.path()
                + "' is a struct without children inside a list, which the format cannot store;"
                + " give it a child");
      }
      return leaf(field, place, EmptyType.STRUCT);
    }
    if (isTrue(field, PACKED) || isTrue(field, OLD_PACKED)) {
      return leaf(field, place, packed(field, place));
    }
    List<FieldNode> children = new ArrayList<>();
    List<String> paths = new ArrayList<>();
    for (Field child : field.getChildren()) {
      Place at = place.child(child, LayerKind.ITEM, 1);
      paths.add(at.path());
      children.add(node(child, at));
    }
    return new StructNode(place.path(), place.depth(), place.nullable(), children, paths);
  }

  private static boolean isTrue(Field field, String key) {
    return "true".equalsIgnoreCase(field.getMetadata().get(key));
  }

  private LeafType packed(Field field, Place place) {
    List<LeafType> children = new ArrayList<>();
    List<FixedType> fixed = new ArrayList<>();
    for (Field child : field.getChildren()) {
      LeafType type = packedChild(child, place);
      children.add(type);
      if (type instanceof FixedType width) {
        fixed.add(width);
      }
    }
    return fixed.size() == children.size()
        ? new PackedType(fixed)
        : new VariablePackedType(children);
  }

  private LeafType packedChild(Field child, Place place) {
    boolean plain = child.getDictionary() == null && child.getChildren().isEmpty();
    LeafType type = plain ? LeafTypes.of(child, place.path()) : null;
    if (type instanceof VariableType && !version.atLeast(FileVersion.V2_2)) {
      throw tooOld("a packed struct with the variable child '" + child.getName() + "'", place);
    }
    boolean wholeBytes = type instanceof FixedType fixed && fixed.bits() >= Byte.SIZE;
    if (!wholeBytes && !(type instanceof VariableType)) {
      throw new SchemaMismatchException(
          "The packed struct '"
              + place.path()
              + "' has the child '"
              + child.getName()
              + "' of type "
              + child.getType()
              + "; children must be numbers, strings or binary values");
    }
    return type;
  }

  private FieldNode list(Field field, Place place, boolean wide) {
    Field item = field.getChildren().get(0);
    FieldNode items = node(item, place.child(item, LayerKind.LIST, 1));
    return new ListNode(place.path(), wide, place.depth(), place.lists(), place.nullable(), items);
  }

  private void requireMap(ArrowType.Map map, Place place) {
    if (!version.atLeast(FileVersion.V2_2)) {
      throw tooOld("a map", place);
    }
    if (map.getKeysSorted()) {
      throw new SchemaMismatchException(
          "Field '" + place.path() + "' is a map with sorted keys, which the format cannot record");
    }
  }

  private SchemaMismatchException tooOld(String what, Place place) {
    return new SchemaMismatchException(
        "Field '"
            + place.path()
            + "' is "
            + what
            + ", which needs file version 2.2; this file is written as "
            + version);
  }

  private FieldNode elements(Field field, int dimension, Place place) {
    if (!version.atLeast(FileVersion.V2_2)) {
      throw tooOld("a fixed-size list of structs", place);
    }
    LeafTypes.requireDimension(dimension, place.path());
    int before = leaves.size();
    Field element = field.getChildren().get(0);
    FieldNode elements = node(element, place.child(element, LayerKind.ITEM, dimension));
    for (Leaf leaf : leaves.subList(before, leaves.size())) {
      if (leaf.lists() > 0) {
        throw new SchemaMismatchException(
            "Field '"
                + place.path()
                + "' is a fixed-size list of structs inside or around a list, which the format"
                + " cannot store; use a list instead");
      }
    }
    return new ElementsNode(place.path(), place.depth(), place.nullable(), dimension, elements);
  }
}
