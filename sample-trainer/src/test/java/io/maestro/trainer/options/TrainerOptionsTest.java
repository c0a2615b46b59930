package io.maestro.trainer.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainerOptionsTest {

  @Test
  void withoutOptionsTwoWorkersTrainDigitsOverFourPaths() {
    TrainerOptions options = parse();

    assertThat(options.role()).isEqualTo(Role.LOCAL);
    assertThat(options.job())
        .isEqualTo(new TrainerOptions.Job("digits", 2, 1, 4, 5, 100, 0, 42, false));
    assertThat(options.report()).isNull();
    assertThat(options.help()).isFalse();
  }

  @Test
  void everyOptionIsRead() {
    TrainerOptions options =
        parse(
            "--role=worker",
            "--workers=4",
            "--servers=2",
            "--paths=8",
            "--model=vgg19",
            "--epochs=3",
            "--batch=64",
            "--steps=7",
            "--seed=-1",
            "--report=out/r.json",
            "--elastic",
            "--rank=3",
            "--listen=0.0.0.0:9",
            "--peers=127.0.0.2:1,[::1]:2",
            "--controller=127.0.0.1:3",
            "--topology=fabric.json");

    assertThat(options.role()).isEqualTo(Role.WORKER);
    assertThat(options.job())
        .isEqualTo(new TrainerOptions.Job("vgg19", 4, 2, 8, 3, 64, 7, -1, true));
    assertThat(options.report()).isEqualTo(Path.of("out", "r.json"));
    assertThat(options.steering())
        .isEqualTo(
            new TrainerOptions.Steering(
                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 3),
                Path.of("fabric.json")));
    assertThat(options.place().rank()).isEqualTo(3);
    assertThat(options.place().peers())
        .extracting(InetSocketAddress::toString)
        .containsExactly("/127.0.0.2:1", "/[0:0:0:0:0:0:0:1]:2");
  }

  @Test
  void theOptionsOfSpringAndOfTheTransportArePassedOn() {
    TrainerOptions options = parse("--maestro.chunk-size=100KB", "--logging.level.root=info");

    assertThat(options.others())
        .containsExactly("--maestro.chunk-size=100KB", "--logging.level.root=info");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --worker=2         | unknown option --worker; is --workers meant?
          --turbo            | unknown option --turbo
          fast               | 'fast' is no option: options start with --
          --workers          | --workers needs a value
          --workers=0        | --workers is a whole number from 1 to 64, not '0'
          --workers=two      | --workers is a whole number from 1 to 64, not 'two'
          --paths=65         | --paths is a whole number from 1 to 64, not '65'
          --role=king        | --role is one of local, server, worker, single, controller, not 'king'
          --model=vgg16      | --model is one of digits, vgg19, bert-large, resnet50, not 'vgg16'
          --elastic=maybe    | --elastic is one of true, false, not 'maybe'
          --batch=101        | --batch must be a multiple of the 2 workers
          --listen=host      | --listen is host:port, not 'host'
          --listen=host:x    | --listen is host:port, not 'host:x'
          --listen=:80       | --listen is host:port, not ':80'
          --role=worker      | --peers must name the 1 server(s), but names 0
          """)
  void aWrongOptionIsExplained(String argument, String message) {
    assertThatThrownBy(() -> parse(argument))
        .isInstanceOf(InvalidOptionException.class)
        .hasMessage(message);
  }

  @Test
  void optionsThatContradictEachOtherAreExplained() {
    assertThatThrownBy(() -> parse("--seed=1", "--seed=2")).hasMessage("--seed is given twice");
    assertThatThrownBy(() -> parse("--role=worker", "--peers=127.0.0.1:1", "--rank=2"))
        .hasMessage("--rank counts from 0 and there are 2 workers, so it is not 2");
    assertThatThrownBy(() -> parse("--role=server", "--rank=1"))
        .hasMessage("--rank counts from 0 and there are 1 servers, so it is not 1");
    assertThatThrownBy(() -> parse("--role=single", "--model=vgg19"))
        .hasMessageStartingWith("--role single needs --model=digits");
  }

  @Test
  void askingForHelpNeedsNothingElseToBeRight() {
    assertThat(parse("--help", "--role=worker").help()).isTrue();
  }

  @Test
  void theHelpNamesEveryOption() {
    for (Option option : Option.values()) {
      assertThat(TrainerOptions.usage()).contains("--" + option.label());
    }
  }

  private static TrainerOptions parse(String... arguments) {
    return TrainerOptions.parse(List.of(arguments));
  }

  @Test
  void workersThatAllReduceHaveNoServersAndKnowOneAnother() {
    TrainerOptions options =
        parse("--sync=allreduce", "--role=worker", "--peers=127.0.0.1:1,127.0.0.1:2");

    assertThat(options.job().servers()).isZero();
    assertThat(options.job().allReduces()).isTrue();
    assertThatThrownBy(() -> parse("--sync=allreduce", "--role=worker", "--peers=127.0.0.1:1"))
        .hasMessage("--peers must name the 2 workers, but names 1");
    assertThatThrownBy(() -> parse("--sync=allreduce", "--servers=2"))
        .hasMessageContaining("--servers needs --sync=ps");
    assertThatThrownBy(() -> parse("--sync=allreduce", "--role=server"))
        .hasMessageContaining("--role server needs --sync=ps");
    assertThatThrownBy(() -> parse("--sync=allreduce", "--elastic"))
        .hasMessageContaining("--elastic needs --sync=ps");
    assertThatThrownBy(() -> parse("--sync=ring"))
        .hasMessage("--sync is one of ps, allreduce, not 'ring'");
  }
}
