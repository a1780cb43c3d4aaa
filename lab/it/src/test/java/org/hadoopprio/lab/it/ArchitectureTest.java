// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Which module and which package may use which. The rules are checked against the compiled classes
 * of all modules, so build the whole project first.
 */
class ArchitectureTest {

  private static final Path HOME = Path.of("..", "..");

  /** Compiled classes that are checked, relative to the project's directory. */
  private static final List<String> CLASSES =
      List.of(
          "hdfs-prio/api/target/classes",
          "hdfs-prio/disktime/target/classes",
          "hdfs-prio/simulation/target/classes",
          "hdfs-prio/target/classes",
          "hbase-prio/api/target/classes",
          "hbase-prio/hooks/target/classes",
          "hbase-prio/target/classes",
          "ycsb-binding/target/classes",
          "dist/agent/target/classes",
          "tools/target/classes",
          "lab/cluster/target/classes",
          "lab/bench/target/classes",
          "lab/it/target/test-classes");

  private static final String HDFS_API = "hdfs-prio/api";
  private static final String DISK_TIME = "hdfs-prio/disktime";
  private static final String SIMULATION = "hdfs-prio/simulation";
  private static final String HDFS = "hdfs-prio";
  private static final String HBASE_API = "hbase-prio/api";
  private static final String HBASE_HOOKS = "hbase-prio/hooks";
  private static final String HBASE = "hbase-prio";
  private static final String YCSB = "ycsb-binding";
  private static final String AGENT = "dist/agent";
  private static final String TOOLS = "tools";
  private static final String KIT = "lab/cluster";
  private static final String BENCH = "lab/bench";
  private static final String IT = "lab/it";

  private static final String CLIENT = "org.hadoopprio.hdfs.client..";
  private static final String DATANODE = "org.hadoopprio.hdfs.datanode..";

  private static JavaClasses classes;

  @BeforeAll
  static void importAllModules() {
    List<Path> found = new ArrayList<>();
    for (String directory : CLASSES) {
      Path path = HOME.resolve(directory);
      assertTrue(Files.isDirectory(path), () -> path + " is missing: build all modules first");
      found.add(path);
    }
    // Only names of Hadoop's and HBase's classes matter here, not what is in them.
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    classes = new ClassFileImporter().importPaths(found);
  }

