package org.hadoopprio.bench.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The preemption model of a kernel that can change it while it runs (PREEMPT_DYNAMIC; {@code
 * preempt=} in Documentation/admin-guide/kernel-parameters.txt, {@code sched/preempt} in debugfs).
 *
 * <p>Without preemption a thread that is in the kernel keeps its processor for milliseconds, also
 * where the daemon of a virtual disk has an answer to give. A real disk's controller waits for
 * nobody's processor. Needs root. Thread-safe.
 */
public final class KernelPreemption implements Closeable {

  private static final String FULL = "full";

  /** The file lists the models; the one in force is in parentheses. */
  private static final Pattern IN_FORCE = Pattern.compile("\\((\\w+)\\)");

  /** What the kernel had before; empty when there is nothing to put back. */
  private Optional<String> before;

  private KernelPreemption(Optional<String> before) {
    this.before = before;
  }

  /**
   * Lets the kernel be preempted wherever it can be, until this is closed. A kernel that cannot be
   * changed, or does not let us, stays as it is.
   */
  public static KernelPreemption full() {
    try {
      return new KernelPreemption(change(FULL));
    } catch (IOException e) {
      return new KernelPreemption(Optional.empty());
    }
  }

  /**
   * The model in force, for people.
   *
   * @return empty if this kernel does not tell, or not us
   */
  public static Optional<String> inForce() {
    try (DebugFs debugFs = new DebugFs()) {
      return Optional.of(inForce(Files.readString(debugFs.preempt())));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static String inForce(String models) throws IOException {
    Matcher matcher = IN_FORCE.matcher(models);
    if (!matcher.find()) {
      throw new IOException("sched/preempt in debugfs names no model in force: " + models);
    }
    return matcher.group(1);
  }

  /** Returns what was in force if that was another model. */
  private static Optional<String> change(String model) throws IOException {
    try (DebugFs debugFs = new DebugFs()) {
      String present = inForce(Files.readString(debugFs.preempt()));
      if (present.equals(model)) {
        return Optional.empty();
      }
      Files.writeString(debugFs.preempt(), model);
      return Optional.of(present);
    }
  }

  /** Puts back what was in force before. */
  @Override
  public synchronized void close() throws IOException {
    if (before.isPresent()) {
      change(before.get());
      before = Optional.empty();
    }
  }

  /** Mounted for a moment, as it is not mounted everywhere. */
  private static final class DebugFs implements Closeable {

    private final Path directory = Files.createTempDirectory("hprio-debugfs-");
    private boolean mounted;

    DebugFs() throws IOException {
      try {
        SystemCommand.run("mount", "-t", "debugfs", "debugfs", directory.toString());
        mounted = true;
      } finally {
        if (!mounted) {
          Files.delete(directory);
        }
      }
    }

    Path preempt() {
      return directory.resolve("sched").resolve("preempt");
    }

    @Override
    public void close() throws IOException {
      SystemCommand.run("umount", directory.toString());
      Files.delete(directory);
    }
  }
}
