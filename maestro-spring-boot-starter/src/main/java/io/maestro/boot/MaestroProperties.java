package io.maestro.boot;

import io.maestro.api.Routing;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings {@code maestro.*} of an application.
 *
 * @param enabled whether Maestro is set up at all.
 * @param provider name of the verbs provider that moves the bytes.
 * @param localAddresses local addresses (virtual NICs) that outgoing paths are bound to, in turn.
 *     Empty: on loopback 127.0.0.1, 127.0.0.2, …, elsewhere the system's choice.
 * @param paths number of paths of an outgoing connection, 1 to 64.
 * @param chunkSize size of a chunk, 4KB to 1MB.
 * @param eagerLimit size of the largest message that is sent without a rendezvous, 0B to 64KB.
 * @param balancer name of the strategy that spreads chunks over the paths: cnp-weighted,
 *     round-robin, random, least-in-flight, controller-driven, or one of your own.
 * @param memoryBudget size of the memory that received messages may hold at once. The largest heap
 *     of the JVM when not set.
 * @param window size of what one path may have unacknowledged, at least a chunk.
 * @param maxMessages number of messages that may be under way in one direction of a connection, 1
 *     to 65536.
 * @param loops number of event loops, 1 to 256. Half the processors, 1 to 4, when not set.
 * @param checksum whether to ask for an end-to-end checksum of every segment.
 * @param security who may connect.
 * @param timeout deadlines.
 * @param breaker when a path is given up, and when it is tried again.
 * @param routing how the routes of outgoing paths are chosen.
 * @param control how far a path controller is followed.
 * @param shutdown what happens when the application ends.
 * @param connections connections by name; each either connects or listens.
 */
@ConfigurationProperties("maestro")
public record MaestroProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("iwarp") String provider,
    @DefaultValue List<InetAddress> localAddresses,
    @DefaultValue("4") int paths,
    @DefaultValue("50KB") DataSize chunkSize,
    @DefaultValue("16KB") DataSize eagerLimit,
    @DefaultValue("cnp-weighted") String balancer,
    @Nullable DataSize memoryBudget,
    @DefaultValue("4MB") DataSize window,
    @DefaultValue("64") int maxMessages,
    @Nullable Integer loops,
    @DefaultValue("false") boolean checksum,
    @DefaultValue Security security,
    @DefaultValue Timeout timeout,
    @DefaultValue Breaker breaker,
    @DefaultValue Routes routing,
    @DefaultValue Control control,
    @DefaultValue Shutdown shutdown,
    @DefaultValue Map<String, Named> connections) {

  /**
   * Who may connect.
   *
   * @param secret what both peers know. Empty for none, which only loopback addresses allow.
   * @param allowUnauthenticated whether peers without a secret may connect on any address; for
   *     trusted networks only.
   */
  public record Security(
      @DefaultValue("") String secret, @DefaultValue("false") boolean allowUnauthenticated) {
    /** Hides the secret. */
    @Override
    public String toString() {
      return "Security[secret=%s, allowUnauthenticated=%s]"
          .formatted(secret.isEmpty() ? "none" : "***", allowUnauthenticated);
    }
  }

  /**
   * Deadlines.
   *
   * @param connect time for a whole connection with all its paths.
   * @param send time for one message, from subscription to completion.
   * @param keepAlive silence after which a peer is asked for a sign of life; after three times this
   *     it counts as lost.
   * @param close time for the sends under way when a connection is closed.
   * @param reconnect time that a connection that has lost its last path waits for one to come back.
   */
  public record Timeout(
      @DefaultValue("10s") Duration connect,
      @DefaultValue("5m") Duration send,
      @DefaultValue("2s") Duration keepAlive,
      @DefaultValue("10s") Duration close,
      @DefaultValue("10s") Duration reconnect) {}

  /**
   * The circuit breaker of each path. A configuration named maestro in the application's circuit
   * breaker registry takes the place of slow and probes.
   *
   * @param stall time without progress after which a path with work under way is lost, 1ms to 1h.
   * @param slow time that a chunk may take before it counts as slow.
   * @param backoff time for which a lost path is left alone first, at least 1ms; it doubles with
   *     each attempt that fails.
   * @param maxBackoff longest time between two attempts; a path that flaps waits up to 16 times as
   *     long.
   * @param probes number of probes that must be answered before a path carries chunks again, 1 to
   *     100.
   */
  public record Breaker(
      @DefaultValue("50ms") Duration stall,
      @DefaultValue("2s") Duration slow,
      @DefaultValue("100ms") Duration backoff,
      @DefaultValue("1s") Duration maxBackoff,
      @DefaultValue("3") int probes) {}

  /**
   * How the routes of outgoing paths are chosen.
   *
   * @param mode what may be done to find routes that share no links: off, predict (from a topology)
   *     or probe.
   * @param topology JSON file that describes the fabric. Needs jackson-core.
   * @param timeout time that choosing may add to a connect; also limited to half of the connect
   *     timeout.
   */
  public record Routes(
      @DefaultValue("probe") Routing.Mode mode,
      @Nullable Path topology,
      @DefaultValue("2s") Duration timeout) {}

  /**
   * How far a path controller is followed.
   *
   * @param floor number of usable paths that it must leave to a connection that has as many, 1 to
   *     64.
   * @param silence time without a word after which it counts as lost, 100ms to 1m.
   */
  public record Control(@DefaultValue("1") int floor, @DefaultValue("600ms") Duration silence) {}

  /**
   * What happens when the application ends.
   *
   * @param drain time for listener methods under way to end before connections are closed.
   */
  public record Shutdown(@DefaultValue("10s") Duration drain) {}

  /**
   * A named connection: one of the two lists is set.
   *
   * @param connect addresses of the peer, as host:port; the paths go to them in turn.
   * @param listen addresses to listen on, as host:port, typically one for each virtual NIC. Port 0
   *     lets the system choose.
   */
  public record Named(@DefaultValue List<String> connect, @DefaultValue List<String> listen) {}
}
