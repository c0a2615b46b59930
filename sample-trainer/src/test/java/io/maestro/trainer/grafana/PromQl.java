package io.maestro.trainer.grafana;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names in an expression, as far as these rules and dashboards go: the grammar in full is
 * Prometheus's business, which checks it.
 *
 * @param metrics what is selected
 * @param labels by what it is selected and grouped
 */
public record PromQl(Set<String> metrics, Set<String> labels) {
  private static final Pattern STRING = Pattern.compile("\"[^\"]*\"");
  private static final Pattern GROUPING =
      Pattern.compile("\\b(by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");
  private static final Pattern SELECTOR = Pattern.compile("([a-zA-Z_:][\\w:]*)\\s*\\{([^}]*)}");
  private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*]");
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][\\w:]*(?!\\w|\\s*\\()");
  private static final Set<String> KEYWORDS = Set.of("and", "or", "unless", "bool", "offset");
  private static final Pattern COMPARISON = Pattern.compile("(==|!=|>=|<=|>|<)(?! *bool)");

  /** The names in an expression. */
  public static PromQl of(String expression) {
    Set<String> metrics = new TreeSet<>();
    Set<String> labels = new TreeSet<>();
    String rest = STRING.matcher(expression).replaceAll("");
    rest = GROUPING.matcher(rest).replaceAll(found -> taken(labels, found.group(2)));
    rest =
        SELECTOR
            .matcher(rest)
            .replaceAll(
                found -> {
                  metrics.add(found.group(1));
                  return taken(labels, found.group(2).replaceAll("[=!~]+", ""));
                });
    rest = RANGE.matcher(rest).replaceAll("");
    NAME.matcher(rest)
        .results()
        .map(MatchResult::group)
        .filter(name -> !KEYWORDS.contains(name))
        .forEach(metrics::add);
    return new PromQl(metrics, labels);
  }

  private static String taken(Set<String> labels, String list) {
    for (String label : list.split(",", -1)) {
      if (!label.isBlank()) {
        labels.add(label.strip());
      }
    }
    return Matcher.quoteReplacement(" ");
  }

  /**
   * An alert's expression, changed so that each comparison says 0 or 1 instead of hiding series.
   */
  public static String withoutFilter(String expression) {
    return COMPARISON.matcher(expression).replaceAll("$1 bool");
  }
}
