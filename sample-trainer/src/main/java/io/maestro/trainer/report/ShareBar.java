package io.maestro.trainer.report;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Shows each path's share of the bytes as a small bar with its percentage. */
final class ShareBar {

  private static final int EIGHTHS = 8;
  private static final int BAR_CELLS = 4;

  /** Blocks of one to eight eighths of a cell, from left to right. */
  private static final String BLOCKS = "▏▎▍▌▋▊▉█";

  private final boolean blocks;

  /** Bars that the character set can show: of block elements, or of number signs. */
  ShareBar(Charset charset) {
    blocks = charset.equals(StandardCharsets.UTF_8);
  }

  /** All paths in a line; empty without paths. A full bar stands for the largest share. */
  String line(List<Double> shares) {
    double largest = shares.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    return IntStream.range(0, shares.size())
        .mapToObj(path -> bar(shares.get(path) / largest) + percent(shares.get(path)))
        .collect(Collectors.joining(" "));
  }

  private static String percent(double share) {
    return " %d %%".formatted(Math.round(share * 100));
  }

  private String bar(double fill) {
    int eighths = (int) Math.round(fill * BAR_CELLS * EIGHTHS);
    if (!blocks) {
      return "#".repeat(Math.round((float) eighths / EIGHTHS));
    }
    String full = BLOCKS.substring(EIGHTHS - 1).repeat(eighths / EIGHTHS);
    int rest = eighths % EIGHTHS;
    return rest == 0 ? full : full + BLOCKS.charAt(rest - 1);
  }
}
