// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.protobuf.generated.AuthenticationProtos.AuthenticationService;
import org.apache.hadoop.hbase.protobuf.generated.AuthenticationProtos.GetAuthenticationTokenRequest;
import org.apache.hadoop.hbase.protobuf.generated.AuthenticationProtos.GetAuthenticationTokenResponse;
import org.apache.hadoop.hbase.protobuf.generated.AuthenticationProtos.WhoAmIRequest;
import org.apache.hadoop.hbase.protobuf.generated.AuthenticationProtos.WhoAmIResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The priority at which an endpoint reads, however a client calls it. */
@ExtendWith(MiniCluster.class)
class EndpointPriorityClusterTest {

  private static final AtomicReference<IoPriority> SEEN = new AtomicReference<>();

  private static HRegionLocation stating;
  private static HRegionLocation plain;

  /** An endpoint that notes at which priority it would read. A service that HBase has anyway. */
  public static final class Noting implements RegionCoprocessor, AuthenticationService.Interface {

    @Override
    public Iterable<Service> getServices() {
      return List.of(AuthenticationService.newReflectiveService(this));
    }

    @Override
    public void whoAmI(
        RpcController controller, WhoAmIRequest request, RpcCallback<WhoAmIResponse> done) {
      SEEN.set(Optional.ofNullable(CurrentPriority.get()).orElse(IoPriority.NONE));
      done.run(WhoAmIResponse.getDefaultInstance());
    }

    @Override
    public void getAuthenticationToken(
        RpcController controller,
        GetAuthenticationTokenRequest request,
        RpcCallback<GetAuthenticationTokenResponse> done) {
      done.run(GetAuthenticationTokenResponse.getDefaultInstance());
    }
  }

  @BeforeAll
  static void makeTables() throws IOException {
    stating = region("endpointstating", "be:6");
    plain = region("endpointplain", null);
  }

  private static HRegionLocation region(String name, String priority) throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(MiniCluster.FAMILY))
            .setCoprocessor(Noting.class.getName());
    if (priority != null) {
      table.setValue("IO_PRIORITY", priority);
    }
    MiniCluster.util().getAdmin().createTable(table.build());
    try (RegionLocator locator =
        MiniCluster.connection().getRegionLocator(TableName.valueOf(name))) {
      return locator.getRegionLocation(new byte[0]);
    }
  }

  private static RegionSpecifier whole(HRegionLocation region) {
    return RegionSpecifier.newBuilder()
        .setType(RegionSpecifierType.REGION_NAME)
        .setValue(ByteString.copyFrom(region.getRegion().getRegionName()))
        .build();
  }

  private static RegionSpecifier encoded(HRegionLocation region) {
    return RegionSpecifier.newBuilder()
        .setType(RegionSpecifierType.ENCODED_REGION_NAME)
        .setValue(ByteString.copyFromUtf8(region.getRegion().getEncodedName()))
        .build();
  }

  private static CoprocessorServiceCall whoAmI() {
    return CoprocessorServiceCall.newBuilder()
        .setRow(ByteString.copyFromUtf8("row"))
        .setServiceName(AuthenticationService.getDescriptor().getName())
        .setMethodName("WhoAmI")
        .setRequest(ByteString.EMPTY)
        .build();
  }

  private static IoPriority seen(Connection connection, RegionSpecifier region) throws Exception {
    SEEN.set(null);
    ((ClusterConnection) connection)
        .getClient(plain.getServerName())
        .execService(
            null,
            CoprocessorServiceRequest.newBuilder().setRegion(region).setCall(whoAmI()).build());
    return SEEN.get();
  }

  private static IoPriority seenInBatch(RegionSpecifier region) throws Exception {
    SEEN.set(null);
    Action.Builder action = Action.newBuilder().setIndex(0).setServiceCall(whoAmI());
    RegionAction.Builder actions = RegionAction.newBuilder().setRegion(region).addAction(action);
    ((ClusterConnection) MiniCluster.connection())
        .getClient(plain.getServerName())
        .multi(null, MultiRequest.newBuilder().addRegionAction(actions).build());
    return SEEN.get();
  }

  @Test
  void itsTableStatesIt() throws Exception {
    assertEquals(IoPriority.bestEffort(6), seen(MiniCluster.connection(), whole(stating)));
    assertEquals(IoPriority.NONE, seen(MiniCluster.connection(), whole(plain)));
  }

  /** The protocol has such names, but no server takes them: tables need not be known by them. */
  @Test
  void anEncodedRegionNameIsServedToNobody() {
    assertThrows(ServiceException.class, () -> seen(MiniCluster.connection(), encoded(stating)));
  }

  @Test
  void itsTableStatesItInABatch() throws Exception {
    assertEquals(IoPriority.bestEffort(6), seenInBatch(whole(stating)));
    assertEquals(IoPriority.NONE, seenInBatch(whole(plain)));
  }

  @Test
  void whatItsConnectionStatesCounts() throws Exception {
    try (Connection connection =
        MiniCluster.connection(IoPriorities.connectionAttributes(IoPriority.realtime(2)))) {
      long before = PriorityMetrics.ASKED.sum();
      assertEquals(IoPriority.realtime(2), seen(connection, whole(stating)));
      assertEquals(1, PriorityMetrics.ASKED.sum() - before);
    }
  }

  @Test
  void theNextCallInheritsNothing() throws Exception {
    assertEquals(IoPriority.bestEffort(6), seenInBatch(whole(stating)));
    try (Table table = MiniCluster.connection().getTable(plain.getRegion().getTable())) {
      table.get(new Get(Bytes.toBytes("row")));
    }
    assertEquals(IoPriority.NONE, seen(MiniCluster.connection(), whole(plain)));
  }
}
