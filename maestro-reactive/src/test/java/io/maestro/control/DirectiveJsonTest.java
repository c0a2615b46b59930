package io.maestro.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.maestro.api.PathDirective;
import io.maestro.api.PathDirective.Mark;
import io.maestro.api.PathDirective.State;
import io.maestro.api.PathSet;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectiveJsonTest {

  @Test
  void whatIsWrittenIsReadAgain() {
    InetAddress one = InetAddress.ofLiteral("fd00::1");
    InetAddress other = InetAddress.ofLiteral("fd00::2");
    for (PathDirective directive :
        new PathDirective[] {
          new PathDirective.Heartbeat(),
          new PathDirective.Weights(Map.of(0, 0.25, 3, 0.75)),
          new Mark(new PathSet.Path(2), State.DENY),
          new Mark(new PathSet.Pair(one, other), State.ASSUMED_BAD),
          new Mark(new PathSet.Link("leaf1", "spine2"), State.GOOD)
        }) {
      assertThat(DirectiveJson.read(DirectiveJson.write(directive))).isEqualTo(directive);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"directive":"weights","byPath":{"0":-1}}            | weight of path 0
          {"directive":"weights","byPath":{"0":"NaN"}}         | must hold a number
          {"directive":"weights","byPath":{"x":1}}             | must hold a number
          {"directive":"weights"}                              | 'byPath' must be an object
          {"directive":"mark","path":0,"state":"FINE"}         | 'state' must be GOOD
          {"directive":"mark","state":"DENY"}                  | 'local' must be a text
          {"directive":"mark","from":"a","state":"DENY"}       | 'to' must be a text
          {"directive":"panic"}                                | must be heartbeat, weights or mark
          []                                                   | 'directive' must be a text
          {"directive":                                        | not JSON
          """)
  void whatMakesNoSenseIsRefusedWithAReason(String text, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DirectiveJson.read(text))
        .withMessageContaining(reason);
  }

  @Test
  void eventsComeTogetherFromAnyPieces() {
    byte[] stream = "data: one\n\n: none\ndata:two\n\n".getBytes(StandardCharsets.UTF_8);
    EventLines lines = new EventLines();
    StringBuilder heard = new StringBuilder();
    for (byte next : stream) {
      lines
          .take(ByteBuffer.wrap(new byte[] {next}))
          .forEach(event -> heard.append(event).append(';'));
    }
    assertThat(heard).hasToString("one;two;");
  }
}
