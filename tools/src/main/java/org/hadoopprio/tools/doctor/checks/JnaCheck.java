// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.hadoopprio.tools.node.DaemonProcess;
import org.hadoopprio.tools.node.Mount;
import org.hadoopprio.tools.node.Report;

/** Checks the directory to which JNA unpacks its native library in a daemon. */
final class JnaCheck {

  /** The remedy if JNA cannot load its library. */
  static final String REMEDY =
      "add -Djna.tmpdir=DIRECTORY to the JVM's options, with a directory that the daemon may"
          + " write to, on a file system without noexec";

  /** The remedy where the JVM keeps libraries from being loaded, whatever their directory. */
  private static final String NATIVE_ACCESS =
      "add --enable-native-access=ALL-UNNAMED to the JVM's options: it has"
          + " --illegal-native-access=deny";

  private JnaCheck() {}

  /**
   * The remedy if JNA cannot load its library in a daemon.
   *
   * @param arguments those of its JVM, as JMX shows them
   */
  static String remedy(JsonNode arguments) {
    boolean denied = false;
    boolean enabled = false;
    for (JsonNode argument : arguments) {
      String text = argument.asText();
      denied |= text.equals("--illegal-native-access=deny");
      enabled |= text.startsWith("--enable-native-access=") && text.contains("ALL-UNNAMED");
    }
    return denied && !enabled ? NATIVE_ACCESS : REMEDY;
  }

  /**
   * Checks the directory.
   *
   * @param properties the daemon's system properties
   * @param works whether the agent has loaded the library; empty if the agent is not active
   */
  static void run(
      DaemonProcess process, JsonNode properties, Optional<Boolean> works, Report report) {
    List<Mount> mounts = process.mounts();
    String directory = directory(process, properties);
    Optional<Mount> mount = Mount.of(mounts, directory);
    if (mount.isEmpty()) {
      return;
    }
    String bad = mount.get().has("noexec") ? "noexec" : mount.get().has("ro") ? "read-only" : "";
    if (bad.isEmpty()) {
      report.ok("jna", process.toString(), "JNA unpacks its library to " + directory);
      return;
    }
    String text = "JNA's directory " + directory + " is on " + mount.get().point() + ": " + bad;
    if (works.orElse(false)) {
      report.advice(
          "jna", process.toString(), text + "; JNA has loaded its library in another way", REMEDY);
    } else {
      report.problem("jna", process.toString(), text, REMEDY);
    }
  }

  /** The directory that JNA uses on Linux ({@code com.sun.jna.Native.getTempDir}). */
  private static String directory(DaemonProcess process, JsonNode properties) {
    String asked = properties.path("jna.tmpdir").asText("");
    if (!asked.isEmpty()) {
      return asked;
    }
    String cache = process.variable("XDG_CACHE_HOME").orElse("");
    String home = properties.path("user.home").asText("");
    return cache.isEmpty() ? home + "/.cache/JNA/temp" : cache + "/JNA/temp";
  }
}
