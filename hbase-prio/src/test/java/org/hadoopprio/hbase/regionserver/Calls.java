// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.hadoopprio.lab.testing.Soon.soon;

import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServerInterface;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.policy.KnownGroups;

/** RPC calls for tests without a server. */
final class Calls {

  private static final User SOMEONE =
      User.createUserForTesting(
          new Configuration(false), "someone", new String[] {"people", "everybody"});

  /** All calls are of one level, that of clients' own. */
  static final PriorityFunction ONE_LEVEL =
      new PriorityFunction() {
        @Override
        public int getPriority(RequestHeader header, Message parameter, User user) {
          return 0;
        }

        @Override
        public long getDeadline(RequestHeader header, Message parameter) {
          return 0;
        }
      };

  private Calls() {}

  /**
   * A call as a scheduler gets it.
   *
   * @param server null where it is not served
   */
  static CallRunner runner(RpcServerInterface server, RpcCall call)
      throws ReflectiveOperationException {
    Constructor<CallRunner> constructor =
        CallRunner.class.getDeclaredConstructor(RpcServerInterface.class, RpcCall.class);
    constructor.setAccessible(true);
    return constructor.newInstance(server, call);
  }

  /**
   * Creates a call.
   *
   * @param request the text of the request attribute, or null
   * @param connection the text of the connection attribute, or null
   */
  static RpcCall call(Message parameter, String request, String connection) {
    return call(parameter, request, connection, SOMEONE);
  }

  /**
   * Waits until the groups of those who send calls without a name are known, for a test of what is
   * decided then.
   */
  static void awaitGroups() {
    soon("the groups are known")
        .until(
            () ->
                !KnownGroups.OF_PROCESS
                    .await(SOMEONE.getShortName(), () -> List.of(SOMEONE.getGroupNames()))
                    .isEmpty());
  }

  /** The same call, which counts the calls of one of its methods. */
  static RpcCall counting(RpcCall call, String counted, AtomicInteger count) {
    return (RpcCall)
        Proxy.newProxyInstance(
            Calls.class.getClassLoader(),
            new Class<?>[] {RpcCall.class},
            (proxy, method, args) -> {
              if (method.getName().equals(counted)) {
                count.incrementAndGet();
              }
              return method.invoke(call, args);
            });
  }

  /** Like {@link #call(Message, String, String)}, sent by the given user. */
  static RpcCall call(Message parameter, String request, String connection, User user) {
    long receivedAt = EnvironmentEdgeManager.currentTime();
    Map<String, byte[]> connectionAttributes =
        connection == null ? Map.of() : Map.of("io.priority", Bytes.toBytes(connection));
    return (RpcCall)
        Proxy.newProxyInstance(
            Calls.class.getClassLoader(),
            new Class<?>[] {RpcCall.class},
            (proxy, method, args) -> {
              switch (method.getName()) {
                case "getParam":
                  return parameter;
                case "getRequestAttribute":
                  return request == null || !"io.priority".equals(args[0])
                      ? null
                      : Bytes.toBytes(request);
                case "getConnectionAttributes":
                  return connectionAttributes;
                case "getHeader":
                  return RequestHeader.getDefaultInstance();
                case "getResponseCellSize":
                case "getSize":
                  return 0L;
                case "getRequestUserName":
                  return Optional.of(user.getShortName());
                case "getRequestUser":
                  return Optional.of(user);
                case "getReceiveTime":
                  return receivedAt;
                case "getRemoteAddress":
                  return InetAddress.getLoopbackAddress();
                default:
                  throw new UnsupportedOperationException(method.getName());
              }
            });
  }
}
