# SPDX-License-Identifier: Apache-2.0
"""An HDFS with its DataNode in the guest, the NameNode and the clients on the host."""

import contextlib
import os
import shutil
import socket
import subprocess
import threading
import time
import xml.etree.ElementTree as xml
from pathlib import Path

from . import Broken, Unavailable
from .cases import extents, sectors
from .pbs_cases import start_helper
from .run import ROOT

_LOOPBACK = "127.0.0.1"
_HOST_SEEN_FROM_GUEST = "10.0.2.2"  # QEMU's user network
_GUEST_ADDRESS = "10.0.2.15/24"
_GUEST_MODULES = ("9p", "9pnet_virtio", "virtio_pci", "virtio_net")
_GUEST_MEMORY_MIB = 1536
# Where the guest has the host's file system, and in it the guest's disk.
_HOST_ROOT = "/tmp/host"
_DISK = "/mnt"
# The host's file system is read-only.
_GUEST_TEMPORARY = f"-Djava.io.tmpdir={_DISK}/tmp"
_HELPER_SOCKET = f"{_DISK}/tmp/pbsd.sock"

# A DataNode creates a block only where a whole one would fit, and the guest's disk is small.
_BLOCK_BYTES = 24 << 20
_READY_LIMIT_S = 150
_DOCTOR_LIMIT_S = 150
_TAKEN_FIRST = 64 << 10
_CLIENT_LIMIT_S = 90
_STOP_LIMIT_S = 10
_POLL_S = 1

_LOGGING = """log4j.rootLogger=INFO,out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.target=System.err
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n
"""


@contextlib.contextmanager
def hdfs(run, name, make_guest):
    """
    A running NameNode, and a guest in which a DataNode can be started. make_guest gets the run, the name and what
    run.guest needs for this, and gives a machine with the disk at /mnt.
    """
    java = _Java()
    ports = _free_ports("namenode", "http", "data", "ipc")
    forwarded = "".join(
        f",hostfwd=tcp:{_LOOPBACK}:{ports[name]}-:{ports[name]}" for name in ("data", "ipc")
    )
    guest = make_guest(
        run,
        name,
        modules=_GUEST_MODULES,
        memory_mib=_GUEST_MEMORY_MIB,
        options=(
            *("-cpu", "max"),
            *("-nic", f"user,model=virtio-net-pci{forwarded}"),
            # remap: files of different file systems may have the same inode number.
            *("-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap"),
        ),
    )
    with guest as machine:
        cluster = Hdfs(machine, java, run.work / name, ports)
        with cluster.namenode():
            cluster.prepare_guest()
            yield cluster


