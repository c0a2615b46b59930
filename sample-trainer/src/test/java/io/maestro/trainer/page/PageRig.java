package io.maestro.trainer.page;

import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.report.PathFigures;
import io.maestro.trainer.report.ProcessEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.http.server.reactive.HttpHandler;
import tools.jackson.databind.json.JsonMapper;

/** A run of two workers and one server over four paths, told by the test. */
final class PageRig implements AutoCloseable {

  static final long SECOND = 1_000_000_000;

  final AtomicLong nowNs = new AtomicLong(5 * SECOND);
  final List<String> told = new CopyOnWriteArrayList<>();
  final RunModel model =
      new RunModel(TrainerOptions.parse(List.of("--model=resnet50")).job(), nowNs::get);
  final EventStream stream = new EventStream(model);
  final HttpHandler handler = LivePage.handler(new PageRoutes(model, stream, new JsonMapper()));

  PageRig begun() {
    model.begins(told::add);
    model.heard("server 0", new ProcessEvent.Listening("127.0.0.1:7000"));
    model.started();
    return this;
  }

  /** Each path of a process has acknowledged so many bytes. */
  PageRig sampled(String child, long... ackedBytes) {
    List<PathFigures> paths = new ArrayList<>();
    for (int path = 0; path < ackedBytes.length; path++) {
      paths.add(figures(path, ackedBytes[path]));
    }
    model.heard(child, new ProcessEvent.Sampled(nowNs.get(), paths));
    return this;
  }

  private static PathFigures figures(int path, long ackedBytes) {
    String nic = "127.0.0." + (path + 1);
    return new PathFigures(path, nic, 7000, "UP", "CLOSED", 0.25, ackedBytes, 0, 2_000_000, 0);
  }

  PageRig after(long ns) {
    nowNs.addAndGet(ns);
    return this;
  }

  @Override
  public void close() {
    stream.close();
  }
}
