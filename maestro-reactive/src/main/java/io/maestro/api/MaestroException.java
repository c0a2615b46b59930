package io.maestro.api;

import org.jspecify.annotations.Nullable;

/**
 * A failure that a user of Maestro can meet. {@link Transient} ones may succeed when tried again;
 * {@link Permanent} ones will not until something is changed. Messages name the path or connection,
 * both addresses, the state and the likely cure; {@link #getCause()} keeps what lay beneath.
 */
public abstract sealed class MaestroException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private MaestroException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** May succeed when tried again. */
  public abstract static sealed class Transient extends MaestroException {
    private static final long serialVersionUID = 1L;

    private Transient(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** Will fail again until something is changed. */
  public abstract static sealed class Permanent extends MaestroException {
    private static final long serialVersionUID = 1L;

    private Permanent(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The peer could not be reached, or did not answer in time. */
  public static final class ConnectFailed extends Transient {
    private static final long serialVersionUID = 1L;

    /** With the provider's failure as the cause. */
    public ConnectFailed(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The connection ended while work was under way: every path broke or the peer fell silent. */
  public static final class ConnectionLost extends Transient {
    private static final long serialVersionUID = 1L;

    /** With the first real failure as the cause. */
    public ConnectionLost(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** A deadline passed; the message says what was being waited for. */
  public static final class DeadlineExceeded extends Transient {
    private static final long serialVersionUID = 1L;

    /** Without a cause. */
    public DeadlineExceeded(String message) {
      super(message, null);
    }
  }

  /** The receiver cancelled its subscription while the message was under way. */
  public static final class ReceiverCancelled extends Transient {
    private static final long serialVersionUID = 1L;

    /** Without a cause. */
    public ReceiverCancelled(String message) {
      super(message, null);
    }
  }

  /**
   * A member of a group (a worker of a parameter server, a rank of a collective) is gone, and the
   * work of the others cannot be completed without it.
   */
  public static final class MemberLost extends Transient {
    private static final long serialVersionUID = 1L;

    private final int rank;
    private final String address;

    /** Names the member that was lost. */
    public MemberLost(String message, int rank, String address, @Nullable Throwable cause) {
      super(message, cause);
      this.rank = rank;
      this.address = address;
    }

    /** The rank of the lost member. */
    public int rank() {
      return rank;
    }

    /** The lost member's name or address, as its peers knew it. */
    public String address() {
      return address;
    }
  }

  /** This side has closed the connection. */
  public static final class Closed extends Permanent {
    private static final long serialVersionUID = 1L;

    /** Without a cause. */
    public Closed(String message) {
      super(message, null);
    }
  }

  /** The message can never fit: larger than the receiver's memory budget or a header limit. */
  public static final class TooLarge extends Permanent {
    private static final long serialVersionUID = 1L;

    /** Without a cause. */
    public TooLarge(String message) {
      super(message, null);
    }
  }

  /** The peers do not share a secret, or one of them broke the protocol. */
  public static final class Refused extends Permanent {
    private static final long serialVersionUID = 1L;

    /** With the provider's failure as the cause. */
    public Refused(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The peer understood what was asked and will not do it; the message says why and the cure. */
  public static final class Rejected extends Permanent {
    private static final long serialVersionUID = 1L;

    private final String reason;

    /** With a reason that programs can compare. */
    public Rejected(String reason, String message) {
      super(message, null);
      this.reason = reason;
    }

    /** A stable word for the reason, such as {@code duplicate-rank}. */
    public String reason() {
      return reason;
    }
  }

  /** A one-sided access outside of what the peer exported. */
  public static final class AccessDenied extends Permanent {
    private static final long serialVersionUID = 1L;

    /** With the provider's failure as the cause. */
    public AccessDenied(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** This machine or this configuration cannot do what was asked. */
  public static final class Unsupported extends Permanent {
    private static final long serialVersionUID = 1L;

    private final String setting;

    /** Not by a setting; with the provider's failure as the cause. */
    public Unsupported(String message, @Nullable Throwable cause) {
      this("", message, cause);
    }

    /** By one of the settings; with what lay beneath as the cause. */
    public Unsupported(String setting, String message, @Nullable Throwable cause) {
      super(message, cause);
      this.setting = setting;
    }

    /**
     * The component of {@link MaestroConfig} to change, such as {@code routing.topology}; empty
     * when none is known to help.
     */
    public String setting() {
      return setting;
    }
  }

  /** A local address could not be added to an interface of this machine, or removed from it. */
  public static final class AddressSetupFailed extends Permanent {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final String command;

    /** With the command that does it by hand; empty when none would. */
    public AddressSetupFailed(Reason reason, String message, String command) {
      super(message, null);
      this.reason = reason;
      this.command = command;
    }

    /** Why. */
    public Reason reason() {
      return reason;
    }

    /** What somebody with the privilege can run in a shell; empty when no command would do it. */
    public String command() {
      return command;
    }

    /** Why an address could not be set up. */
    public enum Reason {
      /** This process is neither root nor has CAP_NET_ADMIN. */
      NOT_PRIVILEGED,
      /** There is no {@code ip} command on this machine. */
      NO_COMMAND,
      /** There is no interface of that name. */
      NO_INTERFACE,
      /** Another interface of this machine has the address. */
      ON_ANOTHER_INTERFACE,
      /** The kernel refused; the message has its words. */
      REFUSED
    }
  }
}
