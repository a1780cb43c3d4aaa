package org.hadoopprio.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/** The directory that JNA unpacks its native library to in a daemon. */
final class JnaCheck {

  /** What helps where JNA cannot load its library. */
  static final String REMEDY =
      "add -Djna.tmpdir=DIRECTORY to the JVM's options, a directory that it may write to, on a file"
          + " system without noexec";

  private JnaCheck() {}

  /**
   * Looks at the directory.
   *
   * @param properties the daemon's system properties
   * @param works whether the agent has loaded the library; empty where it is not at work
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
      report.ok("jna", process.toString(), "unpacks its library to " + directory);
      return;
    }
    String text = "JNA's directory " + directory + " is on " + mount.get().point() + ": " + bad;
    if (works.orElse(false)) {
      report.advice("jna", process.toString(), text + "; JNA found another way", REMEDY);
    } else {
      report.problem("jna", process.toString(), text, REMEDY);
    }
  }

  /** What JNA takes on Linux ({@code com.sun.jna.Native.getTempDir}). */
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
