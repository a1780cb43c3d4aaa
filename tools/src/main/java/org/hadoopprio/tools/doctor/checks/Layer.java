// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor.checks;

import java.util.Optional;
import java.util.regex.Pattern;
import org.hadoopprio.tools.node.SysfsDevice;

/**
 * A device made of others, and what becomes of a read's priority on the way through it. Immutable.
 *
 * <p>Since Linux 6.8 a request has the priority of the thread that reads when it enters the topmost
 * device (block/blk-core.c, submit_bio), and clones keep it (block/bio.c, __bio_clone). Before, it
 * has that of the thread that reaches the lowest one (block/blk-mq.c, bio_set_ioprio): a worker's
 * where a layer hands reads to one. A layer that reads by requests of its own loses it on any
 * kernel.
 */
final class Layer {

  private static final Pattern RAID_PART = Pattern.compile(".*_rimage_\\d+");

  private final String what;
  private final boolean loses;
  private final String effect;
  private final String remedy;

  private Layer(String what, boolean loses, String effect, String remedy) {
    this.what = what;
    this.loses = loses;
    this.effect = effect;
    this.remedy = remedy;
  }

  private static Layer keeps(String what, String effect) {
    return new Layer(what, false, effect, "");
  }

  private static Layer loses(String what, String effect, String remedy) {
    return new Layer(what, true, effect, remedy);
  }

  /** Of a layer that hands reads to a worker. */
  private static Layer byWorker(String what, boolean since68) {
    return since68
        ? keeps(what, "keeps a read's priority")
        : loses(
            what,
            "loses the priority of reads that its worker sends",
            "use Linux 6.8 or later, which keeps it");
  }

  /**
   * What a device is; empty if it is a disk.
   *
   * @param since68 whether the kernel is Linux 6.8 or later
   */
  static Optional<Layer> of(SysfsDevice device, boolean since68) {
    if (device.name().startsWith("loop")) {
      return Optional.of(
          keeps(
              "a loop device over " + device.read("loop/backing_file").orElse("a file"),
              "for tests only: priorities order its requests, not those of the disk below"));
    }
    Optional<String> level = device.read("md/level");
    if (level.isPresent()) {
      return Optional.of(raid(device, level.get()));
    }
    Optional<String> mapper = device.read("dm/uuid");
    if (mapper.isPresent()) {
      String name = device.read("dm/name").orElse(device.name());
      return Optional.of(mapped(device, mapper.get(), name, since68));
    }
    return device.parts().isEmpty()
        ? Optional.empty()
        : Optional.of(unknown("the device " + device.name()));
  }

  private static Layer unknown(String what) {
    return keeps(what, "may lose a read's priority: this doctor does not know it");
  }

  /** Software RAID (drivers/md). */
  private static Layer raid(SysfsDevice device, String level) {
    String what = "a software RAID (" + level + ")";
    switch (level) {
      case "linear":
      case "raid0":
      case "raid1":
      case "raid10":
        // The read itself or a clone, on the thread that reads.
        return keeps(what, "keeps a read's priority");
      case "raid4":
      case "raid5":
      case "raid6":
        // raid5.c, chunk_aligned_read: a clone, unless the array is degraded or changes its shape.
        // Such reads, and all writes, are requests of md's own thread (raid5.c, ops_run_io).
        boolean degraded = !"0".equals(device.read("md/degraded").orElse("0"));
        boolean reshaped = "reshape".equals(device.read("md/sync_action").orElse(""));
        return degraded || reshaped
            ? loses(
                what + ", " + (degraded ? "degraded" : "being reshaped"),
                "loses a read's priority until it is whole again",
                degraded ? "replace the failed disk" : "wait for the end of the reshape")
            : keeps(what, "keeps a read's priority while no disk has failed");
      default:
        return unknown(what);
    }
  }

  /** Device mapper; cryptsetup and LVM begin the uuid with their names. */
  private static Layer mapped(SysfsDevice device, String uuid, String name, boolean since68) {
    if (uuid.startsWith("CRYPT-INTEGRITY") || uuid.startsWith("CRYPT-SUBDEV")) {
      // dm-integrity.c, dm_integrity_map_continue: reads go to offload_wq.
      return byWorker("integrity device " + name, since68);
    }
    if (uuid.startsWith("CRYPT-VERITY")) {
      return unknown("verity device " + name);
    }
    if (uuid.startsWith("CRYPT-")) {
      // dm-crypt.c, kcryptd_io_read: a clone, on the thread that reads; only the decryption is a
      // worker's.
      return keeps(
          "encrypted device " + name,
          "keeps a read's priority, but decrypts without regard to it (unless set up with"
              + " no_read_workqueue)");
    }
    if (uuid.startsWith("mpath-")) {
      // dm-rq.c: a clone of the request, which this device's own scheduler has ordered.
      return keeps("multipath device " + name, "keeps a read's priority");
    }
    return device.isLogicalVolume()
        ? logicalVolume(device, "LVM volume " + name, since68)
        : unknown("device mapper device " + name);
  }

  /** The parts tell what an LVM volume is; its table of targets is not in sysfs. */
  private static Layer logicalVolume(SysfsDevice device, String what, boolean since68) {
    for (SysfsDevice part : device.parts()) {
      String uuid = part.read("dm/uuid").orElse("");
      if (RAID_PART.matcher(part.read("dm/name").orElse("")).matches()) {
        return keeps(
            what + " (RAID)",
            "keeps a read's priority, with level 4, 5 or 6 only while no disk has failed");
      }
      if (uuid.endsWith("-tpool") || uuid.endsWith("-cpool") || uuid.endsWith("-cdata")) {
        // dm-thin.c and dm-cache-target.c, defer_bio.
        return byWorker(what + (uuid.endsWith("-tpool") ? " (thin)" : " (cached)"), since68);
      }
      if (uuid.endsWith("-vpool")) {
        return unknown(what + " (VDO)");
      }
    }
    // dm-linear.c, dm-stripe.c: a clone, on the thread that reads.
    return keeps(what, "keeps a read's priority");
  }

  /** The kind of device, with its name. */
  String what() {
    return what;
  }

  /** Whether reads arrive at the disk without their priority. */
  boolean losesPriority() {
    return loses;
  }

  /** What it does to a read's priority, for a message. */
  String effect() {
    return effect;
  }

  /** What helps if it loses priorities; otherwise empty. */
  String remedy() {
    return remedy;
  }
}
