package org.hadoopprio.bench.disk;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

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
    try {
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException("\"" + line + "\" ended with " + code + ": " + output);
      }
      return output;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while \"" + line + "\" was running");
    } finally {
      process.destroyForcibly();
    }
  }
}
