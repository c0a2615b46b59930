package io.maestro.collective;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.api.MaestroException;
import org.junit.jupiter.api.Test;

class AgreementTest {

  private final Agreement agreement = new Agreement(3, Tag.Kind.COLLECTIVE);

  private static Tag call(long number, int what) {
    return new Tag(Tag.Kind.COLLECTIVE, number, what, 0, 0);
  }

  @Test
  void messagesOfTheCallAndOfOneLaterCallAreTaken() {
    agreement.enter(call(1, 7));
    assertThatNoException()
        .isThrownBy(
            () -> {
              agreement.check(call(4, 8));
              agreement.check(call(1, 7));
              agreement.check(call(4, 8).at(3, 1));
            });
  }

  @Test
  void aSecondLaterCallIsRefusedUntilTheFirstHasBegun() {
    agreement.enter(call(1, 7));
    agreement.check(call(2, 7));
    assertThatThrownBy(() -> agreement.check(call(3, 7)))
        .isInstanceOf(MaestroException.Refused.class)
        .hasMessageContaining("rank 3 is in call 3 while this rank is in call 1");
    agreement.enter(call(2, 7));
    assertThatNoException().isThrownBy(() -> agreement.check(call(3, 7)));
  }

  @Test
  void aMessageOfACallThatHasEndedIsRefused() {
    agreement.enter(call(1, 7));
    agreement.enter(call(2, 7));
    assertThatThrownBy(() -> agreement.check(call(1, 7))).hasMessageContaining("has ended here");
  }

  @Test
  void anotherCallOfTheSameNumberIsRefusedWhoeverIsFirst() {
    agreement.enter(call(1, 7));
    assertThatThrownBy(() -> agreement.check(call(1, 8))).hasMessageContaining("another one");
    agreement.check(call(2, 9));
    assertThatThrownBy(() -> agreement.enter(call(2, 7))).hasMessageContaining("another one");
  }
}
