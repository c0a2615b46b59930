package io.maestro.verbs;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A group of tests of the contract: fresh devices for each test. */
abstract class ContractGroup {
  final ContractHost host;
  ContractFixture fabric;

  ContractGroup(ContractHost host) {
    this.host = host;
  }

  @BeforeEach
  void openDevices() {
    fabric = new ContractFixture(host);
  }

  @AfterEach
  void closeDevices() {
    fabric.close();
  }
}
