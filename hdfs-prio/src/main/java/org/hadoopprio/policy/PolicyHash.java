// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** By what operators compare the policies of a fleet. */
public final class PolicyHash {

  /** Of a server without a policy. */
  public static final String NONE = "none";

  private static final int DIGITS = 12;

  private PolicyHash() {}

  /** The first {@value #DIGITS} digits of a file's SHA-256, as sha256sum(1) prints it. */
  public static String of(byte[] content) {
    byte[] digest;
    try {
      digest = MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
    StringBuilder text = new StringBuilder();
    for (byte each : digest) {
      text.append(String.format("%02x", each));
    }
    return text.substring(0, DIGITS);
  }
}
