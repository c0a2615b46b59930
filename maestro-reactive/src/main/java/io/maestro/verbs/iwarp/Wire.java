package io.maestro.verbs.iwarp;

/** Numbers of the protocols: MPA (RFC 5044), DDP (RFC 5041) and RDMAP (RFC 5040). */
final class Wire {
  /** DDP control, RFC 5041 section 4.1: tagged, last, and version 1 in the low two bits. */
  static final int TAGGED = 0x80;

  static final int LAST = 0x40;
  static final int DDP_VERSION_MASK = 0x03;
  static final int DDP_VERSION = 0x01;

  /**
   * RDMAP control, RFC 5040 section 4.1: version 1 in the high two bits, opcode in the low four.
   */
  static final int RDMAP_VERSION_MASK = 0xC0;

  static final int RDMAP_VERSION = 0x40;
  static final int OPCODE_MASK = 0x0F;

  /** Opcodes, RFC 5040 section 4.2. */
  static final int WRITE = 0;

  static final int READ_REQUEST = 1;
  static final int READ_RESPONSE = 2;
  static final int SEND = 3;
  static final int SEND_INVALIDATE = 4;
  static final int SEND_SOLICITED = 5;
  static final int SEND_SOLICITED_INVALIDATE = 6;
  static final int TERMINATE = 7;

  /** Untagged queues, RFC 5040 section 4.1. */
  static final int SEND_QUEUE = 0;

  static final int READ_REQUEST_QUEUE = 1;
  static final int TERMINATE_QUEUE = 2;

  static final int MPA_LENGTH_BYTES = 2;
  static final int CRC_BYTES = 4;
  static final int TAGGED_HEADER_BYTES = 14;
  static final int UNTAGGED_HEADER_BYTES = 18;
  static final int READ_REQUEST_BYTES = 28;

  /** Longest FPDU: length field, 65,535 bytes of ULPDU, padding, CRC. */
  static final int MAX_FPDU_BYTES = MPA_LENGTH_BYTES + 0xFFFF + 3 + CRC_BYTES;

  /** Payload of one DDP segment: whole pages, so that a long message stays aligned. */
  static final int MAX_SEGMENT_BYTES = 60 * 1024;

  private Wire() {}

  /** Zero bytes after a ULPDU so that the CRC is aligned to four bytes, RFC 5044 section 4.1. */
  static int padding(int ulpduBytes) {
    return -(MPA_LENGTH_BYTES + ulpduBytes) & 3;
  }
}
