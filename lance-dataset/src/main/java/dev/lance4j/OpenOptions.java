package dev.lance4j;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.table.ManifestStore;
import dev.lance4j.table.Ref;
import dev.lance4j.table.Session;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.arrow.memory.BufferAllocator;

/** How to open a dataset. Immutable. */
public final class OpenOptions {
  private final OptionalLong version;
  private final Ref ref;
  private final BufferAllocator allocator;
  private final Session session;
  private final ObjectStore store;
  private final ManifestStore manifestStore;
  private final Map<String, String> storageOptions;

  private OpenOptions(Builder builder) {
    this.version = builder.version;
    this.ref = builder.ref;
    this.allocator = builder.allocator;
    this.session = builder.session;
    this.store = builder.store;
    this.manifestStore = builder.manifestStore;
    this.storageOptions = Map.copyOf(builder.storageOptions);
  }

  /** The newest version, with an allocator and a session of its own. */
  public static OpenOptions defaults() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The version of a table that is wanted. */
  TableVersion choose(Table table) {
    if (version.isPresent() && ref != null) {
      throw new InvalidInputException(
          "Give a version or a tag or branch, not both; a branch may come with a version");
    }
    if (ref != null) {
      return table.latest().checkout(ref);
    }
    return version.isPresent() ? table.version(version.getAsLong()) : table.latest();
  }

  BufferAllocator allocator() {
    return allocator;
  }

  Session session() {
    return session;
  }

  ObjectStore store() {
    return store;
  }

  ManifestStore manifestStore() {
    return manifestStore;
  }

  Map<String, String> storageOptions() {
    return storageOptions;
  }

  /** Gathers options. */
  public static final class Builder {
    private OptionalLong version = OptionalLong.empty();
    private BufferAllocator allocator;
    private Session session;
    private ObjectStore store;
    private Ref ref;
    private ManifestStore manifestStore;
    private Map<String, String> storageOptions = Map.of();

    private Builder() {}

    /** Opens this version instead of the newest. */
    public Builder version(long number) {
      this.version = OptionalLong.of(number);
      return this;
    }

    /** Opens what a tag or a branch stands for instead of the newest version. */
    public Builder ref(Ref tagOrBranch) {
      this.ref = tagOrBranch;
      return this;
    }

    /**
     * Takes memory from this allocator, which must outlive the dataset. Without it the dataset
     * makes one of its own and closes it.
     */
    public Builder allocator(BufferAllocator root) {
      this.allocator = root;
      return this;
    }

    /**
     * Shares what is kept in memory with other datasets; the session stays the caller's to close.
     */
    public Builder session(Session shared) {
      this.session = shared;
      return this;
    }

    /** Reads from this store, in which the dataset's URI is then a path. */
    public Builder store(ObjectStore objects) {
      this.store = objects;
      return this;
    }

    /**
     * Lets this store decide about the table's versions, as all who use the table must; for object
     * stores that cannot write an object if and only if it is absent.
     */
    public Builder manifestStore(ManifestStore manifests) {
      this.manifestStore = manifests;
      return this;
    }

    /** Settings of the store that the URI leads to, such as credentials. */
    public Builder storageOptions(Map<String, String> options) {
      this.storageOptions = Map.copyOf(options);
      return this;
    }

    public OpenOptions build() {
      return new OpenOptions(this);
    }
  }
}
