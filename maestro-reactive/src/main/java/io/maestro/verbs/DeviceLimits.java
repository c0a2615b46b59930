package io.maestro.verbs;

/**
 * What a device can do at most.
 *
 * @param maxMessageBytes largest length of one work request, in bytes
 * @param maxPrivateDataBytes largest private data of a connect or an accept, in bytes
 * @param maxSendDepth largest number of posted and not completed sends, writes and reads of a QP
 * @param maxRecvDepth largest number of posted and not completed receives of a QP
 * @param maxReadDepth largest number of outstanding reads of a QP
 */
public record DeviceLimits(
    int maxMessageBytes,
    int maxPrivateDataBytes,
    int maxSendDepth,
    int maxRecvDepth,
    int maxReadDepth) {}
