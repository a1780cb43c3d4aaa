// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** Policies and requesters for tests. */
final class Policies {

  private Policies() {}

  /** Writes a policy file with these lines, of which the first is line 1. */
  static String file(Path directory, String... lines) throws IOException {
    return Files.writeString(directory.resolve("policy.xml"), String.join("\n", lines))
        .toAbsolutePath()
        .toString();
  }

  static AccessPolicy policy(Path directory, String... lines) throws IOException {
    return PolicyReader.forRegionServer(file(directory, lines));
  }

  private static class Somebody implements Requester {
    private final String user;
    private final String table;
    private final List<String> groups;

    Somebody(String user, String table, String... groups) {
      this.user = user;
      this.table = table;
      this.groups = List.of(groups);
    }

    @Override
    public String user() {
      return user;
    }

    @Override
    public Collection<String> groups() {
      return groups;
    }

    @Override
    public String table() {
      return table;
    }
  }

  /** A requester. */
  static Requester user(String user, String table, String... groups) {
    return new Somebody(user, table, groups);
  }

  /** A requester who does something at an hour. */
  static Requester doing(String user, RequestKind kind, int hour) {
    return new Somebody(user, null) {
      @Override
      public RequestKind kind() {
        return kind;
      }

      @Override
      public int hour() {
        return hour;
      }
    };
  }

  /** A requester for some families of a table. */
  static Requester within(String user, String table, String... families) {
    return new Somebody(user, table) {
      @Override
      public Collection<String> families() {
        return List.of(families);
      }
    };
  }

  /** A requester whose groups are not known yet. */
  static Requester userWithoutGroups(String user, String table) {
    return new Somebody(user, table) {
      private boolean asked;

      @Override
      public Collection<String> groups() {
        asked = true;
        return super.groups();
      }

      @Override
      public boolean isWithoutGroups() {
        return asked;
      }
    };
  }
}
