// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.hadoopprio.IoPriority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnMessagesTest {

  private static final TurnRequest ENTER =
      TurnRequest.enter(
          "BP-1",
          0x40000001L,
          1001,
          65536,
          131072,
          1048576,
          Hint.of(IoPriority.realtime(3), null),
          "C",
          true);

  /** As docs/protocol.md shows them. */
  private static final String ENTER_BYTES =
      "0101 002a 01 2003 0000000040000001 00000000000003e9 0000000000010000 00020000 00100000"
          + " 04 42502d31 01 43";

  private static byte[] bytes(TurnRequest request) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    request.writeTo(out);
    return out.toByteArray();
  }

  private static byte[] bytes(TurnAnswer answer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    answer.writeTo(out);
    return out.toByteArray();
  }

  private static byte[] hex(String text) {
    String digits = text.replace(" ", "");
    byte[] bytes = new byte[digits.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }

  private static TurnRequest request(byte... bytes) throws IOException {
    return TurnRequest.read(new ByteArrayInputStream(bytes), () -> {});
  }

  private static TurnAnswer answer(byte... bytes) throws IOException {
    return TurnAnswer.read(new ByteArrayInputStream(bytes));
  }

  @Test
  void bytesAreFixed() throws IOException {
    assertEquals(Arrays.toString(hex(ENTER_BYTES)), Arrays.toString(bytes(ENTER)));
    assertEquals(Arrays.toString(hex("0102 0000")), Arrays.toString(bytes(TurnRequest.LEFT)));
    assertEquals(
        Arrays.toString(hex("0101 0006 6000 00080000")),
        Arrays.toString(bytes(TurnAnswer.go(524288, IoPriority.IDLE))));
    assertEquals(
        Arrays.toString(hex("0101 0006 0000 00000000")), Arrays.toString(bytes(TurnAnswer.FREE)));
    assertEquals(Arrays.toString(hex("0102 0000")), Arrays.toString(bytes(TurnAnswer.WAIT)));
    assertEquals(Arrays.toString(hex("0103 0000")), Arrays.toString(bytes(TurnAnswer.LATE)));
    assertEquals(Arrays.toString(hex("0104 0000")), Arrays.toString(bytes(TurnAnswer.OFF)));
    assertSame(TurnAnswer.OFF, answer(bytes(TurnAnswer.OFF)));
  }

  @Test
  void thatAReadMayBeRefusedArrives() throws IOException {
    Hint hint = Hint.of(IoPriority.parse("rt:3@50ms"), null);
    for (Hint stated : new Hint[] {hint, hint.refusable()}) {
      TurnRequest sent = TurnRequest.enter("BP-1", 1, 2, 0, 4096, 4096, stated, "C", false);
      assertEquals(stated.mayRefuse() ? 6 : 2, bytes(sent)[4]);
      assertEquals(stated.mayRefuse(), request(bytes(sent)).hint().mayRefuse());
    }
  }

  @Test
  void aTargetArrivesAsItWasSent() throws IOException {
    IoPriority asked = IoPriority.parse("rt:3@50ms");
    Hint hint = Hint.of(asked, null).followedBy(7);
    TurnRequest sent = TurnRequest.enter("BP-1", 1, 2, 0, 4096, 4096, hint, "C", false);
    assertEquals(asked, request(bytes(sent)).hint().priority());
    assertEquals(7, request(bytes(sent)).hint().following());
    String expected =
        "0101 0032 02 2003 0000000000000001 0000000000000002 0000000000000000 00001000 00001000"
            + " 04 42502d31 01 43 00000032 00000007";
    assertEquals(Arrays.toString(hex(expected)), Arrays.toString(bytes(sent)));
  }

  @Test
  void aTenantArrivesAsItWasSent() throws IOException {
    Hint hint = Hint.of(IoPriority.IDLE, null).ofTenant("etl");
    TurnRequest sent = TurnRequest.enter("BP-1", 1, 2, 0, 4096, 4096, hint, "C", false);
    assertEquals("etl", request(bytes(sent)).hint().tenant());
    String expected =
        "0101 002e 08 6000 0000000000000001 0000000000000002 0000000000000000 00001000 00001000"
            + " 04 42502d31 01 43 03 65746c";
    assertEquals(Arrays.toString(hex(expected)), Arrays.toString(bytes(sent)));
    byte[] wrong = bytes(sent);
    wrong[wrong.length - 1] = ' ';
    assertNull(request(wrong).hint().tenant());
    assertEquals(0, bytes(sent.withoutTenant())[4]);
  }

  @Test
  void aRequestArrivesAsItWasSent() throws IOException {
    TurnRequest read = request(bytes(ENTER));
    assertEquals("BP-1", read.pool());
    assertEquals(0x40000001L, read.block());
    assertEquals(1001, read.generation());
    assertEquals(65536, read.offset());
    assertEquals(131072, read.length());
    assertEquals(1048576, read.ahead());
    assertEquals(IoPriority.realtime(3), read.hint().priority());
    assertEquals("C", read.clientName());
    assertTrue(read.isCacheNotSeen());
    assertFalse(read.isLeft());
    assertTrue(request(bytes(TurnRequest.LEFT)).isLeft());
    String longName = "n".repeat(300);
    TurnRequest other = TurnRequest.enter("BP-1", 1, 1, 0, 1, 1, Hint.NOTHING, longName, false);
    assertEquals(longName.substring(0, 255), request(bytes(other)).clientName());
    assertNull(request(bytes(other)).hint().priority());
  }

  @Test
  void anAnswerArrivesAsItWasSent() throws IOException {
    for (IoPriority priority : IoPriority.all()) {
      if (!priority.isNone()) {
        TurnAnswer read = answer(bytes(TurnAnswer.go(4096, priority)));
        assertEquals(priority, read.priority());
        assertEquals(4096, read.bytes());
        assertFalse(read.isFree() || read.isWait());
      }
    }
    assertTrue(answer(bytes(TurnAnswer.FREE)).isFree());
    assertTrue(answer(bytes(TurnAnswer.WAIT)).isWait());
    assertFalse(answer(bytes(TurnAnswer.WAIT)).isFree());
    TurnAnswer late = answer(bytes(TurnAnswer.LATE));
    assertTrue(late.isLate());
    assertFalse(late.isFree() || late.isWait());
  }

  @Test
  void theEndOfTheStreamIsToldFromATruncatedMessage() throws IOException {
    assertNull(request());
    assertThrows(EOFException.class, () -> answer());
    byte[] whole = bytes(ENTER);
    for (int length = 1; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThrows(EOFException.class, () -> request(part));
    }
    byte[] go = bytes(TurnAnswer.go(1, null));
    for (int length = 1; length < go.length; length++) {
      byte[] part = Arrays.copyOf(go, length);
      assertThrows(EOFException.class, () -> answer(part));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // version, type, a body that is too long or too short
        "0201 0000",
        "0001 0000",
        "0103 0000",
        "0100 0000",
        "0101 0401",
        "0101 ffff",
        "0101 0000",
        "0102 0001 00",
        "0101 0003 00 2003",
        // flags; class 5; level 8; idle with a level; a hint
        "0101 002a 02 2003 0000000040000001 00000000000003e9 0000000000010000 00020000 00100000"
            + " 04 42502d31 01 43",
        "0101 002a 01 a000 0000000040000001 00000000000003e9 0000000000010000 00020000 00100000"
            + " 04 42502d31 01 43",
        "0101 002a 01 2008 0000000040000001 00000000000003e9 0000000000010000 00020000 00100000"
            + " 04 42502d31 01 43",
        "0101 002a 01 6001 0000000040000001 00000000000003e9 0000000000010000 00020000 00100000"
            + " 04 42502d31 01 43",
        // negative offset, negative length, no length, no ahead, an end beyond 2^63
        "0101 002a 01 2003 0000000040000001 00000000000003e9 8000000000010000 00020000 00100000"
            + " 04 42502d31 01 43",
        "0101 002a 01 2003 0000000040000001 00000000000003e9 0000000000010000 80020000 00100000"
            + " 04 42502d31 01 43",
        "0101 002a 01 2003 0000000040000001 00000000000003e9 0000000000010000 00000000 00100000"
            + " 04 42502d31 01 43",
        "0101 002a 01 2003 0000000040000001 00000000000003e9 0000000000010000 00020000 00000000"
            + " 04 42502d31 01 43",
        "0101 002a 01 2003 0000000040000001 00000000000003e9 7fffffffffffffff 00020000 00100000"
            + " 04 42502d31 01 43",
        // a text beyond the end; bytes after the last text
        "0101 002a 01 2003 0000000040000001 00000000000003e9 0000000000010000 00020000 00100000"
            + " 04 42502d31 02 43",
        "0101 002a 01 2003 0000000040000001 00000000000003e9 0000000000010000 00020000 00100000"
            + " 04 42502d31 00 43"
      })
  void aMalformedRequestIsRefused(String message) {
    assertThrows(MalformedMessageException.class, () -> request(hex(message)), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0201 0006 0000 00000001",
        "0105 0000",
        "0101 0005 0000 000001",
        "0101 0007 0000 00000001 00",
        "0101 0006 a000 00000001",
        "0101 0006 0000 80000000",
        "0102 0001 00"
      })
  void aMalformedAnswerIsRefused(String message) {
    assertThrows(MalformedMessageException.class, () -> answer(hex(message)), message);
  }

  @Test
  void anyBytesAreARequestOrRefused() {
    Random random = new Random(13);
    for (int i = 0; i < 100_000; i++) {
      byte[] message = new byte[random.nextInt(64)];
      random.nextBytes(message);
      if (message.length > 3 && random.nextBoolean()) {
        message[0] = 1;
        message[1] = 1;
        message[2] = 0;
        message[3] = (byte) (message.length - 4);
      }
      try {
        request(message);
      } catch (IOException e) {
        assertTrue(e instanceof EOFException || e instanceof MalformedMessageException, "" + e);
      }
    }
  }

  /** A client that has a turn keeps it until it has said all. */
  @Test
  void aMessageByteByByteIsNotWaitedFor() {
    AtomicInteger bytes = new AtomicInteger();
    InputStream slow =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new UnsupportedOperationException();
          }

          @Override
          public int read(byte[] into, int offset, int length) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            // The version, and then an ENTER of any length.
            into[offset] = (byte) (bytes.getAndIncrement() < 3 ? 1 : 0);
            return 1;
          }
        };
    IOException e = assertThrows(IOException.class, () -> TurnRequest.read(slow, () -> {}));
    assertTrue(e.getMessage().contains("in pieces"), e.toString());
    assertTrue(bytes.get() < 100, bytes + " bytes");
  }

  @Test
  void silenceBetweenMessagesIsToldFromSilenceInOne() {
    InputStream silent =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new InterruptedIOException("silence");
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            throw new InterruptedIOException("silence");
          }
        };
    assertThrows(InterruptedIOException.class, () -> TurnRequest.read(silent, () -> {}));
    InputStream half = new SequenceInputStream(new ByteArrayInputStream(new byte[1]), silent);
    IOException e = assertThrows(IOException.class, () -> TurnRequest.read(half, () -> {}));
    assertFalse(e instanceof InterruptedIOException, "" + e);
  }

  @Test
  void whatCannotBeSentIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> TurnRequest.enter("p", 1, 1, -1, 1, 1, Hint.NOTHING, "", false));
    assertThrows(
        IllegalArgumentException.class,
        () -> TurnRequest.enter("p".repeat(256), 1, 1, 0, 1, 1, Hint.NOTHING, "", false));
    assertThrows(IllegalArgumentException.class, () -> TurnAnswer.go(0, null));
  }
}
