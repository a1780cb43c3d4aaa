// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What another version of HBase could have changed, in types that look like its own. */
class HBaseFitTest {

  /** Hooks as another version declares them. */
  interface OtherObserver {
    default void kept(String row) {}

    default void changed(String row, int more) {}
  }

  /** An observer as it was made for the version before. */
  public static final class Observer implements OtherObserver {
    @Override
    public void kept(String row) {}

    public void changed(String row) {}

    void ofItsOwn() {}
  }

  /** A type with a method that the version before did not have. */
  public abstract static class Scanner implements AutoCloseable {
    @Override
    public void close() {}

    /** New in this version. */
    public abstract boolean isNew(String row);
  }

  @Test
  void thisHBaseFits() {
    assertTrue(HBaseFit.fits());
  }

  @Test
  void aHookThatIsNeverCalledIsNamed() {
    assertEquals(
        List.of("it never calls changed(String)"),
        HBaseFit.unknownHooks(Observer.class, OtherObserver.class));
  }

  @Test
  void aMethodThatIsNotImplementedIsNamed() {
    assertEquals(List.of("it needs isNew(String)"), HBaseFit.unimplemented(Scanner.class));
  }
}
