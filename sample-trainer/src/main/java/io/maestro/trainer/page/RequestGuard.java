package io.maestro.trainer.page;

import java.util.List;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.HandlerFilterFunction;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * Keeps other sites out: a page that the user has open in another tab can reach loopback too.
 * Requests must name a loopback host, so that no foreign name can be made to point here; those that
 * change something must come from this page, or from no page, and be JSON, which another site may
 * not send unasked.
 */
final class RequestGuard implements HandlerFilterFunction<ServerResponse, ServerResponse> {

  private static final Set<String> HOSTS = Set.of("127.0.0.1", "localhost", "[::1]");
  private static final List<String> FETCHES = List.of("same-origin", "none");

  @Override
  public Mono<ServerResponse> filter(ServerRequest request, HandlerFunction<ServerResponse> next) {
    if (!HOSTS.contains(host(request))) {
      return refuse(HttpStatus.MISDIRECTED_REQUEST, "this page answers on loopback names only");
    }
    if (request.method().equals(HttpMethod.POST)) {
      if (!isOwn(request)) {
        return refuse(HttpStatus.FORBIDDEN, "the request comes from another site");
      }
      if (!isJson(request)) {
        return refuse(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "the body must be application/json");
      }
    }
    return next.handle(request);
  }

  private static String host(ServerRequest request) {
    String host = first(request, HttpHeaders.HOST);
    int port = host.lastIndexOf(':');
    return port > host.lastIndexOf(']') ? host.substring(0, port) : host;
  }

  private static boolean isOwn(ServerRequest request) {
    String site = first(request, "Sec-Fetch-Site");
    String origin = first(request, HttpHeaders.ORIGIN);
    return (site.isEmpty() || FETCHES.contains(site))
        && (origin.isEmpty() || origin.equals("http://" + first(request, HttpHeaders.HOST)));
  }

  private static boolean isJson(ServerRequest request) {
    return request
        .headers()
        .contentType()
        .filter(type -> type.equalsTypeAndSubtype(MediaType.APPLICATION_JSON))
        .isPresent();
  }

  private static String first(ServerRequest request, String header) {
    String value = request.headers().firstHeader(header);
    return value == null ? "" : value;
  }

  private static Mono<ServerResponse> refuse(HttpStatus status, String reason) {
    return ServerResponse.status(status).contentType(MediaType.TEXT_PLAIN).bodyValue(reason);
  }
}
