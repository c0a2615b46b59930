package io.maestro.verbs.ffi.rdma;

/** A constant of a C header. */
interface CConstant {

  /** Its name in C. */
  String symbol();

  /** Its value in C. */
  int value();
}
