package io.maestro.boot;

import io.maestro.api.Routing;
import java.net.InetAddress;
import java.net.URI;
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
 * @param enabled Whether Maestro is set up at all.
 * @param provider Name of the verbs provider that moves the bytes.
 * @param localAddresses Local addresses (virtual NICs) that outgoing paths are bound to, in turn.
 *     Empty: on loopback 127.0.0.1, 127.0.0.2, …, elsewhere the system's choice.
 * @param paths Number of paths of an outgoing connection, 1 to 64.
 * @param chunkSize Size of a chunk, 4KB to 1MB.
 * @param eagerLimit Size of the largest message that is sent without a rendezvous, 0B to 64KB.
 * @param balancer Name of the strategy that spreads chunks over the paths: cnp-weighted,
 *     round-robin, random, least-in-flight, controller-driven, or one of your own.
 * @param memoryBudget Size of the memory that received messages may hold at once. The largest heap
 *     of the JVM when not set.
 * @param window Size of what one path may have unacknowledged, at least a chunk.
 * @param maxMessages Number of messages that may be under way in one direction of a connection, 1
 *     to 65536.
 * @param loops Number of event loops, 1 to 256. Half the processors, 1 to 4, when not set.
 * @param checksum Whether to ask for an end-to-end checksum of every segment.
 * @param security Who may connect.
 * @param timeout Deadlines.
 * @param breaker When a path is given up, and when it is tried again.
 * @param routing How the routes of outgoing paths are chosen.
 * @param control How far a path controller is followed.
 * @param shutdown What happens when the application ends.
 * @param connections Connections by name; each either connects or listens.
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
   * @param secret What both peers know. Empty for none, which only loopback addresses allow.
   * @param allowUnauthenticated Whether peers without a secret may connect on any address; for
   *     trusted networks only.
   * @param ssl Encryption of all paths.
   */
  public record Security(
      @DefaultValue("") String secret,
      @DefaultValue("false") boolean allowUnauthenticated,
      @DefaultValue PeerSsl ssl) {
    /** Hides the secret. */
    @Override
    public String toString() {
      return "Security[secret=%s, allowUnauthenticated=%s, ssl=%s]"
          .formatted(secret.isEmpty() ? "none" : "***", allowUnauthenticated, ssl);
    }
  }

  /**
   * TLS between peers.
   *
   * @param bundle Name of the SSL bundle with our own key and whom to trust; every path is then
   *     encrypted by TLS 1.3, and both sides show a certificate. In the clear when not set.
   */
  public record PeerSsl(@Nullable String bundle) {}

  /**
   * Deadlines.
   *
   * @param connect Time for a whole connection with all its paths.
   * @param send Time for one message, from subscription to completion.
   * @param keepAlive Silence after which a peer is asked for a sign of life; after three times this
   *     it counts as lost.
   * @param close Time for the sends under way when a connection is closed.
   * @param reconnect Time that a connection that has lost its last path waits for one to come back.
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
   * @param stall Time without progress after which a path with work under way is lost, 1ms to 1h.
   * @param slow Time that a chunk may take before it counts as slow.
   * @param backoff Time for which a lost path is left alone first, at least 1ms; it doubles with
   *     each attempt that fails.
   * @param maxBackoff Longest time between two attempts; a path that flaps waits up to 16 times as
   *     long.
   * @param probes Number of probes that must be answered before a path carries chunks again, 1 to
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
   * @param mode What may be done to find routes that share no links: off, predict (from a topology)
   *     or probe.
   * @param topology JSON file that describes the fabric. None when not set; needs jackson-core.
   * @param timeout Time that choosing may add to a connect; also limited to half of the connect
   *     timeout.
   * @param review How often the side that connected looks whether its paths still go separate ways.
   */
  public record Routes(
      @DefaultValue("probe") Routing.Mode mode,
      @Nullable Path topology,
      @DefaultValue("2s") Duration timeout,
      @DefaultValue("30s") Duration review) {}

  /**
   * How far a path controller is followed.
   *
   * @param url Where a path controller listens, as http://host:port or https://host:port. None when
   *     not set; needs Jackson 3.
   * @param ssl TLS with it.
   * @param floor Number of usable paths that it must leave to a connection that has as many, 1 to
   *     64.
   * @param silence Time without a word after which it counts as lost, 100ms to 1m.
   * @param role Role that a user needs to steer paths through the actuator where there is Spring
   *     Security. Empty: everybody may whom it lets in.
   */
  public record Control(
      @Nullable URI url,
      @DefaultValue Ssl ssl,
      @DefaultValue("1") int floor,
      @DefaultValue("600ms") Duration silence,
      @DefaultValue("MAESTRO_OPERATOR") String role) {}

  /**
   * TLS with a path controller.
   *
   * @param bundle Name of the SSL bundle with whom to trust, and with our own key where the
   *     controller wants one. The JDK's trust store when not set.
   */
  public record Ssl(@Nullable String bundle) {}

  /**
   * What happens when the application ends.
   *
   * @param drain Time for listener methods under way to end before connections are closed.
   */
  public record Shutdown(@DefaultValue("10s") Duration drain) {}

  /**
   * A named connection: one of the two lists is set.
   *
   * @param connect Addresses of the peer, as host:port; the paths go to them in turn.
   * @param listen Addresses to listen on, as host:port, typically one for each virtual NIC. Port 0
   *     lets the system choose.
   */
  public record Named(@DefaultValue List<String> connect, @DefaultValue List<String> listen) {}
}
