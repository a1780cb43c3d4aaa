# SPDX-License-Identifier: Apache-2.0
# Adds the agent to DataNodes. Add this to the end of hdfs-env.sh (or hadoop-env.sh):
#
#   if [ -r /opt/hadoop-prio/conf/hdfs-env.sh ]; then . /opt/hadoop-prio/conf/hdfs-env.sh; fi
#
# Hadoop's scripts source their environment more than once, so the option is added only if it is not there yet. If the
# jar is missing the option is not added, because a JVM does not start without the file that -javaagent names.
#
# Where Hadoop 2's HADOOP_DATANODE_OPTS is still set, Hadoop 3 puts it in place of HDFS_DATANODE_OPTS, so it gets the
# option, too.

hprio_home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
if [[ ! -r $hprio_home/hdfs-prio-agent.jar ]]; then
  echo "hadoop-prio: $hprio_home/hdfs-prio-agent.jar cannot be read; the DataNode starts without it" >&2
else
  if [[ ${HDFS_DATANODE_OPTS:-} != *-javaagent:*hdfs-prio*agent.jar* ]]; then
    export HDFS_DATANODE_OPTS="${HDFS_DATANODE_OPTS:+$HDFS_DATANODE_OPTS }-javaagent:$hprio_home/hdfs-prio-agent.jar"
  fi
  if [[ -n ${HADOOP_DATANODE_OPTS:-} && $HADOOP_DATANODE_OPTS != *-javaagent:*hdfs-prio*agent.jar* ]]; then
    export HADOOP_DATANODE_OPTS="$HADOOP_DATANODE_OPTS -javaagent:$hprio_home/hdfs-prio-agent.jar"
  fi
fi
unset hprio_home
