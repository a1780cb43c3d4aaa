// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.function.Supplier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * Reads web pages of Hadoop's and HBase's daemons as their own clients do: HTTPS with the trust
 * store of ssl-client.xml, and a Kerberos login (SPNEGO) with the user's ticket where a page
 * requires one. Thread-safe.
 */
public final class WebClient {

  /** For each connection, and for each wait for data. */
  private static final int TIMEOUT_MS = 10_000;

  /** A daemon that listens and does not let this client see its pages. */
  public static final class AccessException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    private AccessException(String message, String remedy, Exception cause) {
      super(message, cause);
      this.remedy = remedy;
    }

    /** What the client needs. */
    public String remedy() {
      return remedy;
    }
  }

  private final Supplier<Configuration> conf;
  private SSLFactory tls;

  /**
   * A client.
   *
   * @param conf asked at the first HTTPS page for Hadoop's keys of TLS; its class loader has
   *     ssl-client.xml
   */
  public WebClient(Supplier<Configuration> conf) {
    this.conf = conf;
  }

  /**
   * A page's text.
   *
   * @throws AccessException if the daemon does not let this client see it
   * @throws IOException if it does not answer, or answers with a status other than 200
   */
  String get(URI page) throws IOException {
    try {
      HttpURLConnection connection = configure((HttpURLConnection) page.toURL().openConnection());
      int status = connection.getResponseCode();
      if (isRefused(status)) {
        connection = login(page);
        status = connection.getResponseCode();
      }
      if (isRefused(status)) {
        throw loginNeeded(page, "it answers " + status, null);
      }
      if (status != HttpURLConnection.HTTP_OK) {
        throw new IOException(page + " answers " + status);
      }
      try (InputStream in = connection.getInputStream()) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (SSLException e) {
      throw new AccessException(
          "the TLS connection to " + origin(page) + " fails (" + e + ")",
          "--conf DIRECTORY with an ssl-client.xml that names the trust store; --http https://HOST:PORT"
              + " with the host of the certificate",
          e);
    }
  }

  private static boolean isRefused(int status) {
    return status == HttpURLConnection.HTTP_UNAUTHORIZED
        || status == HttpURLConnection.HTTP_FORBIDDEN;
  }

  /** As Hadoop's clients: SPNEGO if the daemon asks for it, otherwise the user's plain name. */
  private HttpURLConnection login(URI page) throws IOException {
    try {
      return new AuthenticatedURL(new KerberosAuthenticator(), this::configure)
          .openConnection(page.toURL(), new AuthenticatedURL.Token());
    } catch (AuthenticationException e) {
      throw loginNeeded(page, e.getMessage(), e);
    }
  }

  private static AccessException loginNeeded(URI page, String reason, Exception cause) {
    return new AccessException(
        origin(page) + " requires a login, and this user has none that it accepts (" + reason + ")",
        "kinit, as the user who runs the doctor (or set KRB5CCNAME), and --http with the host name of"
            + " the daemon's principal HTTP/HOST",
        cause);
  }

  private static String origin(URI page) {
    return page.getScheme() + "://" + page.getAuthority();
  }

  private HttpURLConnection configure(HttpURLConnection connection) throws IOException {
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    // Hadoop's /conf answers in the format of this header.
    connection.setRequestProperty("Accept", "*/*");
    return connection instanceof HttpsURLConnection ? tls().configure(connection) : connection;
  }

  private synchronized SSLFactory tls() throws IOException {
    if (tls == null) {
      Configuration known = conf.get();
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      // SSLFactory looks for ssl-client.xml there.
      thread.setContextClassLoader(known.getClassLoader());
      try {
        SSLFactory made = new SSLFactory(SSLFactory.Mode.CLIENT, known);
        made.init();
        tls = made;
      } catch (GeneralSecurityException | IOException | RuntimeException e) {
        throw new AccessException(
            "Hadoop's configuration of TLS clients cannot be used (" + e + ")",
            "see ssl-client.xml and the trust store that it names",
            e);
      } finally {
        thread.setContextClassLoader(before);
      }
    }
    return tls;
  }
}
