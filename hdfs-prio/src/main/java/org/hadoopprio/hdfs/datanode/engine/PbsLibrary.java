// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;
import com.sun.jna.ptr.PointerByReference;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * {@code libhprio_pbs.so} through JNA's direct mapping. Its header {@code hprio_pbs.h} documents
 * each function; all are thread-safe.
 *
 * <p>Functions that are called for each read take handles and addresses as plain longs, which JNA
 * passes without allocating objects.
 */
final class PbsLibrary {

  /** PBS_TEXT and PBS_NAME: bytes of a text. */
  static final int TEXT = 256;

  private static final int NAME = 32;

  /** enum pbs_access. */
  static final int ACCESS_DEVICE = 1;

  static final int ACCESS_HELPER = 2;

  /** Of enum pbs_level. */
  static final int LEVEL_HIGH = 1;

  /**
   * The largest value of {@code in_flight}; the library takes half of the drive's queue at most.
   */
  static final int MOST_IN_FLIGHT = 32;

  /** enum pbs_way. */
  static final int WAY_CACHE = 0;

  static final int WAY_DIRECT = 2;
  static final int WAY_FALLBACK = 3;
  static final int WAY_NOT_READ = 4;

  /** PBS_DURATION_TIMES: inactive time, active time, guideline. */
  static final int DURATION_TIMES = 3;

  /** sizeof(struct pbs_duration_limits.odd[0]). */
  private static final int ODD = 48;

  /** struct pbs_outcome: four numbers of 32 bits and a text. */
  static final int OUTCOME_WAY = 0;

  static final int OUTCOME_REASON = 4;
  static final int OUTCOME_TEXT = 16;

  private static String loaded;

  private PbsLibrary() {}

  /**
   * Loads the library; later calls must name the same library.
   *
   * @param library a path, or a name that the system's loader finds
   * @return the reason why it cannot be used, or null if it can
   */
  static synchronized String load(String library) {
    if (library.equals(loaded)) {
      return null;
    }
    if (loaded != null) {
      return "this process has already loaded " + loaded;
    }
    if (Native.POINTER_SIZE != Long.BYTES) {
      return "needs a 64-bit JVM";
    }
    try {
      Native.register(
          PbsLibrary.class,
          NativeLibrary.getInstance(
              library, Map.of("classloader", PbsLibrary.class.getClassLoader())));
    } catch (Error e) {
      // UnsatisfiedLinkError, or the plain Error that JNA throws for a native part of another
      // version.
      return "cannot load " + library + ": " + firstLine(e.getMessage());
    }
    loaded = library;
    return null;
  }

  private static String firstLine(String text) {
    return text == null ? "no reason given" : text.lines().findFirst().orElse("");
  }

  static native int pbs_volume_open(
      String path, Options options, PointerByReference volume, byte[] error);

  static native void pbs_volume_close(long volume);

  static native void pbs_volume_info(long volume, Info info);

  static native int pbs_volume_duration_limits(long volume, Limits limits, byte[] error);

  static native int pbs_file_open(long volume, int descriptor, long file);

  static native void pbs_file_close(long file);

  static native long pbs_read_ncq(
      long file, long buffer, long length, long offset, int level, int timeoutMillis, long outcome);

  static native long pbs_read_direct(
      long file, long buffer, long length, long offset, int ioprio, long outcome);

  static native Pointer pbs_reason_name(int reason);

  /** The name of an {@code enum pbs_reason}. */
  static String reasonName(int reason) {
    return pbs_reason_name(reason).getString(0);
  }

  /** Decodes a text field of a structure. */
  static String text(byte[] bytes) {
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }

  /** struct pbs_options. */
  @FieldOrder({"helper", "access", "raiseAfterMillis", "inFlight"})
  public static final class Options extends Structure {
    public String helper;
    public int access;

    /** Concerns normal reads only; all of ours are high. */
    public int raiseAfterMillis;

    public int inFlight;
  }

  /** struct pbs_duration_limits; its arrays of arrays are in one each. */
  @FieldOrder({"ns", "policy", "odd", "ata"})
  public static final class Limits extends Structure {
    public long[] ns = new long[DurationLimits.DESCRIPTORS * DURATION_TIMES];
    public int[] policy = new int[DurationLimits.DESCRIPTORS * DURATION_TIMES];
    public byte[] odd = new byte[DurationLimits.DESCRIPTORS * ODD];

    /** 1: a SATA drive. */
    public int ata;

    /** A limit of the descriptor with an index, 1 to 7, in nanoseconds; 0 for none. */
    long nanos(int index, int time) {
      return ns[(index - 1) * DURATION_TIMES + time];
    }

    /** The policy of that limit, 0 to 15; -1 if it is not known. */
    int policy(int index, int time) {
      return policy[(index - 1) * DURATION_TIMES + time];
    }

    /** What of the descriptor the standard does not allow; empty for nothing. */
    String odd(int index) {
      return text(Arrays.copyOfRange(odd, (index - 1) * ODD, index * ODD));
    }
  }

  /** struct pbs_volume_info. */
  @FieldOrder({
    "deviceMajor",
    "deviceMinor",
    "diskMajor",
    "diskMinor",
    "access",
    "ncqSupported",
    "ncqPrioSupported",
    "ncqPrioEnabled",
    "cdlSupported",
    "cdlEnabled",
    "hints",
    "queueDepth",
    "logicalBlockBytes",
    "commandBytes",
    "rotational",
    "partitionStartBytes",
    "partitionBytes",
    "filesystem",
    "device",
    "disk",
    "scheduler",
    "model",
    "ncqRefused",
    "directRefused"
  })
  public static final class Info extends Structure {
    public int deviceMajor;
    public int deviceMinor;
    public int diskMajor;
    public int diskMinor;
    public int access;
    public int ncqSupported;
    public int ncqPrioSupported;
    public int ncqPrioEnabled;
    public int cdlSupported;
    public int cdlEnabled;
    public int hints;
    public int queueDepth;
    public int logicalBlockBytes;
    public int commandBytes;
    public int rotational;
    public long partitionStartBytes;
    public long partitionBytes;
    public byte[] filesystem = new byte[NAME];
    public byte[] device = new byte[NAME];
    public byte[] disk = new byte[NAME];
    public byte[] scheduler = new byte[NAME];
    public byte[] model = new byte[NAME];
    public byte[] ncqRefused = new byte[TEXT];
    public byte[] directRefused = new byte[TEXT];
  }
}
