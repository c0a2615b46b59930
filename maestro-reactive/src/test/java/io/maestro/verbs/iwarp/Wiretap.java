package io.maestro.verbs.iwarp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Somebody on the way, who passes connections on, hears everything, and may meddle. */
final class Wiretap implements AutoCloseable {

  private final InetSocketAddress target;
  private final ServerSocket server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Set<Socket> onward = ConcurrentHashMap.newKeySet();
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
  private volatile boolean falsifying;

  Wiretap(InetSocketAddress target) throws IOException {
    this.target = target;
    this.server = new ServerSocket(0, 8, InetAddress.ofLiteral("127.0.0.1"));
    Thread.startVirtualThread(this::accept);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  /** What the dialling side has sent. */
  byte[] heard() {
    synchronized (heard) {
      return heard.toByteArray();
    }
  }

  /** From now on, changes a bit in whatever the dialling side sends. */
  void falsify() {
    falsifying = true;
  }

  /** Ends the streams towards the listening side in order, as TCP has it. */
  void cutOff() throws IOException {
    for (Socket socket : onward) {
      socket.shutdownOutput();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket dialling = server.accept();
        Socket listening = new Socket(target.getAddress(), target.getPort());
        open.add(dialling);
        open.add(listening);
        onward.add(listening);
        Thread.startVirtualThread(() -> pump(dialling, listening, true));
        Thread.startVirtualThread(() -> pump(listening, dialling, false));
      }
    } catch (IOException e) {
      // Closed: the test is over.
      return;
    }
  }

  private void pump(Socket from, Socket to, boolean fromDialler) {
    byte[] bytes = new byte[8192];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int got = in.read(bytes); got > 0; got = in.read(bytes)) {
        if (fromDialler) {
          hear(bytes, got);
        }
        out.write(bytes, 0, got);
      }
      to.close();
    } catch (IOException e) {
      // One side has ended the connection: nothing more passes.
      return;
    }
  }

  private void hear(byte[] bytes, int got) {
    synchronized (heard) {
      heard.write(bytes, 0, got);
    }
    if (falsifying) {
      bytes[got - 1] ^= 1;
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
