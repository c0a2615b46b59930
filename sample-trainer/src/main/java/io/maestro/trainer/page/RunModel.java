package io.maestro.trainer.page;

import io.maestro.trainer.fault.Fault;
import io.maestro.trainer.fault.FaultOrder;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.report.Interval;
import io.maestro.trainer.report.ProcessEvent;
import io.maestro.trainer.report.RunListener;
import io.maestro.trainer.report.WorkerResult;
import io.maestro.trainer.role.Spectator;
import io.maestro.verbs.NanoClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a run, in bounded memory: the run's thread writes, the page's threads read. No
 * method blocks for longer than a copy takes.
 */
final class RunModel implements Spectator, RunListener {

  /** Five minutes, four times a second. */
  private static final int MOST_PAST = 1_200;

  private static final Pattern OF_PROCESS = Pattern.compile("\\[([^]]+)] (.*)", Pattern.DOTALL);
  private static final int MOST_NEWS = 200;
  private static final int MOST_EPOCHS = 2_000;
  private static final double NS_PER_SECOND = 1e9;

  private final NanoClock clock;
  private final long startNs;
  private final View.Job job;
  private final Routes routes = new Routes();
  private final LossCurve losses = new LossCurve();
  private final Map<String, Fault> faults = new HashMap<>();
  private final Map<Integer, Integer> servers = new HashMap<>();
  private final Deque<View.Past> past = new ArrayDeque<>();
  private final Deque<View.Epoch> epochs = new ArrayDeque<>();
  private final Deque<View.News> news = new ArrayDeque<>();
  private final List<Consumer<Object>> ears = new ArrayList<>();
  private View.Phase phase = View.Phase.STARTING;
  private String summary = "";
  private long step;
  private @Nullable Voice voice;

  RunModel(TrainerOptions.Job job, NanoClock clock) {
    this.clock = clock;
    startNs = clock.nanoTime();
    this.job =
        new View.Job(
            job.model(),
            job.workers(),
            job.servers(),
            job.paths(),
            job.trains() ? job.epochs() : 0,
            job.totalSteps(),
            job.trains());
  }

  /** Hears epochs and news as they come, on the thread that brings them; must not block. */
  synchronized void listen(Consumer<Object> ear) {
    ears.add(ear);
  }

  /** All that is known. */
  synchronized View.Snapshot snapshot() {
    return new View.Snapshot(
        job, now(), List.copyOf(past), losses.points(), List.copyOf(epochs), List.copyOf(news));
  }

  /** This moment, of which the rates are kept until the end. Called four times a second. */
  synchronized View.Frame frame() {
    View.Frame now = now();
    if (phase == View.Phase.STARTING || phase == View.Phase.RUNNING) {
      List<Double> rates = now.paths().stream().map(View.PathView::bytesPerSecond).toList();
      add(past, new View.Past(now.at(), rates), MOST_PAST);
    }
    return now;
  }

  private View.Frame now() {
    long nowNs = clock.nanoTime();
    return new View.Frame(
        at(),
        phase,
        summary,
        step,
        losses.isEmpty() ? null : losses.mean(),
        routes.paths(nic -> faults.getOrDefault(nic, Fault.NONE), nowNs),
        routes.ofWorkers(port -> servers.getOrDefault(port, 0), nowNs));
  }

  /** How many paths are known by now. */
  synchronized Optional<FaultOrder> order(int path, Fault fault) {
    String nic = routes.virtualNic(path);
    return nic.isEmpty() ? Optional.empty() : Optional.of(new FaultOrder(nic, fault));
  }

  /** Who can tell the processes; empty before the run has begun and after it has ended. */
  synchronized Optional<Voice> voice() {
    return Optional.ofNullable(voice);
  }

  /** The processes were told of a fault. */
  synchronized void ordered(int path, FaultOrder order) {
    Fault fault = order.fault();
    faults.put(order.virtualNic(), fault);
    String text =
        switch (fault.kind()) {
          case NONE -> "restored";
          case CUT -> "cut: nothing gets through";
          case SLOW ->
              String.format(
                  Locale.ROOT, "slowed to %.1f MB/s for each sender", fault.bytesPerSecond() / 1e6);
        };
    tell("fault", "you", path, text);
  }

  synchronized void ended(boolean well, String words) {
    voice = null;
    phase = well ? View.Phase.DONE : View.Phase.FAILED;
    summary = words;
    tell("note", "run", null, words);
  }

  @Override
  public synchronized void begins(Voice toAll) {
    voice = toAll;
  }

  @Override
  public synchronized void heard(String child, ProcessEvent event) {
    switch (event) {
      case ProcessEvent.Listening listening -> servers.put(port(listening), number(child));
      case ProcessEvent.Sampled sampled -> routes.heard(child, sampled, clock.nanoTime());
      case ProcessEvent.Stepped stepped -> stepped(child, stepped);
      case ProcessEvent.PathChanged changed -> changed(child, changed);
      default -> {
        // Comes through the listener, of all workers together.
      }
    }
  }

  /** Of the attempts in vain to connect a path anew, the latest is kept: there are many. */
  private void changed(String child, ProcessEvent.PathChanged event) {
    String kind = event.change().name().toLowerCase(Locale.ROOT);
    if (event.change() == ProcessEvent.Change.ATTEMPT) {
      news.removeIf(old -> old.isOf(kind, child, event.path()));
    }
    tell(kind, child, event.path(), event.what());
  }

  private void stepped(String child, ProcessEvent.Stepped event) {
    step = Math.max(step, event.step());
    Double loss = event.loss();
    if (loss != null) {
      losses.heard(child, event.step(), loss);
    }
  }

  private static int port(ProcessEvent.Listening listening) {
    String address = listening.address();
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private static int number(String child) {
    return Integer.parseInt(child.substring(child.lastIndexOf(' ') + 1));
  }

  /** One that has done its work leaves its paths to be looked at. */
  @Override
  public synchronized void exited(String child, boolean well) {
    if (!well) {
      routes.forget(child);
    }
  }

  @Override
  public void listening(String address) {}

  @Override
  public synchronized void started() {
    phase = View.Phase.RUNNING;
    tell("note", "run", null, "all workers have joined");
  }

  /** What a process has written names it at the beginning; traces of its stack are for a log. */
  @Override
  public synchronized void note(String words) {
    Matcher matcher = OF_PROCESS.matcher(words);
    boolean isOfProcess = matcher.matches();
    String text = isOfProcess ? matcher.group(2) : words;
    if (!text.isBlank() && !Character.isWhitespace(text.charAt(0))) {
      tell("note", isOfProcess ? matcher.group(1) : "run", null, text);
    }
  }

  @Override
  public synchronized void ended(Interval interval) {
    var epoch =
        new View.Epoch(
            interval.unit().name().toLowerCase(Locale.ROOT),
            interval.number(),
            interval.of(),
            interval.loss(),
            interval.accuracy(),
            interval.seconds());
    add(epochs, epoch, MOST_EPOCHS);
    ears.forEach(ear -> ear.accept(epoch));
  }

  @Override
  public void finished(WorkerResult result) {}

  private void tell(String kind, String source, @Nullable Integer path, String text) {
    var item = new View.News(at(), kind, source, path, text);
    add(news, item, MOST_NEWS);
    ears.forEach(ear -> ear.accept(item));
  }

  private double at() {
    return (clock.nanoTime() - startNs) / NS_PER_SECOND;
  }

  private static <T> void add(Deque<T> items, T item, int most) {
    if (items.size() == most) {
      items.remove();
    }
    items.add(item);
  }
}
