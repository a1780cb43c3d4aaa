// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/** A client with a principal of its own: {@code PRINCIPAL KEYTAB write|read FILE MIB}. */
public final class KerberosClient {

  private KerberosClient() {}

  /** Logs in, then does what {@link SampleFile} does. */
  public static void main(String[] args) throws IOException {
    UserGroupInformation.setConfiguration(new Configuration());
    UserGroupInformation.loginUserFromKeytab(args[0], args[1]);
    SampleFile.main(new String[] {args[2], args[3], args[4]});
  }
}
