package io.maestro.verbs.iwarp;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The other end of a connection as a plain socket. */
final class RawPeer implements AutoCloseable {
  private static final int TIMEOUT_MS = 10_000;

  private final Socket socket;
  private final DataInputStream in;

  RawPeer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MS);
    in = new DataInputStream(socket.getInputStream());
  }

  static RawPeer to(InetSocketAddress address) throws IOException {
    return new RawPeer(new Socket(address.getAddress(), address.getPort()));
  }

  /** Connects with a request of revision 1 and takes the reply. */
  static RawPeer established(InetSocketAddress address, boolean checksum) throws IOException {
    RawPeer peer = to(address);
    peer.send(WireBytes.request(checksum ? 0x40 : 0, 1));
    peer.receive(20);
    return peer;
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** Sends what may meet a connection that is closed already. */
  void sendAnyway(byte[] bytes) throws IOException {
    try {
      send(bytes);
    } catch (SocketException e) {
      // The other end closed before it read everything: what this peer deserves.
      return;
    }
  }

  byte[] receive(int bytes) throws IOException {
    byte[] received = new byte[bytes];
    in.readFully(received);
    return received;
  }

  /** The next ULPDU. */
  ByteBuffer receiveUlpdu() throws IOException {
    int length = in.readUnsignedShort();
    byte[] rest = receive((2 + length + 3) / 4 * 4 - 2 + 4);
    return ByteBuffer.wrap(Arrays.copyOf(rest, length));
  }

  /** Layer, type and code of a Terminate, which must be the next message. */
  int receiveTerminate() throws IOException {
    ByteBuffer ulpdu = receiveUlpdu();
    if (ulpdu.get(1) != WireBytes.TERMINATE || ulpdu.getInt(6) != 2) {
      throw new AssertionError("not a Terminate");
    }
    return ulpdu.getShort(18) & 0xFFFF;
  }

  void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** Reads to the end of the stream; false when nothing ends it in time. */
  boolean isEnded() throws IOException {
    try {
      in.readAllBytes();
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
