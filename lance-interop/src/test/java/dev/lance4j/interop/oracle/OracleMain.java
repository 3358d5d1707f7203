package dev.lance4j.interop.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/**
 * The child process: answers each line of standard input, a JSON object {@code {"call", "args"}},
 * with a line {@code {"answer"}} or {@code {"error": {"type", "message"}}}. It ends when the input
 * does. The real library leaves files of vector indices open when their table is closed: once half
 * of all that may be open are, answers say that the process is {@code "exhausted"}.
 */
final class OracleMain {
  /** Starts every answer, so that what native code prints is not taken for one. */
  static final String ANSWER_PREFIX = "oracle> ";

  private static final ObjectMapper JSON = new ObjectMapper();

  private OracleMain() {}

  public static void main(String[] arguments) throws IOException {
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err);
    OracleCalls calls = new OracleCalls();
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      ObjectNode answer = answer(calls, line);
      if (isExhausted()) {
        answer.put("exhausted", true);
      }
      answers.println(ANSWER_PREFIX + JSON.writeValueAsString(answer));
    }
  }

  private static boolean isExhausted() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        && system.getOpenFileDescriptorCount() > system.getMaxFileDescriptorCount() / 2;
  }

  private static ObjectNode answer(OracleCalls calls, String line) {
    ObjectNode reply = JSON.createObjectNode();
    try {
      JsonNode request = JSON.readTree(line);
      JsonNode answer =
          JSON.valueToTree(calls.call(request.get("call").asText(), request.get("args")));
      return reply.set("answer", answer);
    } catch (Exception | LinkageError e) {
      reply
          .putObject("error")
          .put("type", e.getClass().getName())
          .put("message", String.valueOf(e.getMessage()));
      return reply;
    }
  }
}
