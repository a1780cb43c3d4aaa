// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import com.google.protobuf.Message;
import com.google.protobuf.Service;
import java.io.IOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;

/**
 * Notes calls to the endpoints of a region. A class of its own, because its hook has types that not
 * every HBase has.
 */
final class EndpointPriority implements EndpointObserver {

  private final IoPriorityObserver observer;

  EndpointPriority(IoPriorityObserver observer) {
    this.observer = observer;
  }

  /** An endpoint's own operations on the region replace it, if a hook comes for them. */
  @Override
  public Message preEndpointInvocation(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Service service,
      String method,
      Message request)
      throws IOException {
    Guarded.run(() -> observer.note(c, request, null, "endpoint", HConstants.EMPTY_BYTE_ARRAY));
    return request;
  }

  @Override
  public void postEndpointInvocation(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Service service,
      String method,
      Message request,
      Message.Builder response) {
    Guarded.run(HandlerCall::isServed);
  }
}
