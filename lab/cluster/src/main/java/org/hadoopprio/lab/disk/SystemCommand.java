// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs a command of the operating system to its end. */
public final class SystemCommand {

  private SystemCommand() {}

  /**
   * Runs a command and returns what it wrote to standard output and standard error, without the
   * last line break.
   *
   * @throws IOException if the program is missing, or it ends with another code than 0; the message
   *     holds the command and its output
   * @throws InterruptedIOException if the thread is interrupted; the command is killed
   */
  public static String run(String... command) throws IOException {
    String line = String.join(" ", command);
    Process process;
    try {
      process =
          new ProcessBuilder(List.of(command))
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .start();
    } catch (IOException e) {
      throw new IOException("cannot run \"" + line + "\": is " + command[0] + " installed?", e);
    }
    // Read elsewhere: the wait for the process can be interrupted, the reading cannot.
    CompletableFuture<byte[]> output =
        CompletableFuture.supplyAsync(() -> readAll(process.getInputStream()));
    try {
      int code = process.waitFor();
      String text = new String(output.join(), StandardCharsets.UTF_8).strip();
      if (code != 0) {
        throw new IOException("\"" + line + "\" ended with " + code + ": " + text);
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while \"" + line + "\" was running");
    } finally {
      process.destroyForcibly();
    }
  }

  private static byte[] readAll(InputStream stream) {
    try {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
