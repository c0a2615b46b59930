package io.maestro.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Region;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

class PostsTest {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Posts posts = new Posts();
  private final AtomicBoolean freed = new AtomicBoolean();
  private final Region region = Region.wrap(Arena.ofAuto().allocate(4), () -> freed.set(true));

  private Sinks.Empty<Void> post() {
    Sinks.Empty<Void> send = Sinks.empty();
    region.retain();
    posts.sending(region, send.asMono()).subscribe(none -> {}, failure -> {});
    return send;
  }

  @Test
  void withoutPostsThereIsNothingToWaitFor() {
    StepVerifier.create(posts.idle()).expectComplete().verify(LIMIT);
  }

  @Test
  void whoLeavesWaitsForAllPostsThoughSomeFail() {
    Sinks.Empty<Void> one = post();
    Sinks.Empty<Void> other = post();
    AtomicBoolean idle = new AtomicBoolean();
    posts.idle().subscribe(none -> {}, failure -> {}, () -> idle.set(true));

    one.tryEmitEmpty();
    assertThat(idle).isFalse();
    other.tryEmitError(new IllegalStateException("lost"));
    assertThat(idle).isTrue();
  }

  @Test
  void regionsAreReleasedBeforeThoseWhoWaitGoOn() {
    Sinks.Empty<Void> send = post();
    region.close(); // the post holds it alone
    AtomicBoolean freedBefore = new AtomicBoolean();
    posts.idle().subscribe(none -> {}, failure -> {}, () -> freedBefore.set(freed.get()));

    assertThat(freed).isFalse();
    send.tryEmitEmpty();
    assertThat(freedBefore).isTrue();
  }
}
