// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BaseHeaderProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.ClientOperationHeaderProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpReadBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ExtendedBlockProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.hadoop.util.StringUtils;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PriorityFieldTest {

  /** An operation as Hadoop builds it. */
  private static OpReadBlockProto operation() {
    return OpReadBlockProto.newBuilder()
        .setHeader(
            ClientOperationHeaderProto.newBuilder()
                .setClientName("c")
                .setBaseHeader(
                    BaseHeaderProto.newBuilder()
                        .setBlock(
                            ExtendedBlockProto.newBuilder()
                                .setPoolId("BP-1")
                                .setBlockId(1)
                                .setGenerationStamp(1))))
        .setOffset(0)
        .setLen(1)
        .build();
  }

  private static OpReadBlockProto overTheWire(Message sent) throws Exception {
    return OpReadBlockProto.parseFrom(sent.toByteArray());
  }

  private static OpReadBlockProto withContent(UnknownFieldSet.Field field) throws Exception {
    return overTheWire(
        operation().toBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder().addField(PriorityField.NUMBER, field).build())
            .build());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rt:0", "rt:3", "rt:7", "be:0", "be:7", "idle", "none"})
  void travels(String text) throws Exception {
    IoPriority p = IoPriority.parse(text);
    OpReadBlockProto sent = operation();
    OpReadBlockProto received = overTheWire(PriorityField.write(sent, Hint.of(p, null)));
    assertSame(Hint.of(p, null), PriorityField.read(received));
    assertEquals(sent.getHeader(), received.getHeader());
    assertSame(Hint.NOTHING, PriorityField.read(sent), "the message given is left as it is");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rt:0@1ms", "be:7@60s", "rt:3@50ms"})
  void aTargetTravels(String text) throws Exception {
    IoPriority p = IoPriority.parse(text);
    for (IoRole role : new IoRole[] {null, IoRole.WAL}) {
      Hint received =
          PriorityField.read(overTheWire(PriorityField.write(operation(), Hint.of(p, role))));
      assertEquals(p, received.priority());
      assertSame(role, received.role());
      assertEquals(0, received.following());
      assertSame(Hint.of(p.withoutTarget(), role), received.withoutTarget());
    }
  }

  @ParameterizedTest
  @CsvSource({"19, 19", "10000, 10000", "10001, 10000", "-1, 0"})
  void howManyReadsFollowTravels(int stated, int received) throws Exception {
    Hint hint = Hint.of(IoPriority.parse("rt:3@50ms"), null).followedBy(stated);
    assertEquals(
        received,
        PriorityField.read(overTheWire(PriorityField.write(operation(), hint))).following());
  }

  /** Whatever it is, the priority and its target count. */
  @ParameterizedTest
  @CsvSource({
    "080118322a0105, 0",
    "0801183228ffffffffffffffffff01, 0",
    "0801183228ffffffff7f, 10000"
  })
  void howManyReadsFollowIsAGuess(String hex, int following) throws Exception {
    ByteString content = ByteString.copyFrom(StringUtils.hexStringToByte(hex));
    Hint received =
        PriorityField.read(
            withContent(UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build()));
    assertEquals("rt:0@50ms", received.priority().toString());
    assertEquals(following, received.following());
  }

  /** As docs/protocol.md shows it. */
  @Test
  void bytesOfReadsThatFollowAreFixed() {
    Hint hint = Hint.of(IoPriority.parse("rt:0@50ms"), null).followedBy(3);
    Message written = PriorityField.write(operation(), hint);
    String stock = StringUtils.byteToHexString(operation().toByteArray());
    assertEquals(
        stock + "8ae0d6fc0f06080118322803", StringUtils.byteToHexString(written.toByteArray()));
  }

  /** As docs/protocol.md shows it. */
  @Test
  void thatAReadMayBeRefusedTravels() throws Exception {
    Hint hint = Hint.of(IoPriority.parse("rt:0@50ms"), null).followedBy(3).refusable();
    Message written = PriorityField.write(operation(), hint);
    String stock = StringUtils.byteToHexString(operation().toByteArray());
    assertEquals(
        stock + "8ae0d6fc0f080801183228033001", StringUtils.byteToHexString(written.toByteArray()));
    Hint received = PriorityField.read(overTheWire(written));
    assertTrue(received.mayRefuse());
    assertEquals(3, received.following());
    assertTrue(received.followedBy(4).mayRefuse());
    assertFalse(received.withoutTarget().mayRefuse());
  }

  @ParameterizedTest
  @ValueSource(strings = {"080118323000", "080118323002", "0801183232013f", "0801"})
  void whatIsNotStatedIsNoConsent(String hex) throws Exception {
    ByteString content = ByteString.copyFrom(StringUtils.hexStringToByte(hex));
    Hint received =
        PriorityField.read(
            withContent(UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build()));
    assertFalse(received.mayRefuse());
  }

  @Test
  void withoutATargetNothingIsRefused() {
    Hint hint = Hint.of(IoPriority.realtime(0), null);
    assertSame(hint, hint.refusable());
  }

  @Test
  void withoutATargetNothingIsSaidOfReadsThatFollow() {
    Hint hint = Hint.of(IoPriority.realtime(0), null);
    assertSame(hint, hint.followedBy(5));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "08011800", // 0 ms
        "080118e1d403", // 60,001 ms
        "080118ffffffffffffffffff01", // absurd
        "08031832", // class idle
        "08001832", // class none
        "08011a0132" // the wrong wire type
      })
  void aTargetThatCannotBeUsedIsMalformed(String hex) throws Exception {
    ByteString content = ByteString.copyFrom(StringUtils.hexStringToByte(hex));
    OpReadBlockProto received =
        withContent(UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build());
    assertThrows(MalformedPriorityException.class, () -> PriorityField.read(received));
  }

  /** The bytes that docs/protocol.md shows; they must never change. */
  @ParameterizedTest
  @CsvSource({
    "rt:0, 8ae0d6fc0f020801",
    "rt:3, 8ae0d6fc0f0408011003",
    "be:7, 8ae0d6fc0f0408021007",
    "idle, 8ae0d6fc0f020803",
    "rt:0@50ms, 8ae0d6fc0f0408011832",
    "be@2s, 8ae0d6fc0f070802100418d00f"
  })
  void bytesAreFixed(String text, String hex) {
    Message written = PriorityField.write(operation(), Hint.of(IoPriority.parse(text), null));
    String stock = StringUtils.byteToHexString(operation().toByteArray());
    assertEquals(stock + hex, StringUtils.byteToHexString(written.toByteArray()));
  }

  /** The codes, too, must never change. */
  @ParameterizedTest
  @CsvSource({
    "wal, be:0, 8ae0d6fc0f0408022010",
    "flush, be:2, 8ae0d6fc0f06080210022011",
    "balancer, idle, 8ae0d6fc0f0408032021",
    "unknown, rt:3, 8ae0d6fc0f06080110032000"
  })
  void bytesWithARoleAreFixed(String role, String text, String hex) throws Exception {
    IoRole stated = IoRole.valueOf(role.toUpperCase(Locale.ROOT));
    Hint hint = Hint.of(IoPriority.parse(text), stated);
    Message written = PriorityField.write(operation(), hint);
    String stock = StringUtils.byteToHexString(operation().toByteArray());
    assertEquals(stock + hex, StringUtils.byteToHexString(written.toByteArray()));
    assertSame(hint, PriorityField.read(overTheWire(written)));
  }

  /** Whatever the role is, the priority counts. */
  @ParameterizedTest
  @CsvSource({
    "0801203f, rt:0", // a role of the future
    "080120ffffffffffffffffff01, rt:0", // absurd
    "080322020801, idle", // the wrong wire type
    "203f, ", // no priority at all
  })
  void aRoleThatIsNotKnownIsUnknown(String hex, String text) throws Exception {
    ByteString content = ByteString.copyFrom(StringUtils.hexStringToByte(hex));
    IoPriority priority = text == null ? null : IoPriority.parse(text);
    assertSame(
        Hint.of(priority, IoRole.UNKNOWN),
        PriorityField.read(
            withContent(UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build())));
  }

  @Test
  void aLaterVersionsFieldsAreSkipped() throws Exception {
    ByteString content =
        UnknownFieldSet.newBuilder()
            .mergeVarintField(PriorityField.CLASS, 1)
            .mergeVarintField(PriorityField.LEVEL, 2)
            .mergeVarintField(6, 50)
            .build()
            .toByteString();
    assertSame(
        Hint.of(IoPriority.realtime(2), null),
        PriorityField.read(
            withContent(UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build())));
  }

  @Test
  void otherUnknownFieldsStay() throws Exception {
    UnknownFieldSet other = UnknownFieldSet.newBuilder().mergeVarintField(400, 7).build();
    Message sent = operation().toBuilder().setUnknownFields(other).build();
    OpReadBlockProto received =
        overTheWire(PriorityField.write(sent, Hint.of(IoPriority.IDLE, null)));
    assertTrue(received.getUnknownFields().hasField(400));
    assertSame(Hint.of(IoPriority.IDLE, null), PriorityField.read(received));
  }

  /**
   * Contents of the field that must all be refused and must not break the parsing of the message.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // no class
        "1003", // a level without a class
        "10032010", // the same with a role
        "0804", // a class of the future
        "08ffffffffffffffffff01", // absurd class
        "08011008", // level 8
        "080110ffffffffffffffffff01", // absurd level
        "0a0101", // class with the wrong wire type
        "08011a", // truncated
        "ff", // no message at all
        "08031001" // a level in a class that has none
      })
  void malformedContentIsRefused(String hex) throws Exception {
    byte[] content = StringUtils.hexStringToByte(hex);
    OpReadBlockProto received =
        withContent(
            UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFrom(content))
                .build());
    assertThrows(MalformedPriorityException.class, () -> PriorityField.read(received));
    assertArrayEquals(operation().getHeader().toByteArray(), received.getHeader().toByteArray());
  }

  @Test
  void theWrongWireTypeIsRefused() throws Exception {
    OpReadBlockProto received =
        withContent(UnknownFieldSet.Field.newBuilder().addVarint(8195).build());
    assertThrows(MalformedPriorityException.class, () -> PriorityField.read(received));
  }

  /** As docs/protocol.md shows it. */
  @Test
  void howPatientTheClientIsTravels() throws Exception {
    Hint hint = Hint.of(IoPriority.bestEffort(7), null).patientFor(5_000);
    Message written = PriorityField.write(operation(), hint);
    String stock = StringUtils.byteToHexString(operation().toByteArray());
    assertEquals(
        stock + "8ae0d6fc0f0708021007388827", StringUtils.byteToHexString(written.toByteArray()));
    Hint received = PriorityField.read(overTheWire(written));
    assertEquals(5_000, received.patienceMillis());
    assertEquals(IoPriority.bestEffort(7), received.priority());
  }

  @Test
  void aPatienceBelongsToEverythingThatIsSaid() throws Exception {
    Hint hint =
        Hint.of(IoPriority.parse("rt:0@50ms"), IoRole.WAL)
            .patientFor(5_000)
            .followedBy(3)
            .refusable();
    Hint received = PriorityField.read(overTheWire(PriorityField.write(operation(), hint)));
    assertEquals(5_000, received.patienceMillis());
    assertEquals(3, received.following());
    assertTrue(received.mayRefuse());
    assertEquals(5_000, received.withoutTarget().patienceMillis());
    assertEquals(IoRole.WAL, received.withoutTarget().role());
    try (PriorityScope scope = received.openScope()) {
      assertEquals(5_000, Hint.ofScope().patienceMillis());
    }
  }

  /** As docs/protocol.md shows it. */
  @Test
  void aTenantTravelsWithAPriorityAndWithoutOne() throws Exception {
    String stock = StringUtils.byteToHexString(operation().toByteArray());
    Hint idle = Hint.of(IoPriority.IDLE, null).ofTenant("etl");
    Message written = PriorityField.write(operation(), idle);
    assertEquals(
        stock + "8ae0d6fc0f070803420365746c", StringUtils.byteToHexString(written.toByteArray()));
    Hint received = PriorityField.read(overTheWire(written));
    assertEquals("etl", received.tenant());
    assertEquals(IoPriority.IDLE, received.priority());

    Hint only = Hint.NOTHING.ofTenant("etl").patientFor(5_000);
    written = PriorityField.write(operation(), only);
    assertEquals(
        stock + "8ae0d6fc0f0a2000388827420365746c",
        StringUtils.byteToHexString(written.toByteArray()));
    received = PriorityField.read(overTheWire(written));
    assertEquals("etl", received.tenant());
    assertNull(received.priority());
    assertNull(received.role(), "the role is for those who know no tenants");
    assertEquals(5_000, received.patienceMillis());

    Hint flush = Hint.of(null, IoRole.FLUSH).ofTenant("etl");
    received = PriorityField.read(overTheWire(PriorityField.write(operation(), flush)));
    assertEquals(IoRole.FLUSH, received.role());
    assertSame(Hint.of(null, IoRole.FLUSH), received.ofTenant(null));
  }

  /** Whatever it is, the priority counts. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "08034200", // empty
        "0803420361206c", // a blank
        "08034003", // the wrong wire type
        "0803420280ff" // no UTF-8
      })
  void aTenantThatCannotBeOneIsNone(String hex) throws Exception {
    byte[] content = StringUtils.hexStringToByte(hex);
    Hint received =
        PriorityField.read(
            withContent(
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFrom(content))
                    .build()));
    assertSame(Hint.of(IoPriority.IDLE, null), received);
    byte[] only = StringUtils.hexStringToByte(hex.substring(4));
    received =
        PriorityField.read(
            withContent(
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFrom(only))
                    .build()));
    assertSame(Hint.NOTHING, received, "a request without a priority");
  }

  /** HDFS's default is one of these: then the bytes are what they were. */
  @ParameterizedTest
  @ValueSource(ints = {60_000, Integer.MAX_VALUE, 0, -1})
  void whoIsPatientEnoughSaysNothing(int millis) {
    Hint hint = Hint.of(IoPriority.IDLE, null);
    assertSame(hint, hint.patientFor(millis));
    assertSame(hint, hint.patientFor(5_000).patientFor(millis));
    assertSame(Hint.NOTHING, Hint.NOTHING.patientFor(5_000));
  }

  /** Whatever it is, the priority counts. */
  @ParameterizedTest
  @ValueSource(
      strings = {"08033a0105", "080338ffffffffffffffffff01", "080338ffffffff7f", "08033800"})
  void aPatienceThatCannotBeUsedIsNone(String hex) throws Exception {
    ByteString content = ByteString.copyFrom(StringUtils.hexStringToByte(hex));
    assertSame(
        Hint.of(IoPriority.IDLE, null),
        PriorityField.read(
            withContent(UnknownFieldSet.Field.newBuilder().addLengthDelimited(content).build())));
  }
}
