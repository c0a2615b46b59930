package io.maestro.collective;

/** The type of the elements of a region, in the byte order of the host. */
public enum ElementType {
  /** IEEE 754 binary32. */
  FLOAT32(4),
  /** IEEE 754 binary64. */
  FLOAT64(8),
  /** IEEE 754 binary16; each operation is done in binary32 and rounded to nearest even. */
  FLOAT16(2),
  /** The upper half of a binary32; each operation is done in it and rounded to nearest even. */
  BFLOAT16(2),
  /** 32-bit integers in two's complement. */
  INT32(4),
  /** 64-bit integers in two's complement. */
  INT64(8);

  private final int bytes;

  ElementType(int bytes) {
    this.bytes = bytes;
  }

  /** The size of one element in bytes. */
  public int bytes() {
    return bytes;
  }
}
