package io.maestro.verbs.iwarp;

/**
 * What the two sides of a connection agreed on.
 *
 * @param checksum whether FPDUs carry a CRC
 * @param sendsAfterPeer whether this side waits for the peer's first FPDU: the accepting side must,
 *     RFC 5044 section 7.1
 * @param sendsReadyToReceive whether this side's first FPDU is an empty WRITE that ends that wait
 * @param outboundReads READs that this side may have outstanding (ORD)
 * @param inboundReads READs of the peer that this side takes (IRD)
 */
record MpaTerms(
    boolean checksum,
    boolean sendsAfterPeer,
    boolean sendsReadyToReceive,
    int outboundReads,
    int inboundReads) {}
