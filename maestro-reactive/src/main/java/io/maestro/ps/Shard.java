package io.maestro.ps;

/**
 * A contiguous piece of one tensor that one server keeps: the unit of transfer, of aggregation and
 * of versions.
 *
 * @param id its number in the whole plan, from 0
 * @param name the tensor's name
 * @param tensor the tensor's index
 * @param offset its first element within the tensor
 * @param elements its size in float32 elements
 * @param server the index of the server that keeps it
 */
record Shard(int id, String name, int tensor, long offset, long elements, int server) {

  long bytes() {
    return elements * Float.BYTES;
  }

  long offsetBytes() {
    return offset * Float.BYTES;
  }

  @Override
  public String toString() {
    return "shard %d (%s[%d..%d))".formatted(id, name, offset, offset + elements);
  }
}
