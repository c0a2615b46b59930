package io.maestro.boot.actuate;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.security.access.AccessDeniedException;

/** Who may steer paths. */
@FunctionalInterface
interface Operators {

  /** Whoever the endpoint lets in: there is no Spring Security that would know users. */
  Operators EVERYBODY = user -> {};

  /** Throws what its framework answers with 401 or 403. */
  void check(SecurityContext user);

  /** Users of a role; all of them when it is empty. */
  static Operators withRole(String role) {
    return role.isEmpty() ? EVERYBODY : new OfRole(role);
  }

  /** Apart, so that nothing of Spring Security is loaded where there is none. */
  record OfRole(String role) implements Operators {
    @Override
    public void check(SecurityContext user) {
      if (!user.isUserInRole(role)) {
        throw new AccessDeniedException(
            "steering paths needs the role %s (maestro.control.role)".formatted(role));
      }
    }
  }
}
