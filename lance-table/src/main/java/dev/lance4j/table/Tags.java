package dev.lance4j.table;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.table.internal.RefFiles;
import dev.lance4j.table.internal.WholeObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tags of a table. They are no part of its versions: what is changed here is changed for all.
 * Safe for use by many threads.
 */
public final class Tags {
  private final Refs refs;
  private final Optional<String> branch;

  Tags(Table main, Optional<String> branch) {
    this.refs = new Refs(main);
    this.branch = branch;
  }

  /** All tags, those of the highest versions first. */
  public List<Tag> list() {
    List<Tag> tags = refs.tags();
    tags.sort(
        Comparator.comparing(Tag::version, (a, b) -> Long.compareUnsigned(b, a))
            .thenComparing(Tag::name));
    return tags;
  }

  /** The tag of a name, if there is one. */
  public Optional<Tag> find(String name) {
    return refs.tag(name);
  }

  /**
   * Gives a version of this branch a tag.
   *
   * @param name letters and digits of ASCII, dots, hyphens and underscores
   * @param version a version of the branch that the dataset is of
   * @throws InvalidInputException if the name cannot be one, or there is such a tag
   * @throws dev.lance4j.format.VersionNotFoundException if there is no such version
   */
  public Tag create(String name, long version) {
    return create(name, ofThisBranch(version));
  }

  /** Gives what another tag or a branch stands for a tag; errors as above. */
  public Tag create(String name, Ref target) {
    RefNames.checkTag(name);
    Instant now = Instant.now();
    Tag tag = tag(name, target, now, now, Map.of());
    if (!WholeObject.writeNew(refs.store(), refs.tagPath(name), RefFiles.write(tag))) {
      throw new InvalidInputException(
          "The dataset " + refs.main().uri() + " has a tag '" + name + "' already; update it");
    }
    return tag;
  }

  /**
   * Moves a tag to another version of this branch.
   *
   * @throws InvalidInputException if there is no such tag
   * @throws dev.lance4j.format.VersionNotFoundException if there is no such version
   */
  public Tag update(String name, long version) {
    return update(name, ofThisBranch(version));
  }

  /** Moves a tag to what another tag or a branch stands for; errors as above. */
  public Tag update(String name, Ref target) {
    Tag old = existing(name);
    Optional<Instant> created = old.createdAt();
    Instant now = Instant.now();
    return replace(tag(name, target, created.orElse(now), now, old.metadata()));
  }

  /**
   * Gives a tag other metadata.
   *
   * @throws InvalidInputException if there is no such tag
   */
  public Tag replaceMetadata(String name, Map<String, String> metadata) {
    Tag old = existing(name);
    return replace(
        new Tag(
            name,
            old.branch(),
            old.version(),
            old.createdAt(),
            Optional.of(Instant.now()),
            old.manifestBytes(),
            metadata));
  }

  private Tag replace(Tag tag) {
    refs.store().put(refs.tagPath(tag.name()), RefFiles.write(tag));
    return tag;
  }

  /**
   * Removes a tag.
   *
   * @throws InvalidInputException if there is no such tag
   */
  public void delete(String name) {
    existing(name);
    refs.store().delete(refs.tagPath(name));
  }

  private Tag existing(String name) {
    return refs.tag(name)
        .orElseThrow(
            () ->
                new InvalidInputException(
                    "The dataset " + refs.main().uri() + " has no tag '" + name + "'"));
  }

  private Ref ofThisBranch(long version) {
    return Ref.branch(branch.orElse(Ref.MAIN), version);
  }

  private Tag tag(
      String name, Ref target, Instant created, Instant updated, Map<String, String> metadata) {
    TableVersion version = refs.open(target);
    return new Tag(
        name,
        version.branch(),
        version.version(),
        Optional.of(created),
        Optional.of(updated),
        refs.manifestBytes(version.table(), version.version()),
        metadata);
  }
}
