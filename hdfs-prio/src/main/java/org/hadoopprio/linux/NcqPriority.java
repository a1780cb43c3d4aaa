// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the kernel says of a disk's NCQ priority in sysfs. The attributes are those of libata and
 * libsas; drivers of SAS HBAs with firmware of their own (mpt3sas, mpi3mr) put {@code sas_} before
 * the name (Documentation/ABI/testing/sysfs-block-device). {@code survey.c} of {@code native/pbs}
 * knows the same names. Immutable.
 */
public final class NcqPriority {

  private static final List<String> PREFIXES = List.of("device/", "device/sas_");
  private static final String SUPPORTED = "ncq_prio_supported";
  private static final String ENABLE = "ncq_prio_enable";

  private final Optional<Boolean> supported;
  private final Optional<Boolean> enabled;
  private final String enableFile;

  private NcqPriority(Optional<Boolean> supported, Optional<Boolean> enabled, String enableFile) {
    this.supported = supported;
    this.enabled = enabled;
    this.enableFile = enableFile;
  }

  /**
   * Reads the attributes of a disk.
   *
   * @param attributes the content of a file below the disk's directory {@code /sys/block/DISK},
   *     given its name there; empty if it cannot be read
   */
  public static NcqPriority of(Function<String, Optional<String>> attributes) {
    for (String prefix : PREFIXES) {
      Optional<Boolean> supported = flag(attributes.apply(prefix + SUPPORTED));
      Optional<Boolean> enabled = flag(attributes.apply(prefix + ENABLE));
      if (supported.isPresent() || enabled.isPresent()) {
        return new NcqPriority(supported, enabled, prefix + ENABLE);
      }
    }
    return new NcqPriority(Optional.empty(), Optional.empty(), PREFIXES.get(0) + ENABLE);
  }

  private static Optional<Boolean> flag(Optional<String> text) {
    return text.map(String::strip).filter(t -> t.equals("0") || t.equals("1")).map("1"::equals);
  }

  /**
   * Whether the drive knows NCQ priority; empty if the kernel does not say: not a SATA drive, or a
   * kernel before 5.15.
   */
  public Optional<Boolean> isSupported() {
    return supported;
  }

  /** Whether the kernel sends real-time requests at high priority; empty if it cannot. */
  public Optional<Boolean> isEnabled() {
    return enabled;
  }

  /**
   * The file to write 1 to, below {@code /sys/block/DISK}, to enable it. While command duration
   * limits are on ({@code device/cdl_enable}), the kernel refuses that.
   */
  public String enableFile() {
    return enableFile;
  }
}
