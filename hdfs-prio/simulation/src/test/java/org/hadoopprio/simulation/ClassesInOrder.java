// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hadoopprio.disktime.DiskClass;

/**
 * A disk behind mq-deadline: while a real-time request is in the kernel, it sends no other to the
 * drive. For one thread.
 */
final class ClassesInOrder implements SimulatedDisk {

  private final SimulatedDisk drive;
  private final List<Request> heldBack = new ArrayList<>();
  private int realtime;

  ClassesInOrder(SimulatedDisk drive) {
    this.drive = drive;
  }

  private static boolean isRealtime(Request request) {
    return request.diskClass() == DiskClass.REALTIME;
  }

  @Override
  public long bytes() {
    return drive.bytes();
  }

  @Override
  public long now() {
    return drive.now();
  }

  @Override
  public void read(Request request) {
    if (isRealtime(request)) {
      realtime++;
    } else if (realtime > 0) {
      heldBack.add(request);
      return;
    }
    drive.read(request);
  }

  @Override
  public Optional<Request> run(long until) {
    Optional<Request> answered = drive.run(until);
    if (answered.isPresent() && isRealtime(answered.get()) && --realtime == 0) {
      heldBack.forEach(drive::read);
      heldBack.clear();
    }
    return answered;
  }
}
