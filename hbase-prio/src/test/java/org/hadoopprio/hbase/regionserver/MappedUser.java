// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.io.IOException;
import java.security.PrivilegedAction;
import java.security.PrivilegedExceptionAction;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;

/** A user whose groups a test finds, when and on the thread on which they are asked for. */
final class MappedUser extends User {

  private final Supplier<String> group;

  MappedUser(String name, Supplier<String> group) {
    this.group = group;
    this.ugi = UserGroupInformation.createRemoteUser(name);
  }

  @Override
  public String[] getGroupNames() {
    return new String[] {group.get()};
  }

  @Override
  public String getShortName() {
    return ugi.getShortUserName();
  }

  @Override
  public <T> T runAs(PrivilegedAction<T> action) {
    return action.run();
  }

  @Override
  public <T> T runAs(PrivilegedExceptionAction<T> action) throws IOException, InterruptedException {
    return ugi.doAs(action);
  }
}
