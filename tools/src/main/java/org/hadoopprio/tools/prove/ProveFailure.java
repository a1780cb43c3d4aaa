// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopprio.tools.trace.BlockTraceUnavailableException;

/** Why {@code hprio prove} cannot tell, in words. */
final class ProveFailure {

  private static final Pattern OF_HDFS =
      Pattern.compile("user=([^,]+), access=([A-Z_]+), inode=\"([^\"]*)\"");
  private static final Pattern USER = Pattern.compile("user(?:=| ')([^,')]+)");
  private static final Pattern TABLE = Pattern.compile("(?:scope|table)=([^,)]+)");
  private static final Pattern ACTION = Pattern.compile("action=([A-Z_]+)");

  private static final String REMEDY =
      "; with Kerberos kinit as one who may, such as hbase, otherwise set HADOOP_USER_NAME=hbase";

  private ProveFailure() {}

  /** Who lacks which right, wherever in the causes that is; empty if it is something else. */
  static Optional<String> access(IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      String type =
          cause instanceof RemoteException
              ? ((RemoteException) cause).getClassName()
              : cause.getClass().getName();
      String message = firstLine(cause);
      if (type.equals(AccessControlException.class.getName())) {
        Matcher denied = OF_HDFS.matcher(message);
        String said =
            denied.find()
                ? String.format(
                    "user %s lacks %s on %s in HDFS",
                    denied.group(1), denied.group(2), denied.group(3))
                : "HDFS does not let this user in (" + message + ")";
        return Optional.of(said + REMEDY);
      }
      if (type.equals(AccessDeniedException.class.getName())) {
        String said =
            find(USER, message).map(user -> "user " + user).orElse("this user")
                + find(ACTION, message).map(action -> " lacks " + action).orElse(" lacks a right")
                + find(TABLE, message).map(table -> " on " + table).orElse("")
                + " in HBase ("
                + message
                + ")";
        return Optional.of(said + REMEDY);
      }
    }
    return Optional.empty();
  }

  private static Optional<String> find(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /** What was wrong: HBase's client wraps it, and servers send their stack traces along. */
  static String reason(IOException e) {
    Throwable cause = e;
    while (cause instanceof RetriesExhaustedException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = firstLine(cause);
    boolean own =
        cause.getClass() == IOException.class || cause instanceof BlockTraceUnavailableException;
    return own ? message : cause.getClass().getSimpleName() + ": " + message;
  }
}
