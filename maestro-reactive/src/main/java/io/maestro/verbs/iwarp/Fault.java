package io.maestro.verbs.iwarp;

import io.maestro.verbs.VerbsException.Kind;

/** Why a stream is terminated: layer, error type and error code of RFC 5040 section 4.8. */
enum Fault {
  LOCAL_CATASTROPHIC(0x000000, Kind.CONNECTION_LOST, "an error of the terminating side"),
  READ_STAG_INVALID(0x000100, Kind.REMOTE_ACCESS, "READ of an unknown key"),
  READ_OUT_OF_BOUNDS(0x000101, Kind.REMOTE_ACCESS, "READ outside its region"),
  ACCESS_DENIED(0x000102, Kind.REMOTE_ACCESS, "access without the right to it"),
  READ_STAG_OF_OTHER_DOMAIN(0x000103, Kind.REMOTE_ACCESS, "READ of another domain's region"),
  READ_ADDRESS_WRAPS(0x000104, Kind.REMOTE_ACCESS, "READ past the end of the address space"),
  STAG_NOT_INVALIDATED(0x000109, Kind.PROTOCOL, "remote invalidation is not supported"),
  BAD_RDMAP_VERSION(0x000205, Kind.PROTOCOL, "unknown RDMAP version"),
  UNEXPECTED_OPCODE(0x000206, Kind.PROTOCOL, "unexpected RDMAP opcode"),
  MALFORMED_MESSAGE(0x0002FF, Kind.PROTOCOL, "malformed RDMAP message"),
  TAGGED_STAG_INVALID(0x010100, Kind.REMOTE_ACCESS, "WRITE to an unknown key"),
  TAGGED_OUT_OF_BOUNDS(0x010101, Kind.REMOTE_ACCESS, "WRITE outside its region"),
  TAGGED_STAG_OF_OTHER_DOMAIN(0x010102, Kind.REMOTE_ACCESS, "WRITE to another domain's region"),
  TAGGED_ADDRESS_WRAPS(0x010103, Kind.REMOTE_ACCESS, "WRITE past the end of the address space"),
  TAGGED_BAD_DDP_VERSION(0x010104, Kind.PROTOCOL, "unknown DDP version"),
  INVALID_QUEUE(0x010201, Kind.PROTOCOL, "unknown untagged queue"),
  NO_BUFFER(0x010202, Kind.REMOTE_ACCESS, "a message met no posted receive or read slot"),
  MSN_OUT_OF_RANGE(0x010203, Kind.PROTOCOL, "wrong message sequence number"),
  INVALID_OFFSET(0x010204, Kind.PROTOCOL, "wrong message offset"),
  MESSAGE_TOO_LONG(0x010205, Kind.REMOTE_ACCESS, "a SEND longer than its receive"),
  UNTAGGED_BAD_DDP_VERSION(0x010206, Kind.PROTOCOL, "unknown DDP version"),
  CRC_WRONG(0x020002, Kind.PROTOCOL, "wrong CRC"),
  LENGTH_WRONG(0x020003, Kind.PROTOCOL, "wrong ULPDU length");

  private static final Fault[] ALL = values();

  private final int number;
  private final Kind kind;
  private final String text;

  Fault(int number, Kind kind, String text) {
    this.number = number;
    this.kind = kind;
    this.text = text;
  }

  /** The first 16 bits of the Terminate Control field: layer, type, code. */
  int control() {
    return (((number >> 16) & 0xF) << 12) | (((number >> 8) & 0xF) << 8) | (number & 0xFF);
  }

  Kind kind() {
    return kind;
  }

  String text() {
    return text;
  }

  /** The kind that a received Terminate means, also for codes that this side never sends. */
  static Kind kindOf(int control) {
    for (Fault fault : ALL) {
      if (fault.control() == control) {
        return fault.kind;
      }
    }
    int layerAndType = control >> 8;
    return layerAndType == 0x01 || layerAndType == 0x11 ? Kind.REMOTE_ACCESS : Kind.PROTOCOL;
  }

  /** What a received Terminate says, for people. */
  static String describe(int control) {
    for (Fault fault : ALL) {
      if (fault.control() == control) {
        return fault.text;
      }
    }
    return "layer %d, type %d, code 0x%02x"
        .formatted((control >> 12) & 0xF, (control >> 8) & 0xF, control & 0xFF);
  }
}
