package dev.lance4j.interop.oracle;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tests that ask the real library; they say that they skip, and why, where it does not run. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(WithOracle.Condition.class)
public @interface WithOracle {
  /** Looks at the platform. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return OraclePlatform.obstacle()
          .map(ConditionEvaluationResult::disabled)
          .orElse(ConditionEvaluationResult.enabled("The real library runs here"));
    }
  }
}
