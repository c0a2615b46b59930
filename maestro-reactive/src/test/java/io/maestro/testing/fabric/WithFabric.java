package io.maestro.testing.fabric;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A system test whose methods take a {@link Fabric}: one for all tests of the class, taken away
 * after the last. The tests are skipped where this machine cannot have one, or fail where system
 * tests are required. What a test changes, it must change back. See {@link FabricOptions}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("system")
@ExtendWith(FabricExtension.class)
public @interface WithFabric {
  /** How many hosts. */
  int hosts() default 2;

  /** How many leaves. */
  int leaves() default 2;

  /** How many spines. */
  int spines() default 4;

  /** Addresses of each host. */
  int aliases() default 4;

  /** Rate of each spine's links, in Mbit/s. */
  int[] mbit() default {200};

  /** MTU of every link. */
  int mtuBytes() default 9000;

  /** Seed of the ECMP hash. */
  long seed() default 1;

  /** Commands that the tests need beside those of the fabric. */
  String[] commands() default {};
}
