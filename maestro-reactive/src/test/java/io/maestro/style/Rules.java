package io.maestro.style;

/** Limits that the scanner applies; a public type must have Javadoc where it is published. */
record Rules(int methodLines, int parameters, boolean javadocOnPublicTypes) {
  static final Rules PRODUCT = new Rules(40, 5, true);
  static final Rules TESTS = new Rules(40, 5, false);
}
