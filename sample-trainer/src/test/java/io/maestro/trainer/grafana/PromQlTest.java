package io.maestro.trainer.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PromQlTest {

  @Test
  void theNamesOfAnExpressionAreFound() {
    PromQl found =
        PromQl.of(
            """
            histogram_quantile(0.99, sum by (job, le) (rate(a_bucket{job=~"$job", kind!="x{y}"}[5m])))
              / on (peer) group_left (path) b:ratio and c > bool 1""");
    assertThat(found.metrics()).containsExactly("a_bucket", "b:ratio", "c");
    assertThat(found.labels()).containsExactly("job", "kind", "le", "path", "peer");
  }

  @Test
  void comparisonsOfAlertsAreMadeToAnswerAlways() {
    assertThat(PromQl.withoutFilter("a == 1 and b >= 2 and c > 3"))
        .isEqualTo("a == bool 1 and b >= bool 2 and c > bool 3");
  }
}
