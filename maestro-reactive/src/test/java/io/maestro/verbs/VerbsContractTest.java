package io.maestro.verbs;

import org.junit.jupiter.api.Nested;

/**
 * The contract of the provider SPI as tests. A provider extends this class, answers the questions
 * of {@link ContractHost}, and thereby runs them all.
 */
public abstract class VerbsContractTest implements ContractHost {

  @Nested
  class Regions extends RegionContract {
    Regions() {
      super(VerbsContractTest.this);
    }
  }

  @Nested
  class Connecting extends ConnectContract {
    Connecting() {
      super(VerbsContractTest.this);
    }
  }

  @Nested
  class Refusing extends RefuseContract {
    Refusing() {
      super(VerbsContractTest.this);
    }
  }

  @Nested
  class Transfers extends TransferContract {
    Transfers() {
      super(VerbsContractTest.this);
    }
  }

  @Nested
  class Work extends WorkContract {
    Work() {
      super(VerbsContractTest.this);
    }
  }

  @Nested
  class Violations extends ViolationContract {
    Violations() {
      super(VerbsContractTest.this);
    }
  }

  @Nested
  class Closing extends CloseContract {
    Closing() {
      super(VerbsContractTest.this);
    }
  }

  @Nested
  class Loops extends LoopContract {
    Loops() {
      super(VerbsContractTest.this);
    }
  }

  @Nested
  class Traffic extends TrafficContract {
    Traffic() {
      super(VerbsContractTest.this);
    }
  }
}
