// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The kinds of disk there are. Every disk has a parent directory and a name in it. */
public enum DiskKind {
  /** A loop device of its own; needs root. */
  LOOP {
    @Override
    public Disk create(Path parent, String name, DiskSettings settings) throws IOException {
      return LoopDisk.create(image(parent, name), parent.resolve(name), settings);
    }

    @Override
    public Disk open(Path parent, String name) throws IOException {
      return LoopDisk.open(image(parent, name), parent.resolve(name));
    }

    @Override
    public void remove(Path parent, String name) throws IOException {
      LoopDisk.remove(image(parent, name), parent.resolve(name));
    }

    private Path image(Path parent, String name) {
      return parent.resolve(name + ".img");
    }
  },

  /** A virtual hard disk: slow, and with a queue that knows priorities; needs root. */
  VIRTUAL {
    @Override
    public Disk create(Path parent, String name, DiskSettings settings) throws IOException {
      return VirtualDisk.create(parent.resolve(name), settings, Map.of());
    }

    @Override
    public Disk open(Path parent, String name) throws IOException {
      return VirtualDisk.open(parent.resolve(name));
    }

    @Override
    public void remove(Path parent, String name) throws IOException {
      VirtualDisk.remove(parent.resolve(name));
    }
  },

  /** The same with its write cache off, which the kernel knows; needs root. */
  VIRTUAL_WRITE_THROUGH {
    @Override
    public Disk create(Path parent, String name, DiskSettings settings) throws IOException {
      return VirtualDisk.create(parent.resolve(name), settings, Map.of("write_cache_bytes", "0"));
    }

    @Override
    public Disk open(Path parent, String name) throws IOException {
      return VIRTUAL.open(parent, name);
    }

    @Override
    public void remove(Path parent, String name) throws IOException {
      VIRTUAL.remove(parent, name);
    }
  },

  /** A plain directory. */
  DIR {
    @Override
    public Disk create(Path parent, String name, DiskSettings settings) throws IOException {
      return DirDisk.create(parent.resolve(name));
    }

    @Override
    public Disk open(Path parent, String name) throws IOException {
      return DirDisk.open(parent.resolve(name));
    }

    @Override
    public void remove(Path parent, String name) throws IOException {
      Directories.delete(parent.resolve(name));
    }
  };

  /**
   * The kind this process can have: {@link #LOOP} as root where there are loop devices (not in
   * every container), else {@link #DIR}.
   */
  public static DiskKind best() {
    return Privileges.isRoot() && Files.exists(Path.of("/dev/loop-control")) ? LOOP : DIR;
  }

  /** Makes a disk. */
  public abstract Disk create(Path parent, String name, DiskSettings settings) throws IOException;

  /**
   * Makes a disk with the defaults of its kind.
   *
   * @param bytes its size; not used by kinds that share another file system's room
   */
  public final Disk create(Path parent, String name, long bytes) throws IOException {
    return create(parent, name, DiskSettings.of(bytes));
  }

  /** The disk that {@link #create} made, also in another process. */
  public abstract Disk open(Path parent, String name) throws IOException;

  /** Removes a disk, or the remains of one; does nothing if there is none. */
  public abstract void remove(Path parent, String name) throws IOException;
}
