package io.maestro.collective;

/** How elements of several ranks become one. */
public enum ReduceOp {
  /** The sum; integers wrap around. */
  SUM,
  /** The sum divided by the number of ranks; integers are rounded towards zero. */
  AVG,
  /** The least; NaN if one is NaN. */
  MIN,
  /** The greatest; NaN if one is NaN. */
  MAX,
  /** The product; integers wrap around. */
  PROD
}
