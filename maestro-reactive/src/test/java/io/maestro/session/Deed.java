package io.maestro.session;

import io.maestro.verbs.sim.LinkOptions;
import java.time.Duration;

/** Something that users, the network or a machine do to a simulated connection. */
sealed interface Deed {

  // ---- what users do

  record Send(Side from, int number, long bytes, int priority, Duration timeout) implements Deed {}

  record Cancel(Side from, int number) implements Deed {}

  /** The receiver cancels its subscription, and subscribes anew after a while. */
  record Resubscribe(Side at, Duration pause) implements Deed {}

  /** A one-sided access to a part of the memory that the other side has exported. */
  record Access(Side from, boolean write, int part, int bytes) implements Deed {}

  /** Ends the export of one's memory. */
  record Revoke(Side of) implements Deed {}

  record Close(Side who) implements Deed {}

  // ---- what the network does

  /** Changes the rate, the delay and the losses of a path's link. */
  record Change(int path, LinkOptions link) implements Deed {}

  /** One direction of a path's link loses everything in silence, or no more. */
  record Swallow(int path, Side from, boolean on) implements Deed {}

  record Cable(int path, boolean plugged) implements Deed {}

  /** Both ends of a path are in error at once. */
  record Reset(int path) implements Deed {}

  // ---- what machines do

  /** A queue pair of one side fails. */
  record Fail(Side at, int path) implements Deed {}

  /** A loop comes to no turn, or does again. */
  record Freeze(Side at, int loop, boolean on) implements Deed {}

  /** A process is killed: its system resets its connections. */
  record Kill(Side who) implements Deed {}

  /** A machine is gone in silence. */
  record Vanish(Side who) implements Deed {}
}