class Hdfs:
    """Files are named without a directory. For use by one thread."""

    def __init__(self, guest, java, directory, ports):
        self.guest = guest
        self._java = java
        self._directory = directory
        self._ports = ports

    @contextlib.contextmanager
    def namenode(self):
        conf = self._write_conf(
            "host",
            _LOOPBACK,
            {
                "dfs.namenode.name.dir": (self._directory / "name").as_uri(),
                "dfs.namenode.http-address": f"{_LOOPBACK}:{self._ports['http']}",
                "dfs.namenode.datanode.registration.ip-hostname-check": "false",
                "dfs.namenode.safemode.extension": "0",
                "dfs.replication": "1",
                "dfs.blocksize": str(_BLOCK_BYTES),
            },
        )
        main = "org.apache.hadoop.hdfs.server.namenode.NameNode"
        self._start(self._java.command(conf, main, "-format", "-nonInteractive"), "format").wait()
        namenode = self._start(self._java.command(conf, main), "namenode")
        try:
            yield
        finally:
            namenode.end()

    def prepare_guest(self):
        """Gives the guest a network and the host's file system."""
        for command in (
            "hostname localhost",
            f"ip link set lo up; ip link set eth0 up; ip addr add {_GUEST_ADDRESS} dev eth0",
            f"mkdir {_HOST_ROOT} {_DISK}/tmp",
            f"mount -t 9p -o ro,trans=virtio,version=9p2000.L,msize=262144,cache=loose host {_HOST_ROOT}",
            f"for d in /proc /sys /dev; do mount --bind $d {_HOST_ROOT}$d; done",
        ):
            self.guest.run(command)
        self.bind_disk()

    def bind_disk(self):
        """Shows the guest's disk in the host's file system, too."""
        self.guest.run(f"mount --bind {_DISK} {_HOST_ROOT}{_DISK}")

    def end_datanode(self):
        """Ends the one that runs, and takes the guest's disk from the host's file system, so that nothing uses it."""
        self.guest.run(f"kill -9 {self._datanode}; until umount {_HOST_ROOT}{_DISK} 2>/dev/null; do sleep 0.1; done")

    def start_helper(self):
        """That of engine ncq."""
        start_helper(self.guest, 0, _HELPER_SOCKET)

    @contextlib.contextmanager
    def datanode(self, engines):
        """A DataNode with a volume for each of these engines that has registered and reported."""
        volumes = {engine: f"{_DISK}/{engine}" for engine in engines}
        conf = self._write_conf(
            "guest",
            _HOST_SEEN_FROM_GUEST,
            {
                "dfs.datanode.data.dir": ",".join(f"file://{path}" for path in volumes.values()),
                "dfs.datanode.address": f"0.0.0.0:{self._ports['data']}",
                "dfs.datanode.ipc.address": f"0.0.0.0:{self._ports['ipc']}",
                "dfs.datanode.http.address": f"{_LOOPBACK}:0",
                "dfs.datanode.hostname": "localhost",
                "dfs.datanode.io.priority.highest": "rt:0",
                # The guest's disk is small.
                "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space": "0",
                # No reads of its own in the background.
                "dfs.datanode.scan.period.hours": "-1",
                "fs.getspaceused.classname": "org.apache.hadoop.fs.DFCachingGetSpaceUsed",
                "dfs.datanode.io.priority.engine": ",".join(
                    f"{path}={engine}" for engine, path in volumes.items()
                ),
                "dfs.datanode.io.priority.engine.library": str(self._java.pbs_library),
                "dfs.datanode.io.priority.engine.ncq.helper": _HELPER_SOCKET,
            },
        )
        log = f"{_DISK}/tmp/datanode.log"
        command = self._java.command(
            conf,
            "org.apache.hadoop.hdfs.server.datanode.DataNode",
            options=(_GUEST_TEMPORARY,),
        )
        started = self.guest.run(
            f"chroot {_HOST_ROOT} {' '.join(command)} </dev/null >{log} 2>&1 & echo $!"
        )
        pid = self._datanode = int(started)
        try:
            self._await_log(pid, log, "Successfully sent block report")
            for engine, path in volumes.items():
                if engine != "thread":
                    # It says which one it is: not this one where the volume cannot do it.
                    self._await_log(pid, log, f"{path}.* go through engine")
            yield
        finally:
            self.guest.try_run(f"kill -9 {pid}; cat {log} >/dev/ttyS0")

    def doctor(self, check):
        """The lines of this check that hprio doctor prints in the guest, for the volumes of the last DataNode."""
        command = self._java.doctor("--conf", self._directory / "guest", options=(_GUEST_TEMPORARY,))
        # Its exit status tells of problems, which a guest may have.
        _, told = self.guest.try_run(f"chroot {_HOST_ROOT} {' '.join(command)} 2>&1", _DOCTOR_LIMIT_S)
        lines = [line for line in told.splitlines() if f" {check} " in line]
        if not lines:
            raise Broken(f"the doctor has no line of {check}: {told.strip()}")
        return lines

    def put_on_each_volume(self, name, length, volumes):
        """Writes a file to each of a DataNode's volumes; returns volume: (file, its block files in the guest)."""
        placed = {}
        # A DataNode takes its volumes in turn.
        for index in range(len(volumes)):
            file = f"{name}-{index}"
            blocks = self._put(file, length)
            for volume in volumes:
                if all(block.startswith(f"{_DISK}/{volume}/") for block in blocks):
                    placed[volume] = (file, blocks)
        if len(placed) != len(volumes):
            raise Broken(f"the files {name} are on the volumes {sorted(placed)} only")
        return placed

    def _put(self, name, length):
        source = self._directory / name
        source.write_bytes(os.urandom(length))
        before = self._block_files()
        with self._needs_guest():
            self._shell(f"put-{name}", "-put", source, f"/{name}").wait()
        source.unlink()
        return self._block_files() - before

    @contextlib.contextmanager
    def read(self, name, priority=None):
        """A client that reads a file as fast as its bytes are taken, all of which must be."""
        client = self._shell(f"read-{name}", "-cat", f"/{name}", priority=priority)
        try:
            with self._needs_guest():
                yield client
                client.wait()
        finally:
            client.end()

    def read_both(self, large, large_priority, small, small_priority):
        """
        Two clients read a file each, with cold caches. The large one is asked for first and waits for its client until the
        small one is over. Returns the places in the trace before, and where the small one was over.
        """
        self.guest.run("sync; echo 3 >/proc/sys/vm/drop_caches")
        start = self.guest.trace_position()
        with self.read(large, large_priority) as slow:
            slow.take(_TAKEN_FIRST)
            with self.read(small, small_priority) as quick:
                quick.wait()
            end_of_small = self.guest.trace_position()
        return start, end_of_small

    def sectors(self, files):
        """The drive's sectors of block files."""
        return [part for file in files for part in sectors(extents(self.guest, file))]

    @contextlib.contextmanager
    def _needs_guest(self):
        """Where a client fails because the guest has died, that is told."""
        try:
            yield
        except Broken:
            self.guest.require_running()
            raise

    def _block_files(self):
        return set(self.guest.run(f"find {_DISK} -name 'blk_*' ! -name '*.meta'").split())

    def _shell(self, log, *arguments, priority=None):
        command = self._java.command(
            self._directory / "host", "org.apache.hadoop.fs.FsShell", *map(str, arguments)
        )
        return self._start(command, log, {"HADOOP_IO_PRIORITY": priority} if priority else {})

    def _start(self, command, log, environment=None):
        return _Process(command, self._directory / f"{log}.log", environment or {})

    def _write_conf(self, name, namenode_address, keys):
        """A configuration directory for daemons and clients that see the NameNode at this address."""
        directory = self._directory / name
        # The published HDFS jar lacks its web pages, without whose directories no daemon starts.
        for pages in ("hdfs", "datanode"):
            (directory / "webapps" / pages).mkdir(parents=True, exist_ok=True)
        (directory / "log4j.properties").write_text(_LOGGING)
        namenode = f"hdfs://{namenode_address}:{self._ports['namenode']}"
        _write_site(directory / "core-site.xml", {"fs.defaultFS": namenode})
        _write_site(directory / "hdfs-site.xml", keys)
        return directory

    def _await_log(self, pid, log, text):
        deadline = time.monotonic() + _READY_LIMIT_S
        while time.monotonic() < deadline:
            found, _ = self.guest.try_run(f"grep -q '{text}' {log}")
            if found == 0:
                return
            alive, _ = self.guest.try_run(f"kill -0 {pid}")
            if alive != 0:
                break
            time.sleep(_POLL_S)
        last = self.guest.run(f"tail -n 3 {log}").strip().replace("\n", " | ")
        raise Broken(f"no \"{text}\" in the DataNode's log within {_READY_LIMIT_S} s: {last}")


