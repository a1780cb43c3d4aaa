// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A drive that knows no priority. It serves one request at a time and chooses the one with the
 * shortest positioning time among those it has; one that continues where its head is costs none.
 * {@link DiskModel} says how long each takes. For one thread.
 */
final class ModelledDisk implements SimulatedDisk {

  private static final double NANOS_PER_MS = 1e6;
  private static final double BYTES = 4e12;

  /** A millisecond of age is worth as much as this part of one of positioning. */
  private static final double AGE_WEIGHT = 1.0 / 20;

  private final DiskModel model;
  private final Random random;
  private final List<Request> queue = new ArrayList<>();
  private Request served;
  private long servedUntil;
  private double head;
  private long now;

  /** A disk of a model; what it draws is drawn from {@code random}. */
  ModelledDisk(DiskModel model, Random random) {
    this.model = model;
    this.random = random;
  }

  @Override
  public long bytes() {
    return (long) BYTES;
  }

  @Override
  public long now() {
    return now;
  }

  @Override
  public void read(Request request) {
    queue.add(request);
  }

  @Override
  public Optional<Request> run(long until) {
    if (served == null && !queue.isEmpty()) {
      serve();
    }
    if (served == null || servedUntil > until) {
      now = until;
      return Optional.empty();
    }
    now = servedUntil;
    Optional<Request> answered = Optional.of(served);
    served = null;
    return answered;
  }

  private void serve() {
    double least = Double.MAX_VALUE;
    for (Request request : queue) {
      // Old reads are preferred, as drives do.
      double age = (now - request.since()) / NANOS_PER_MS;
      double cost = positioning(request) - age * AGE_WEIGHT;
      if (cost < least) {
        least = cost;
        served = request;
      }
    }
    queue.remove(served);
    double millis = positioning(served) + model.transferMillis(served.bytes());
    if (model.extraMillis() > 0 && !served.sequential()) {
      millis -= Math.log(1 - random.nextDouble()) * model.extraMillis();
    }
    head = (served.offset() + served.bytes()) / BYTES;
    servedUntil = now + (long) (millis * NANOS_PER_MS);
  }

  /** Seek and rotation, in milliseconds. */
  private double positioning(Request request) {
    return model.positioningMillis(head, request.offset() / BYTES, request.sequential(), now);
  }
}
