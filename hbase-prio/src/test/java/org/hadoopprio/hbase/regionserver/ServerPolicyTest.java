package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.policy.PolicyFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The effect of a RegionServer's policy on a call of user "someone" in group "people". */
class ServerPolicyTest {

  private static final byte[] RT0 = Bytes.toBytes("rt:0");

  @TempDir private Path directory;

  private PriorityResolver resolver(String policy) throws IOException {
    Path file = Files.writeString(directory.resolve("policy.xml"), policy);
    PolicyFile access = new PolicyFile(HBaseKeys.POLICY);
    access.load(file.toAbsolutePath().toString());
    return new PriorityResolver(PriorityPolicy.from(new Configuration(false), access));
  }

  private static RpcCall call(String request) {
    return Calls.call(null, request, null);
  }

  @Test
  void userGroupAndTableDecide() throws IOException {
    PriorityResolver resolver =
        resolver(
            "<io-priority-policy>"
                + "<rule group='people' highest='be:3'/>"
                + "<rule user='someone' table='hot' highest='rt:1'/>"
                + "<rule user='someoneelse' highest='rt:0'/></io-priority-policy>");
    TablePriority hot = PriorityResolverTest.table("hot", null);
    TablePriority cold = PriorityResolverTest.table("cold", null);
    assertEquals(IoPriority.realtime(1), resolver.resolve(call(null), RT0, hot));
    assertEquals(IoPriority.bestEffort(3), resolver.resolve(call(null), RT0, cold));
    assertEquals(IoPriority.bestEffort(3), resolver.resolve(call("rt:0"), null, null));
    assertEquals(
        IoPriority.realtime(1), resolver.peek(call(null), RT0, hot), "the scheduler sees the same");
  }

  @Test
  void rejectIsForWhoAsksNotForWhoReadsATable() throws IOException {
    PriorityResolver resolver =
        resolver(
            "<io-priority-policy mode='reject'>\n<rule user='*' highest='be:0'/>"
                + "</io-priority-policy>");
    TablePriority urgent = PriorityResolverTest.table("urgent", "rt:0");
    assertEquals(IoPriority.bestEffort(0), resolver.resolve(call(null), null, urgent));
    long before = PriorityMetrics.REJECTED.sum();
    DoNotRetryIOException e =
        assertThrows(DoNotRetryIOException.class, () -> resolver.resolve(call(null), RT0, urgent));
    assertEquals(before + 1, PriorityMetrics.REJECTED.sum());
    assertTrue(
        e.getMessage()
            .contains("I/O priority rt:0 is not allowed (operation attribute io.priority"),
        e.getMessage());
    assertTrue(
        e.getMessage().endsWith("the policy's rule for user \"*\" (line 2) allows be:0"),
        e.getMessage());
    assertEquals(IoPriority.bestEffort(0), resolver.peek(call(null), RT0, urgent));
  }

  @Test
  void aHundredThousandForgedAttributesGiveNoRealtime() throws IOException {
    PriorityResolver resolver =
        resolver("<io-priority-policy><rule user='alice' highest='rt:0'/></io-priority-policy>");
    Random random = new Random(536_000_001);
    for (int i = 0; i < 100_000; i++) {
      byte[] attribute = attribute(random);
      IoPriority granted =
          resolver.resolve(
              call(random.nextBoolean() ? Bytes.toString(attribute(random)) : null),
              attribute,
              null);
      if (granted != null) {
        assertNotEquals(IoClass.REALTIME, granted.ioClass());
      }
    }
  }

  private static byte[] attribute(Random random) {
    byte[] text = IoPriority.all().get(random.nextInt(IoPriority.all().size())).toBytes();
    if (random.nextBoolean()) {
      text[random.nextInt(text.length)] = (byte) random.nextInt();
    }
    return random.nextInt(3) == 0 ? RT0 : text;
  }
}
