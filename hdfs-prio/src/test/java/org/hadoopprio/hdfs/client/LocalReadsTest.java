package org.hadoopprio.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf.ShortCircuitConf;
import org.apache.hadoop.hdfs.client.impl.metrics.BlockReaderIoProvider;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.shortcircuit.DomainSocketFactory;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.agent.hooks.client.HdfsClientModule;
import org.hadoopprio.linux.DescriptorNumber;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests short-circuit reads with their hooks, of the files of a replica without a DataNode. */
@Timeout(60)
class LocalReadsTest {

  private static final int BYTES = 64 << 10;

  /** Hadoop's reader of files, with the hook woven in. */
  private static final Object FILES;

  private static final Method FILE_READ;

  static {
    try {
      Class<?> hooked = hooked(BlockReaderIoProvider.class);
      FILES = hooked.getConstructors()[0].newInstance(null, null, null);
      FILE_READ = hooked.getMethod("read", FileChannel.class, ByteBuffer.class, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static Class<?> hooked(Class<?> type) {
    DynamicType.Builder<?> woven = new ByteBuddy().redefine(type);
    for (Hook hook : new HdfsClientModule().hooks()) {
      if (hook.typeName().equals(type.getName())) {
        woven = woven.visit(Advice.to(hook.advice()).on(hook.methods()));
      }
    }
    return woven
        .make()
        .load(type.getClassLoader(), ClassLoadingStrategy.Default.CHILD_FIRST)
        .getLoaded();
  }

  @TempDir private Path directory;
  private Reader reader;

  @BeforeEach
  void open() throws IOException {
    DescriptorNumber.openWith(ByteBuddyAgent.install());
    Path data = Files.write(directory.resolve("blk_1"), new byte[BYTES]);
    // Of version 1, with no checksums.
    byte[] header = ByteBuffer.allocate(7).putShort((short) 1).put((byte) 0).putInt(512).array();
    reader = new Reader(data, Files.write(directory.resolve("blk_1_1.meta"), header));
  }

  @AfterEach
  void close() throws IOException {
    // What a failed test may have left.
    Thread.interrupted();
    reader.close();
  }

  /** A block reader as HDFS makes it, for a DataNode without a socket. */
  private final class Reader implements Closeable {
    final FileInputStream data;
    final ShortCircuitReplica replica;
    final BlockReader hooked =
        (BlockReader)
            Proxy.newProxyInstance(
                BlockReader.class.getClassLoader(),
                new Class<?>[] {BlockReader.class},
                (self, method, arguments) ->
                    method.getName().equals("hashCode") ? System.identityHashCode(self) : null);

    Reader(Path dataFile, Path checksums) throws IOException {
      data = new FileInputStream(dataFile.toFile());
      replica =
          new ShortCircuitReplica(
              new ExtendedBlockId(1, "BP-1"),
              data,
              new FileInputStream(checksums.toFile()),
              null,
              0,
              null);
      LocalReads.opened(hooked, socket(), new ExtendedBlock("BP-1", 1, BYTES, 1), "client");
    }

    private DomainSocketFactory.PathInfo socket() throws IOException {
      Configuration conf = new Configuration(false);
      conf.set(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "simple");
      conf.setBoolean(HdfsClientConfigKeys.Read.ShortCircuit.KEY, true);
      conf.set(
          HdfsClientConfigKeys.DFS_DOMAIN_SOCKET_PATH_KEY, directory.resolve("socket").toString());
      ShortCircuitConf settings = new ShortCircuitConf(conf);
      return new DomainSocketFactory(settings)
          .getPathInfo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), settings);
    }

    /** A read as BlockReaderLocal does it, with the hook on the file. */
    int read() throws Throwable {
      LocalReads.enter(hooked, replica);
      try {
        return (int) FILE_READ.invoke(FILES, data.getChannel(), ByteBuffer.allocate(BYTES), 0L);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      } finally {
        LocalReads.leave();
      }
    }

    @Override
    public void close() throws IOException {
      data.close();
      replica.getMetaStream().close();
    }
  }

  @Test
  void anInterruptedReadEndsAsWithoutTheHooks() {
    Thread.currentThread().interrupt();
    assertThrows(ClosedByInterruptException.class, reader::read);
    assertTrue(Thread.interrupted(), "stays interrupted");
    assertFalse(reader.data.getChannel().isOpen(), "as Java does it");
  }
}