  @Test
  void modulesDependOnEachOtherOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer(HDFS_API)
        .definedBy("org.hadoopprio", "org.hadoopprio.hdfs")
        .layer(DISK_TIME)
        .definedBy("org.hadoopprio.disktime..")
        .layer(SIMULATION)
        .definedBy("org.hadoopprio.simulation..")
        .layer(HDFS)
        .definedBy(
            "org.hadoopprio.agent..",
            "org.hadoopprio.config..",
            "org.hadoopprio.hdfs.*..",
            "org.hadoopprio.jmx..",
            "org.hadoopprio.linux..",
            "org.hadoopprio.log..",
            "org.hadoopprio.metrics..",
            "org.hadoopprio.off..",
            "org.hadoopprio.policy..",
            "org.hadoopprio.role..")
        .layer(HBASE_API)
        .definedBy("org.hadoopprio.hbase.client..")
        .layer(HBASE_HOOKS)
        .definedBy("org.hadoopprio.hbase.agent..", "org.hadoopprio.hbase.delegate..")
        .layer(HBASE)
        .definedBy("org.hadoopprio.hbase.config..", "org.hadoopprio.hbase.regionserver..")
        .layer(YCSB)
        .definedBy("org.hadoopprio.ycsb..")
        .layer(AGENT)
        .definedBy("org.hadoopprio.premain..")
        .layer(TOOLS)
        .definedBy("org.hadoopprio.tools..")
        .layer(KIT)
        .definedBy(
            "org.hadoopprio.lab.cluster..",
            "org.hadoopprio.lab.disk..",
            "org.hadoopprio.lab.progress..",
            "org.hadoopprio.lab.trace..",
            "org.hadoopprio.lab.workload..")
        .layer(BENCH)
        .definedBy("org.hadoopprio.lab.bench..")
        .layer(IT)
        .definedBy("org.hadoopprio.lab.it..")
        .ensureAllClassesAreContainedInArchitecture()
        .whereLayer(HDFS_API)
        .mayNotAccessAnyLayer()
        .whereLayer(DISK_TIME)
        .mayNotAccessAnyLayer()
        .whereLayer(SIMULATION)
        .mayOnlyAccessLayers(DISK_TIME)
        .whereLayer(HDFS)
        .mayOnlyAccessLayers(HDFS_API, DISK_TIME)
        .whereLayer(HBASE_API)
        .mayOnlyAccessLayers(HDFS_API)
        .whereLayer(HBASE_HOOKS)
        .mayOnlyAccessLayers(HDFS_API, HDFS)
        .whereLayer(HBASE)
        .mayOnlyAccessLayers(HDFS_API, HDFS, HBASE_API, HBASE_HOOKS)
        .whereLayer(YCSB)
        .mayOnlyAccessLayers(HDFS_API, HBASE_API)
        .whereLayer(AGENT)
        .mayOnlyAccessLayers(HDFS, HBASE_HOOKS)
        .whereLayer(TOOLS)
        .mayOnlyAccessLayers(HDFS_API, DISK_TIME, SIMULATION, HDFS, HBASE_HOOKS)
        .whereLayer(KIT)
        .mayOnlyAccessLayers(HDFS_API, HDFS, HBASE_API, HBASE, YCSB, TOOLS)
        .whereLayer(BENCH)
        .mayOnlyAccessLayers(
            HDFS_API, DISK_TIME, SIMULATION, HDFS, HBASE_API, HBASE, YCSB, TOOLS, KIT)
        .whereLayer(IT)
        .mayOnlyAccessLayers(HDFS_API, DISK_TIME, HDFS, HBASE_API, HBASE, YCSB, TOOLS, KIT)
        .check(classes);
  }

  @Test
  void noPackagesDependOnEachOther() {
    slices().assignedFrom(PACKAGES).should().beFreeOfCycles().check(classes);
  }

  /** So a command can be read, and changed, without the others. */
  @Test
  void theToolsShareWhatTheySeeOfANodeAndNoCommandKnowsAnother() {
    String tools = "org.hadoopprio.tools.";
    List<String> alone = List.of("admit", "hooks", "policy", "top");
    LayeredArchitecture layers =
        layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("node")
            .definedBy(tools + "node")
            .layer("trace")
            .definedBy(tools + "trace")
            .layer("checks")
            .definedBy(tools + "doctor.checks")
            .layer("doctor")
            .definedBy(tools + "doctor")
            .layer("prove")
            .definedBy(tools + "prove")
            .whereLayer("node")
            .mayNotAccessAnyLayer()
            .whereLayer("trace")
            .mayNotAccessAnyLayer()
            .whereLayer("checks")
            .mayOnlyAccessLayers("node")
            .whereLayer("doctor")
            .mayOnlyAccessLayers("node", "checks")
            .whereLayer("prove")
            .mayOnlyAccessLayers("node", "trace");
    for (String command : alone) {
      layers = layers.layer(command).definedBy(tools + command);
    }
    for (String command : alone) {
      layers = layers.whereLayer(command).mayOnlyAccessLayers("node");
    }
    layers
        .ensureAllClassesAreContainedInArchitecture()
        .check(classes.that(resideInAPackage(tools + ".")));
  }

  @Test
  void theClientAndTheDataNodeKnowNothingOfEachOther() {
    noClasses()
        .that()
        .resideInAPackage(CLIENT)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(DATANODE)
        .check(classes);
    noClasses()
        .that()
        .resideInAPackage(DATANODE)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(CLIENT)
        .check(classes);
  }

  /** So it can be tested in virtual time, and used by who does not have a DataNode. */
  @Test
  void diskTimeIsAStateMachine() {
    noClasses()
        .that()
        .resideInAPackage("org.hadoopprio.disktime..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.io..", "java.nio..", "java.net..", "java.util.concurrent.locks..")
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(Thread.class, ExecutorService.class)
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(classes);
  }

  @Test
  void onlyTheAgentKnowsHowClassesAreWoven() {
    noClasses()
        .that()
        .resideOutsideOfPackages("org.hadoopprio.agent..", "org.hadoopprio.hbase.agent..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("net.bytebuddy..")
        .check(classes);
  }

  /** Hooks name the types that they are for; so not only references count. */
  @Test
  void hdfsPrioNamesNothingOfHBase() throws IOException {
    List<Path> naming = new ArrayList<>();
    try (Stream<Path> files = Files.walk(HOME.resolve("hdfs-prio/target/classes"))) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        String content = Files.readString(file, StandardCharsets.ISO_8859_1);
        if (content.replace('/', '.').contains("org.apache.hadoop.hbase")) {
          naming.add(file);
        }
      }
    }
    assertEquals(List.of(), naming);
  }

  /**
   * What a thread is doing is in one place for each program that it may be in. Whoever adds a place
   * has to say when it ends, so first look whether one of these is meant.
   */
  @Test
  void aThreadHasFewPlacesForWhatItIsDoing() {
    Set<String> owners = new TreeSet<>();
    for (JavaClass each : classes) {
      boolean ofLaboratory = each.getPackageName().startsWith("org.hadoopprio.lab");
      for (JavaField field : each.getFields()) {
        if (!ofLaboratory && field.getRawType().isAssignableTo(ThreadLocal.class)) {
          owners.add(each.getSimpleName());
        }
      }
    }
    assertEquals(
        Set.of("PriorityScope", "ClientContext", "DiskRequest", "HandlerCall", "ThreadIoPriority"),
        owners);
  }

  @Test
  void theApiBringsNoLibrary() {
    noClasses()
        .that()
        .resideInAnyPackage("org.hadoopprio", "org.hadoopprio.hdfs", "org.hadoopprio.hbase.client")
        .should()
        .dependOnClassesThat()
        .resideOutsideOfPackages(
            "java..",
            "org.apache.hadoop..",
            "org.hadoopprio",
            "org.hadoopprio.hdfs",
            "org.hadoopprio.hbase.client")
        .check(classes);
  }

  /** Each package is a slice of its own, whatever it is nested in. */
  private static final SliceAssignment PACKAGES =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
          String name = javaClass.getPackageName();
          return name.startsWith("org.hadoopprio")
              ? SliceIdentifier.of(name)
              : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
          return "every package";
        }
      };
}
