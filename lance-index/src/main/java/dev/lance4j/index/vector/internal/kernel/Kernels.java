package dev.lance4j.index.vector.internal.kernel;

/**
 * The kernels of this JVM: those on the JDK's vector instructions if its incubating module is there
 * ({@code --add-modules jdk.incubator.vector}), and else those in plain Java. Chosen once.
 */
public final class Kernels {
  private static final String MODULE = "jdk.incubator.vector";
  private static final VectorKernels CHOSEN = choose();

  private Kernels() {}

  /** The kernels to use. */
  public static VectorKernels get() {
    return CHOSEN;
  }

  /** The kernels in plain Java. */
  public static VectorKernels scalar() {
    return new ScalarKernels();
  }

  private static VectorKernels choose() {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      return scalar();
    }
    try {
      // By name, since the class is compiled apart and must not be loaded without the module.
      String name = Kernels.class.getPackageName() + ".SimdKernels";
      return Class.forName(name)
          .asSubclass(VectorKernels.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | LinkageError e) {
      return scalar();
    }
  }
}
