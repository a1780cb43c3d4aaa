// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A key of this host with its certificate, made by the JDK's keytool. */
final class TlsKey {

  private static final String PASSWORD = "for-a-test";

  private final Path store;

  TlsKey(Path directory) throws IOException, InterruptedException {
    store = directory.resolve("key.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "host",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    keytool.getOutputStream().close();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
  }

  /** For a server with this key. */
  SSLContext context() throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  /** A Hadoop client's configuration that trusts this key. */
  String sslClientXml() {
    return "<configuration>"
        + property("location", store.toString())
        + property("password", PASSWORD)
        + property("type", "pkcs12")
        + "</configuration>";
  }

  private static String property(String key, String value) {
    return "<property><name>ssl.client.truststore."
        + key
        + "</name><value>"
        + value
        + "</value></property>";
  }
}
