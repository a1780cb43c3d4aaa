# SPDX-License-Identifier: Apache-2.0
# hadoop-prio on a DataNode: the package, the agent, the keys. It restarts nothing: the agent is there after the next restart of the
# DataNode, which is yours to do. What the DataNode can change as it runs, such as the mode, it then takes at once.
# docs/distributions.md, "Puppet", says how it is used.
#
# @param mode
#   The mode of the volumes: observe, turns, order or off, also with volumes of their own ("observe, /data/9=turns").
# @param keys
#   Further keys dfs.datanode.io.priority.* and their values.
# @param package_file
#   A .deb or .rpm on the host, also of an older version. Without it the package comes from a repository.
# @param realtime
#   Whether the unit gets CAP_SYS_NICE, which real-time needs in the kernel.
# @param ensure
#   absent takes the agent's option and the keys away, as of the next restart; the package stays.
# @param keys_file
#   The file with the keys, which hdfs-site.xml includes.
# @param unit
#   The unit of the DataNode.
# @param user
#   The superuser of HDFS, who may run hdfs dfsadmin -reconfig.
# @param ipc
#   The DataNode's dfs.datanode.ipc.address.
# @param gate
#   The checks of the doctor whose problem fails a run. Without capability where the DataNode cannot have CAP_SYS_NICE.
# @param environment
#   Of the commands hprio and hdfs: "HADOOP_HOME=..." and "JAVA_HOME=..." where they are not on the path, "KRB5CCNAME=..." of a ticket.
class hadoop_prio (
  Pattern[/\A(observe|turns|order|off)( *, *\/[^=,]+=(observe|turns|order|off))*\z/] $mode = 'observe',
  Hash[Pattern[/\Adfs\.datanode\.io\.priority\.(?!scheduler\z)[a-z.]+\z/], Variant[String, Numeric, Boolean]] $keys = {},
  Optional[Pattern[/\A\/.+\.(deb|rpm)\z/]] $package_file = undef,
  Boolean $realtime = false,
  Enum['present', 'absent'] $ensure = 'present',
  Pattern[/\A\/.+\.xml\z/] $keys_file = '/etc/hadoop/conf/hadoop-prio-site.xml',
  Pattern[/\A[A-Za-z0-9:_.@-]+\z/] $unit = 'hadoop-hdfs-datanode',
  Pattern[/\A[A-Za-z_][A-Za-z0-9_.-]*\z/] $user = 'hdfs',
  Pattern[/\A[^ ']+:[0-9]+\z/] $ipc = "${facts['networking']['fqdn']}:9867",
  Array[Pattern[/\A[a-z_-]+\z/], 1] $gate = ['agent', 'capability', 'config', 'daemon', 'disk-time', 'jna', 'policy'],
  Array[Pattern[/\A[A-Z_0-9]+=/]] $environment = [],
) {
  $drop_in = "/etc/systemd/system/${unit}.service.d"
  $stamp = '/run/hadoop-prio.taken'
  $provider = $package_file ? {
    undef   => undef,
    /deb\z/ => 'dpkg',
    default => 'rpm',
  }
  $take = '/opt/hadoop-prio/dist/puppet/hadoop_prio/files/take'

  package { 'hadoop-prio':
    ensure   => if $package_file { 'latest' } else { 'installed' },
    source   => $package_file,
    provider => $provider,
  }

  -> file { $drop_in:
    ensure => directory,
  }

  # Not in hadoop-env.sh, which belongs to the module that installs Hadoop; it has to keep what HDFS_DATANODE_OPTS has.
  -> file { "${drop_in}/hadoop-prio.conf":
    ensure  => $ensure,
    content => epp('hadoop_prio/drop-in.epp', { 'realtime' => $realtime }),
  }

  ~> exec { 'hadoop-prio: systemctl daemon-reload':
    command     => 'systemctl daemon-reload',
    path        => $facts['path'],
    refreshonly => true,
  }

  if $ensure == 'present' {
    $others = "bash ${take} others '${unit}' '${drop_in}/hadoop-prio.conf'"
    exec { 'hadoop-prio: nothing else of the unit sets HDFS_DATANODE_OPTS':
      command  => "echo 'The drop-in would replace this; move it to hadoop-env.sh:'; ${others}; exit 1",
      path     => $facts['path'],
      onlyif   => "test -e ${take} && ${others}",
      provider => shell,
      require  => Package['hadoop-prio'],
      before   => File["${drop_in}/hadoop-prio.conf"],
    }
  }

  # A file of its own: a module that restarts the DataNode when hdfs-site.xml changes does not see a change of the mode.
  file { $keys_file:
    ensure  => $ensure,
    content => epp('hadoop_prio/keys.xml.epp', { 'keys' => { 'dfs.datanode.io.priority.scheduler' => $mode } + $keys }),
  }

  # In each run until it succeeds. A DataNode that was restarted since the drop-in was written, and lacks the agent, fails the run.
  if $ensure == 'present' {
    exec { 'hadoop-prio: the DataNode takes its keys and is healthy':
      command     => "bash ${take} '${user}' '${ipc}' '${stamp}' '${join($gate, '|')}'",
      path        => $facts['path'],
      environment => $environment,
      onlyif      => "test -e ${take} && bash ${take} due '${drop_in}/hadoop-prio.conf' '${keys_file}' '${stamp}'",
      provider    => shell,
      require     => [File["${drop_in}/hadoop-prio.conf"], File[$keys_file]],
      timeout     => 300,
    }
  }
}
