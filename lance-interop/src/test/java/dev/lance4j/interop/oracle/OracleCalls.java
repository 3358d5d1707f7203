package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;

/** The requests that the child process knows, by name. */
final class OracleCalls {
  /** Carries out a request; the result is turned to JSON. */
  interface Call {
    Object run(JsonNode args) throws Exception;
  }

  private final Map<String, Call> calls = new HashMap<>();
  private final OracleContext context = new OracleContext(new RootAllocator());

  OracleCalls() {
    calls.put("bench", this::bench);
    FileCalls.register(calls, context);
    ReadCalls.register(calls, context);
    WriteCalls.register(calls, context);
    CompactionCalls.register(calls, context);
    VersionCalls.register(calls, context);
    FragmentCalls.register(calls, context);
    IndexCalls.register(calls, context);
  }

  Object call(String name, JsonNode args) throws Exception {
    Call call = calls.get(name);
    if (call == null) {
      throw new IllegalArgumentException("Unknown call " + name);
    }
    return call.run(args);
  }

  /** Repeats a request on datasets that stay open; the answer is the nanoseconds of each turn. */
  private Object bench(JsonNode args) throws Exception {
    String name = args.get("call").asText();
    JsonNode inner = args.get("args");
    long[] nanos = new long[args.get("repeat").asInt()];
    context.keepOpen(true);
    try {
      for (int i = args.path("warmup").asInt(); i > 0; i--) {
        call(name, inner);
      }
      for (int i = 0; i < nanos.length; i++) {
        long start = System.nanoTime();
        call(name, inner);
        nanos[i] = System.nanoTime() - start;
      }
    } finally {
      context.keepOpen(false);
    }
    return nanos;
  }
}
