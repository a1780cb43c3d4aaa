// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the kernel lets a process do, as {@code /proc/PID/status} and {@code uid_map} say it
 * (proc(5), user_namespaces(7)). Immutable.
 */
public final class ProcessRights {

  private static final int CAP_SYS_ADMIN = 21;
  private static final int CAP_SYS_NICE = 23;

  /** SECCOMP_MODE_FILTER of include/uapi/linux/seccomp.h. */
  private static final String FILTER = "2";

  /** Maps every id to itself, as in the initial user namespace or an equivalent one. */
  private static final Pattern ALL_IDS = Pattern.compile("\\s*0\\s+0\\s+4294967295\\s*");

  private final String status;
  private final Optional<String> uidMap;

  /**
   * The rights of a process or thread.
   *
   * @param status the text of its {@code status}; empty if it is not known
   * @param uidMap the text of its {@code uid_map}, if it is known
   */
  public ProcessRights(String status, Optional<String> uidMap) {
    this.status = status;
    this.uidMap = uidMap;
  }

  /** The calling thread's. */
  static ProcessRights ofThread() {
    return new ProcessRights(
        read("/proc/thread-self/status").orElse(""), read("/proc/self/uid_map"));
  }

  private static Optional<String> read(String file) {
    try {
      return Optional.of(Files.readString(Path.of(file)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** A field of the status, such as {@code PPid}; empty if it is not known. */
  public Optional<String> field(String name) {
    return status
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst();
  }

  private boolean has(String set, int capability) {
    return field(set)
        .map(mask -> (Long.parseUnsignedLong(mask, 16) >>> capability & 1) == 1)
        .orElse(false);
  }

  /** Whether its capabilities are known. */
  public boolean isKnown() {
    return field("CapEff").isPresent();
  }

  /**
   * Whether it has a capability with which the kernel sets the real-time class (block/ioprio.c,
   * ioprio_check_cap; CAP_SYS_NICE since 5.10). In a user namespace of its own it does not count.
   */
  public boolean hasSysNice() {
    return has("CapEff", CAP_SYS_NICE) || has("CapEff", CAP_SYS_ADMIN);
  }

  /**
   * Whether it has CAP_SYS_NICE in its inheritable set only, as a runtime gives it to a container
   * that does not run as root: no program that it starts has it then.
   */
  public boolean onlyInheritsSysNice() {
    return has("CapInh", CAP_SYS_NICE) && !has("CapPrm", CAP_SYS_NICE);
  }

  /** Whether CAP_SYS_NICE is in its bounding set; in most containers it is not. */
  public boolean couldHaveSysNice() {
    return has("CapBnd", CAP_SYS_NICE);
  }

  /**
   * Whether its capabilities are valid outside its user namespace; those of a nested one are not.
   */
  public boolean isInFirstUserNamespace() {
    return uidMap.map(map -> ALL_IDS.matcher(map).matches()).orElse(true);
  }

  /** Whether a seccomp filter judges its system calls, as in most containers (seccomp(2)). */
  public boolean isFiltered() {
    return field("Seccomp").filter(FILTER::equals).isPresent();
  }
}
