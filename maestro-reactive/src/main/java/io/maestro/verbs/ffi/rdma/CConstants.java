package io.maestro.verbs.ffi.rdma;

import java.util.List;
import java.util.stream.Stream;

/** Every constant of the libraries that is used here. */
final class CConstants {

  private CConstants() {}

  static List<CConstant> all() {
    return Stream.<CConstant[]>of(
            CmEventType.values(),
            IbvWcStatus.values(),
            IbvWcOpcode.values(),
            IbvWrOpcode.values(),
            IbvEventType.values(),
            IbvQpState.values(),
            IbvQpType.values(),
            IbvQpAttrMask.values(),
            IbvPortState.values(),
            IbvLinkLayer.values(),
            IbvGidType.values(),
            IbvMtu.values(),
            IbvAccess.values(),
            IbvSendFlag.values(),
            RdmaPortSpace.values(),
            RdmaOption.values())
        .flatMap(Stream::of)
        .toList();
  }
}