class _Java:
    """How a JVM with Hadoop, and with the agent, is started, on the host and in the guest alike."""

    def __init__(self):
        home = os.environ.get("JAVA_HOME")
        found = Path(home, "bin", "java") if home else shutil.which("java")
        self._libraries = ROOT / "lab" / "cluster" / "target" / "lib"
        agents = sorted((ROOT / "dist" / "agent" / "target").glob("hdfs-prio-*-agent.jar"))
        if not found or not Path(found).exists():
            raise Unavailable("needs a JDK")
        if not agents or not self._libraries.is_dir():
            raise Unavailable("needs the build of all modules (Hadoop's jars and the agent)")
        # With Hadoop's own library a DataNode reads ahead in threads of a pool.
        native = ROOT / "lab" / "cluster" / "target" / "native" / "nativelib" / "Linux-amd64"
        self._native = f"-Djava.library.path={native}"
        self.pbs_library = ROOT / "native" / "target" / "pbs" / "libhprio_pbs.so"
        if not self.pbs_library.exists():
            raise Unavailable("needs libhprio_pbs.so, which the build of the module native makes")
        self._launcher = Path(found).resolve()
        self._agent = agents[-1]

    def _jvm(self):
        return [str(self._launcher), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx256m"]

    def doctor(self, *arguments, options=()):
        """As a node's hprio starts it: beside the agent's classes."""
        built = sorted((ROOT / "tools" / "target").glob("doctor-*-node.jar"))
        if not built:
            raise Broken("needs the build of the module tools")
        classes = f"{self._agent}:{built[-1]}:{self._libraries}/*"
        main = "org.hadoopprio.tools.doctor.DoctorCommand"
        return [*self._jvm(), *options, "-cp", classes, main, *map(str, arguments)]

    def command(self, conf, main, *arguments, options=()):
        return [
            *self._jvm(),
            "-Djava.net.preferIPv4Stack=true",
            *("--add-opens", "java.base/java.lang=ALL-UNNAMED"),
            f"-javaagent:{self._agent}",
            self._native,
            *options,
            *("-cp", f"{conf}:{self._libraries}/*"),
            main,
            *arguments,
        ]


class _Process:
    """A program on the host; its messages go to a file. A client is ended when it takes too long."""

    def __init__(self, command, log, environment):
        self._log = log
        with log.open("wb") as messages:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=messages,
                env={**os.environ, **environment},
            )

    def take(self, length):
        """The next bytes of its output; fewer only at the end."""
        with self._limited():
            return self._process.stdout.read(length)

    def wait(self):
        """Takes all of its output; it must succeed."""
        with self._limited():
            self._process.stdout.read()
            status = self._process.wait()
        if status != 0:
            last = self._log.read_text(errors="replace").strip().splitlines()[-2:]
            raise Broken(f"{self._log.stem} ended with {status}: {' | '.join(last)}")

    def end(self):
        self._process.kill()
        self._process.wait(_STOP_LIMIT_S)
        self._process.stdout.close()

    @contextlib.contextmanager
    def _limited(self):
        killer = threading.Timer(_CLIENT_LIMIT_S, self._process.kill)
        killer.start()
        try:
            yield
        finally:
            killer.cancel()


def _write_site(path, keys):
    configuration = xml.Element("configuration")
    for name, value in keys.items():
        key = xml.SubElement(configuration, "property")
        xml.SubElement(key, "name").text = name
        xml.SubElement(key, "value").text = value
    xml.ElementTree(configuration).write(path)


def _free_ports(*names):
    """A free TCP port for each name."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in names]
        for each in sockets:
            each.bind((_LOOPBACK, 0))
        return {name: each.getsockname()[1] for name, each in zip(names, sockets)}
