// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/** Stand-ins for interfaces of Hadoop, for tests. */
public final class Stubs {

  private Stubs() {}

  /** Answers one method; all others return null, but for those of Object. */
  public static <T> T answering(Class<T> type, String answered, Callable<?> answer) {
    return answering(type, Map.of(answered, answer));
  }

  /** Counts the calls of one method; that and all others return null, but for those of Object. */
  public static <T> T counting(Class<T> type, String counted, AtomicInteger calls) {
    Callable<?> answer =
        () -> {
          calls.incrementAndGet();
          return null;
        };
    return answering(type, counted, answer);
  }

  /** Answers some methods, which are given by name; all others as above. */
  public static <T> T answering(Class<T> type, Map<String, Callable<?>> answers) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              switch (method.getName()) {
                case "hashCode":
                  return System.identityHashCode(self);
                case "equals":
                  return self == arguments[0];
                case "toString":
                  return type.getSimpleName();
                default:
                  return answers.getOrDefault(method.getName(), () -> null).call();
              }
            });
    return type.cast(proxy);
  }
}
