package io.maestro.boot.actuate;

import io.maestro.api.MaestroStatus;
import io.maestro.api.PathDirective;
import io.maestro.api.PathReport;
import io.maestro.boot.MaestroConnections;
import io.maestro.boot.actuate.ConnectionLog.Entry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * Shows the connections and their paths, and lets operators steer them where {@code
 * management.endpoint.maestro.access} is {@code unrestricted}. Any thread; does not block, but for
 * the doctor, who reads files.
 */
@Endpoint(id = MaestroEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class MaestroEndpoint {
  static final String ID = "maestro";
  static final String DOCTOR = "doctor";

  private final MaestroStatus maestro;
  private final MaestroConnections named;
  private final ConnectionLog log;
  private final Steering steering;

  /** How operators steer. */
  record Steering(OperatorSteering orders, Operators allowed, Optional<String> otherController) {}

  MaestroEndpoint(
      MaestroStatus maestro, MaestroConnections named, ConnectionLog log, Steering steering) {
    this.maestro = maestro;
    this.named = named;
    this.log = log;
    this.steering = steering;
  }

  /** Everything but what the doctor says. */
  @ReadOperation
  public Object all() {
    return new MaestroView(
        maestro.provider(),
        maestro.config().balancer(),
        maestro.config().memoryBudgetBytes(),
        maestro.leasedBytes(),
        entries().stream().map(this::view).toList(),
        log.ended());
  }

  /**
   * What the doctor says, or one connection.
   *
   * @param name {@code doctor}, or the id of a connection
   */
  @ReadOperation
  public @Nullable Object one(@Selector String name) {
    return name.equals(DOCTOR) ? Doctor.look(maestro) : find(name).map(this::view).orElse(null);
  }

  /**
   * Sets the shares of the paths of a connection.
   *
   * @param connection id of the connection
   * @param weights by the numbers of paths, relative to one another, such as {@code 0=3,1=1}: a
   *     text, as the values of a request's body are; paths that are not named carry nothing; empty
   *     to take them back
   */
  @WriteOperation
  public void weigh(SecurityContext user, @Selector String connection, String weights) {
    Entry entry = steerable(user, connection);
    Map<Integer, Double> byPath = new TreeMap<>();
    for (String each : weights.isBlank() ? new String[0] : weights.split(",", -1)) {
      String[] sides = each.strip().split("=", 2);
      byPath.put(path(entry, sides[0]), number(sides[sides.length - 1]));
    }
    try {
      orders(entry).weigh(new PathDirective.Weights(byPath));
    } catch (IllegalArgumentException wrong) {
      throw refused(String.valueOf(wrong.getMessage()));
    }
  }

  /**
   * Denies or allows a path.
   *
   * @param connection id of the connection
   * @param path number of the path
   * @param state {@code DENY}, {@code ASSUMED_BAD} or {@code GOOD}
   */
  @WriteOperation
  public void mark(
      SecurityContext user,
      @Selector String connection,
      @Selector String path,
      PathDirective.State state) {
    Entry entry = steerable(user, connection);
    orders(entry).mark(path(entry, path), state);
  }

  /**
   * Lets a connection decide for itself again.
   *
   * @param connection id of the connection
   */
  @DeleteOperation
  public void takeBack(SecurityContext user, @Selector String connection) {
    orders(steerable(user, connection)).takeBack();
  }

  private List<Entry> entries() {
    return log.of(maestro.connections());
  }

  private Optional<Entry> find(String id) {
    return entries().stream().filter(entry -> entry.id().equals(id)).findFirst();
  }

  private ConnectionView view(Entry entry) {
    Optional<OperatorOrders> orders = steering.orders.ordersFor(entry.connection());
    return new ConnectionView(
        entry.id(),
        named.nameOf(entry.connection()).orElse(null),
        entry.connection().peer(),
        entry.since(),
        entry.connection().credits(),
        entry.connection().paths().stream().map(PathView::of).toList(),
        orders.map(OperatorOrders::marks).orElse(Map.of()),
        orders.map(OperatorOrders::weights).orElse(Map.of()),
        entry.recent().stream().map(ConnectionView.EventView::of).toList());
  }

  private Entry steerable(SecurityContext user, String id) {
    steering.allowed.check(user);
    return find(id).orElseThrow(() -> refused("there is no connection '%s'".formatted(id)));
  }

  private OperatorOrders orders(Entry entry) {
    return steering
        .orders
        .ordersFor(entry.connection())
        .orElseThrow(
            () ->
                refused(
                    steering
                        .otherController
                        .map(other -> "the paths are steered by %s: ask it".formatted(other))
                        .orElse("the connection does not listen to operators yet: try again")));
  }

  private static int path(Entry entry, String number) {
    return entry.connection().paths().stream()
        .map(PathReport::id)
        .filter(id -> Integer.toString(id).equals(number))
        .findFirst()
        .orElseThrow(() -> refused("the connection has no path '%s'".formatted(number)));
  }

  private static double number(String weight) {
    try {
      return Double.parseDouble(weight);
    } catch (NumberFormatException wrong) {
      throw refused("a weight must be a number, was '%s'".formatted(weight));
    }
  }

  private static InvalidEndpointRequestException refused(String reason) {
    return new InvalidEndpointRequestException(reason, reason);
  }
}
