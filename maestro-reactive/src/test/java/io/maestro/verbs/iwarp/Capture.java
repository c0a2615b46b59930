package io.maestro.verbs.iwarp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Packets of the loopback interface, and what Wireshark's dissectors see in them. */
final class Capture implements AutoCloseable {

  /**
   * One FPDU as the dissectors read it.
   *
   * @param fromPort the TCP port that sent it
   * @param key the STag of a tagged one, the queue number of an untagged one
   * @param place the tagged offset, or the message sequence number
   */
  record Fpdu(int fromPort, int opcode, long key, long place, int ulpduBytes) {}

  private static final String[] FIELDS = {
    "tcp.srcport",
    "iwarp_mpa.ulpdulength",
    "iwarp_rdma.opcode",
    "iwarp_ddp.stag",
    "iwarp_ddp.tagged_offset",
    "iwarp_ddp.qn",
    "iwarp_ddp.msn",
    "_ws.malformed",
    "_ws.expert.message"
  };

  private final Path file;
  private final Process process;

  private Capture(Path file, Process process) {
    this.file = file;
    this.process = process;
  }

  /** Begins to capture what goes from and to a port; returns when it does. */
  static Capture start(int port) throws IOException {
    Path file = Files.createTempFile("maestro", ".pcapng");
    Process process =
        new ProcessBuilder(
                "dumpcap", "-i", "lo", "-B", "64", "-f", "tcp port " + port, "-w", "" + file)
            .redirectErrorStream(true)
            .start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = output.readLine();
    while (line != null && !line.startsWith("File:")) {
      line = output.readLine();
    }
    if (line == null) {
      throw new IllegalStateException("dumpcap ended before it began");
    }
    return new Capture(file, process);
  }

  /** Ends the capture when this many packets that close or reset are in it. */
  void stopAfterTheEndOf(String filter, int packets) throws Exception {
    for (int attempt = 0; attempt < 100; attempt++) {
      if (tshark("-Y", filter, "-T", "fields", "-e", "frame.number").size() >= packets) {
        break;
      }
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
    process.destroy();
    process.waitFor();
  }

  /** All FPDUs, in the order of the capture. */
  List<Fpdu> fpdus() throws Exception {
    List<Fpdu> all = new ArrayList<>();
    for (String line : decode()) {
      String[] columns = line.split("\t", -1);
      Deque<String> opcodes = values(columns[2]);
      Deque<String> stags = values(columns[3]);
      Deque<String> offsets = values(columns[4]);
      Deque<String> queues = values(columns[5]);
      Deque<String> msns = values(columns[6]);
      for (String length : values(columns[1])) {
        int opcode = Integer.decode(opcodes.remove());
        boolean tagged = opcode == Wire.WRITE || opcode == Wire.READ_RESPONSE;
        long key = Long.decode(tagged ? stags.remove() : queues.remove());
        String place = tagged ? offsets.remove() : msns.remove();
        all.add(
            new Fpdu(
                Integer.parseInt(columns[0]),
                opcode,
                key,
                place.startsWith("0x")
                    ? Long.parseUnsignedLong(place.substring(2), 16)
                    : Long.parseUnsignedLong(place),
                Integer.decode(length)));
      }
    }
    return all;
  }

  /** What the dissectors complain about. */
  List<String> complaints() throws Exception {
    return decode().stream()
        .map(line -> line.split("\t", -1))
        .map(columns -> columns[7] + columns[8])
        .filter(complaint -> complaint.matches("(?i).*(malformed|crc|bad|error|invalid).*"))
        .toList();
  }

  /** How many FPDUs have a CRC that the dissectors computed themselves and found right. */
  long goodChecksums() throws Exception {
    Pattern good = Pattern.compile("\\(Good CRC32\\)");
    return tshark("-V", "-Y", "iwarp_mpa").stream()
        .filter(line -> good.matcher(line).find())
        .count();
  }

  private List<String> decode() throws Exception {
    Stream<String> fields = Arrays.stream(FIELDS).flatMap(field -> Stream.of("-e", field));
    return tshark(
        Stream.concat(Stream.of("-Y", "iwarp_mpa", "-T", "fields"), fields).toArray(String[]::new));
  }

  private List<String> tshark(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("tshark", "-r", "" + file));
    command.addAll(List.of(arguments));
    Process reader =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    reader.waitFor();
    return output.lines().toList();
  }

  private static Deque<String> values(String column) {
    return column.isEmpty() ? new ArrayDeque<>() : new ArrayDeque<>(List.of(column.split(",", -1)));
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    Files.deleteIfExists(file);
  }
}
