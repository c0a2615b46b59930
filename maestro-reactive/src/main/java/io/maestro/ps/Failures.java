package io.maestro.ps;

import io.maestro.api.MaestroException.DeadlineExceeded;
import io.maestro.api.MaestroException.MemberLost;
import io.maestro.api.MaestroException.Rejected;

/** Turns a server's answer into the error that the caller gets. */
final class Failures {

  private Failures() {}

  static RuntimeException of(Header answer, String server) {
    String text = server + ": " + answer.text();
    return switch (answer.status()) {
      case TOO_LATE -> new TooLate(answer.step());
      case MEMBER_LOST -> memberLost(answer, server);
      case DEADLINE -> new DeadlineExceeded(text);
      default -> new Rejected(answer.status().reason(), text);
    };
  }

  private static MemberLost memberLost(Header answer, String server) {
    int end = Math.max(0, answer.text().indexOf('\n'));
    String address = answer.text().substring(0, end);
    String text = server + ": " + answer.text().substring(end).strip();
    return new MemberLost(text, (int) answer.argument(), address, null);
  }
}
