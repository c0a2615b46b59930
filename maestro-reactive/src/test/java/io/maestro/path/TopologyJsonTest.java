package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyJsonTest {
  private static final String FABRIC =
      """
      {
        "ecmp": {"hash": "linux", "policy": 3, "fields": 55, "seed": 1},
        "nodes": [
          {"name": "host1", "kind": "host", "addresses": ["10.1.1.1", "fd00:1:1::1"]},
          {"name": "host2", "kind": "host", "addresses": ["10.2.2.1"]},
          {"name": "leaf1", "kind": "leaf"},
          {"name": "leaf2", "ecmp": {"hash": "crc32", "select": "threshold", "seed": 4294967295}},
          {"name": "spine1"}, {"name": "spine2"}, {"name": "spine3"}, {"name": "spine4"}
        ],
        "links": [
          {"from": "host1", "to": "leaf1", "mbit": null, "bothWays": true},
          {"from": "host2", "to": "leaf2", "bothWays": true},
          {"from": "leaf1", "to": "spine1", "mbit": 200, "bothWays": true},
          {"from": "leaf1", "to": "spine2", "mbit": 200, "bothWays": true},
          {"from": "leaf1", "to": "spine3", "mbit": 200, "toAddress": "10.101.3.2"},
          {"from": "leaf1", "to": "spine4", "mbit": 0.5},
          {"from": "spine1", "to": "leaf2"},
          {"from": "spine2", "to": "leaf2"},
          {"from": "spine3", "to": "leaf2"},
          {"from": "spine4", "to": "leaf2", "weight": 3}
        ],
        "comment": ["what it does not know, it ignores"]
      }
      """;

  private static TopologyException refusal(String json) {
    return catchThrowableOfType(TopologyException.class, () -> TopologyJson.parse(json));
  }

  /** The flows that Linux 6.18 with this hash sent over spines 3, 4, 4, 3, 3, 2, 1 and 4. */
  @Test
  void aFileTellsTheRoutesThatTheKernelTakes() {
    Topology topology = TopologyJson.parse(FABRIC);
    StringBuilder spines = new StringBuilder();
    for (int port = 61000; port < 61008; port++) {
      FiveTuple flow =
          new FiveTuple(
              InetAddress.ofLiteral("10.1.1.1"),
              port,
              InetAddress.ofLiteral("10.2.2.1"),
              7000,
              FiveTuple.TCP);
      spines.append(topology.predict(flow).route().inner().get(1).replace("spine", ""));
    }
    assertThat(spines).hasToString("34433214");
  }

  @Test
  void everyValueIsReadWhereItStands() {
    Topology topology = TopologyJson.parse(FABRIC);
    assertThat(topology.nodes()).hasSize(8);
    assertThat(topology.links()).hasSize(14);
    assertThat(topology.links().get(4).bitsPerSecond()).isEqualTo(200_000_000);
    assertThat(topology.links().get(5).bitsPerSecond()).isEqualTo(500_000);
    assertThat(topology.links().get(9).weight()).isEqualTo(3);
    assertThat(topology.links().get(10))
        .isEqualTo(new Topology.Link("leaf1", "host1", 0, 1, Topology.Ends.UNKNOWN));
    assertThat(topology.node("leaf1").hash())
        .isEqualTo(new EcmpHash.Linux(EcmpHash.Linux.Policy.FIVE_TUPLE, 1));
    assertThat(topology.node("leaf2").hash())
        .isEqualTo(new EcmpHash.Crc32(-1, EcmpHash.Selection.THRESHOLD));
    assertThat(topology.node("host1").hash()).isNull();
    assertThat(topology.owner(InetAddress.ofLiteral("10.101.3.2")).orElseThrow().name())
        .isEqualTo("spine3");
  }

  @Test
  void aRandomSeedMakesTheHashUnknown() {
    Topology topology = TopologyJson.parse(FABRIC.replace("\"seed\": 1}", "\"seed\": 0}"));
    assertThat(topology.node("leaf1").hash()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"name\": \"leaf1\"|\"name\": 7|6|nodes[2].name|must be a string",
        "{\"name\": \"spine1\"}|{\"name\": \"leaf1\"}|8|nodes[4].name|is there twice",
        "\"to\": \"leaf1\"|\"to\": \"leaf9\"|11|links[0].to|there is no node 'leaf9'",
        "\"mbit\": 0.5|\"mbit\": -1|16|links[5].mbit|must be a number from 0",
        "\"mbit\": 0.5|\"mbit\": \"fast\"|16|links[5].mbit|must be a number",
        "\"weight\": 3|\"weight\": 1.5|20|links[9].weight|must be a whole number",
        "\"10.2.2.1\"|\"host2.example\"|5|nodes[1].addresses[0]|is not an IP address",
        "\"10.2.2.1\"|\"10.1.1.1\"|5|nodes[1].addresses|belongs to 'host1' already",
        "\"hash\": \"crc32\"|\"hash\": \"md5\"|7|nodes[3].ecmp.hash|none of linux, crc32",
        "\"policy\": 3|\"policy\": 2|2|ecmp.policy|cannot be predicted",
        "\"fields\": 55|\"fields\": 54|2|ecmp.fields|must be 55",
        "\"select\": \"threshold\"|\"select\": \"x\"|7|nodes[3].ecmp.select|neither modulo",
        "{\"name\": \"spine2\"}|{}|8|nodes[5]|has no 'name'",
        "\"links\"|\"lynx\"|1|document|has no 'links'",
        "\"nodes\": [|\"nodes\": [[], |3|nodes[0]|must be an object",
        "\"bothWays\": true|\"bothWays\": 1|11|links[0].bothWays|must be true or false",
        "\"from\": \"host1\"|\"from\": \"leaf1\", \"from\": \"host1\"|11|links[0].from|twice",
        "\"weight\": 3}|\"weight\": 3|21|document|is not JSON",
      })
  void aBadFileIsRefusedWithLineAndField(
      String good, String bad, int line, String field, String problem) {
    assertThat(FABRIC).contains(good);
    String json =
        FABRIC.substring(0, FABRIC.indexOf(good))
            + bad
            + FABRIC.substring(FABRIC.indexOf(good) + good.length());
    TopologyException refusal = refusal(json);
    assertThat(refusal).isNotNull();
    assertThat(refusal.line()).as(refusal.getMessage()).isEqualTo(line);
    assertThat(refusal.field()).isEqualTo(field);
    assertThat(refusal).hasMessageStartingWith("line %d, %s: ", line, field);
    assertThat(refusal).hasMessageContaining(problem);
  }

  @Test
  void whatIsNoObjectAtAllIsRefused() {
    assertThat(refusal("")).hasMessageContaining("is empty");
    assertThat(refusal("[]")).hasMessageContaining("must be an object");
    assertThat(refusal("{} {}")).hasMessageContaining("behind its end");
    assertThat(refusal("[".repeat(100))).hasMessageContaining("too deeply");
  }
}
