package dev.lance4j.write;

import dev.lance4j.format.InvalidInputException;
import java.time.Duration;

/**
 * How often a job that reads rows and commits is run again, on the newest version, after others
 * changed the same rows meanwhile. Immutable.
 *
 * @param maxRetries how often it is run again at most
 * @param timeout how long all runs may take together; the first one is not cut off
 */
public record RetryOptions(int maxRetries, Duration timeout) {
  /** Ten times within 30 seconds. */
  public static final RetryOptions DEFAULT = new RetryOptions(10, Duration.ofSeconds(30));

  public RetryOptions {
    if (maxRetries < 0) {
      throw new InvalidInputException("maxRetries must not be negative, but is " + maxRetries);
    }
    if (timeout.isNegative()) {
      throw new InvalidInputException("The timeout must not be negative, but is " + timeout);
    }
  }

  /** These options with another number of retries. */
  public RetryOptions withMaxRetries(int retries) {
    return new RetryOptions(retries, timeout);
  }

  /** These options with another limit of time. */
  public RetryOptions withTimeout(Duration limit) {
    return new RetryOptions(maxRetries, limit);
  }
}
