package io.maestro.trainer.fault;

import java.net.InetAddress;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a process is told to do to a virtual NIC, as a line of JSON.
 *
 * @param virtualNic its address, as a literal
 */
public record FaultOrder(String virtualNic, Fault fault) {

  /** The line, without its end. */
  public String line(JsonMapper mapper) {
    return mapper.writeValueAsString(this);
  }

  /**
   * The order in a line.
   *
   * @throws tools.jackson.core.JacksonException when it is none
   */
  public static FaultOrder parse(String line, JsonMapper mapper) {
    return mapper.readValue(line, FaultOrder.class);
  }

  /**
   * Does it.
   *
   * @throws IllegalArgumentException when the address is no literal
   */
  public void carryOut(FaultBoard board) {
    board.set(InetAddress.ofLiteral(virtualNic), fault);
  }
}
