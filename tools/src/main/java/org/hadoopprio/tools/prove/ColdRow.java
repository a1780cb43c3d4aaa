// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.hadoopprio.IoPriority;

/**
 * A row of an HBase table: who serves it, and which store files have it. Not safe for use by
 * several threads.
 */
final class ColdRow implements Closeable {

  private final Configuration conf;
  private final TableName table;
  private final byte[] row;
  private final Connection connection;
  private final HRegionLocation region;
  private RegionFiles files;

  /**
   * Finds a row's region.
   *
   * @throws IOException if HBase does not answer, or there is no such table
   */
  ColdRow(Configuration conf, TableName table, byte[] row) throws IOException {
    this.conf = conf;
    this.table = table;
    this.row = row;
    this.connection = ConnectionFactory.createConnection(conf);
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      this.region = locator.getRegionLocation(row, true);
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** The RegionServer that serves it. */
  ServerName server() {
    return region.getServerName();
  }

  /** The address of that RegionServer's web pages. */
  String webAddress() throws IOException {
    // It says so itself; the Master would answer with the load of every region of every server.
    int port =
        ProtobufUtil.getServerInfo(null, ((ClusterConnection) connection).getAdmin(server()))
            .getWebuiPort();
    if (port <= 0) {
      throw new IOException(server() + " has no web pages: hbase.regionserver.info.port is -1");
    }
    boolean tls = conf.getBoolean("hbase.ssl.enabled", false);
    return (tls ? "https://" : "http://") + server().getHostname() + ":" + port;
  }

  /**
   * Gets the row.
   *
   * @param priority null to state none
   * @return the number of its cells
   */
  int get(IoPriority priority) throws IOException {
    Get get = new Get(row).setCacheBlocks(false);
    if (priority != null) {
      get.setAttribute(IoPriority.ATTRIBUTE, priority.toBytes());
    }
    try (Table opened = connection.getTable(table)) {
      return opened.get(get).size();
    }
  }

  /**
   * Where it is, in each store file that has it. The files are read for that, without a priority.
   *
   * @param root HBase's directory, hbase.rootdir
   * @throws IOException if no store file has it, saying why, or HDFS does not let this user read
   */
  List<RowPlace> places(Path root) throws IOException {
    FileSystem fs = root.getFileSystem(conf);
    files =
        new RegionFiles(
            fs,
            new Path(CommonFSUtils.getTableDir(root, table), region.getRegion().getEncodedName()));
    List<RowPlace> places = new ArrayList<>();
    boolean unclear = false;
    for (FileStatus file : files.list()) {
      String name = file.getPath().getName();
      if (StoreFileInfo.isReference(name) || HFileLink.isHFileLink(name)) {
        unclear = true;
      } else if (file.isFile() && StoreFileInfo.isHFile(name)) {
        RowPlace.find(fs, file, conf, row).ifPresent(places::add);
      }
    }
    if (places.isEmpty()) {
      throw new IOException(
          unclear
              ? "the region has links or halves of files of another region, which this command"
                  + " does not follow; compact the table, or take another row"
              : get(null) == 0
                  ? "there is no such row in " + table
                  : "the row is in memstore only, not on a disk yet; flush '"
                      + table
                      + "' in the HBase shell, or take an older row");
    }
    return places;
  }

  /** Whether its region has other store files than {@link #places} has seen. */
  boolean hasOtherFiles() throws IOException {
    return files.haveChanged();
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
