package io.maestro.bench.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a {@link Sender} has seen.
 *
 * @param connectMs how long connecting took, in milliseconds
 * @param paths how its paths were bound, a line for each
 * @param messages those that have arrived, by stamp
 * @param samples acknowledged bytes of each path over time
 * @param events what happened to the paths
 */
record Run(
    double connectMs,
    List<String> paths,
    List<Sent> messages,
    List<Sample> samples,
    List<Event> events) {

  /** Both ends' code is compiled by then, which until then takes the processors. */
  static final double WARM_MS = 8000;

  /** What happened to a path, in words. */
  record Event(double ms, String what) {}

  /** One message. */
  record Sent(long stamp, double startMs, double endMs, long bytes) {
    double mbit() {
      return bytes * 8 / 1000.0 / (endMs - startMs);
    }
  }

  /** Bytes that each path has had acknowledged at a moment, and what state it is in. */
  record Sample(double ms, List<Long> acked, List<String> states) {
    boolean isUp(int path) {
      return states.get(path).equals("UP");
    }

    long total() {
      return acked.stream().mapToLong(Long::longValue).sum();
    }
  }

  static Run parse(List<String> output) {
    double connectMs = 0;
    List<String> paths = new ArrayList<>();
    List<Sent> messages = new ArrayList<>();
    List<Sample> samples = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    for (String line : output) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "connected" -> connectMs = Double.parseDouble(words[1]);
        case "path" -> paths.add(line);
        case "sent" ->
            messages.add(
                new Sent(
                    Long.parseLong(words[1]),
                    Double.parseDouble(words[2]),
                    Double.parseDouble(words[3]),
                    Long.parseLong(words[4])));
        case "event" ->
            events.add(
                new Event(Double.parseDouble(words[1]), line.substring(line.indexOf(' ', 6) + 1)));
        case "sample" -> samples.add(sample(words));
        default -> {}
      }
    }
    messages.sort(Comparator.comparingLong(Sent::stamp));
    return new Run(connectMs, paths, messages, samples, events);
  }

  private static Sample sample(String[] words) {
    List<String[]> paths = Arrays.stream(words).skip(2).map(word -> word.split("/", -1)).toList();
    return new Sample(
        Double.parseDouble(words[1]),
        paths.stream().map(path -> Long.parseLong(path[0])).toList(),
        paths.stream().map(path -> path[1]).toList());
  }

  /** Median goodput in Mbit/s of its messages from {@link #WARM_MS} on, or else of the last. */
  double mbit() {
    List<Sent> warm = messages.stream().filter(sent -> sent.startMs >= WARM_MS).toList();
    return Medians.of(
        (warm.isEmpty() ? List.of(messages.getLast()) : warm).stream().map(Sent::mbit).toList());
  }

  /** Goodput of all paths between two moments, in Mbit/s. */
  double mbit(double fromMs, double toMs) {
    Sample from = at(fromMs);
    Sample to = at(toMs);
    return (to.total() - from.total()) * 8 / 1000.0 / (to.ms - from.ms);
  }

  /** Bytes of each path between two moments, as parts of their sum. */
  List<Double> shares(double fromMs, double toMs) {
    Sample from = at(fromMs);
    Sample to = at(toMs);
    double total = to.total() - from.total();
    return IntStream.range(0, to.acked.size())
        .mapToObj(path -> (to.acked.get(path) - from.acked.get(path)) / total)
        .toList();
  }

  /** When, from a moment on, the number of paths that are up is first {@code count}; NaN: never. */
  double whenUp(int count, double fromMs) {
    return samples.stream()
        .filter(sample -> sample.ms >= fromMs)
        .filter(sample -> Collections.frequency(sample.states, "UP") == count)
        .mapToDouble(Sample::ms)
        .findFirst()
        .orElse(Double.NaN);
  }

  /** When the path that went down at a moment last had something acknowledged; NaN: none did. */
  double lastProgressMs(double downMs) {
    Sample down = at(downMs);
    int path =
        IntStream.range(0, down.states.size()).filter(p -> !down.isUp(p)).findFirst().orElse(-1);
    double last = Double.NaN;
    for (int i = 1; path >= 0 && i < samples.size() && samples.get(i).ms < downMs; i++) {
      boolean moved = samples.get(i).acked.get(path) > samples.get(i - 1).acked.get(path);
      last = moved ? samples.get(i).ms : last;
    }
    return last;
  }

  /** The last sample that is not after a moment. */
  private Sample at(double ms) {
    Sample last = samples.getFirst();
    for (Sample sample : samples) {
      if (sample.ms > ms) {
        break;
      }
      last = sample;
    }
    return last;
  }
}
