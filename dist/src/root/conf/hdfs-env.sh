# SPDX-License-Identifier: Apache-2.0
# Adds the agent to DataNodes. Add this to the end of hdfs-env.sh (or hadoop-env.sh):
#
#   if [ -r /opt/hadoop-prio/conf/hdfs-env.sh ]; then . /opt/hadoop-prio/conf/hdfs-env.sh; fi
#
# Hadoop's scripts source their environment more than once, so the option is added only if it is not there yet. If the
# jar is missing the option is not added, because a JVM does not start without the file that -javaagent names.

hprio_home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
if [[ ! -r $hprio_home/hdfs-prio-agent.jar ]]; then
  echo "hadoop-prio: $hprio_home/hdfs-prio-agent.jar cannot be read; the DataNode starts without it" >&2
elif [[ ${HDFS_DATANODE_OPTS:-} != *-javaagent:*hdfs-prio*agent.jar* ]]; then
  export HDFS_DATANODE_OPTS="${HDFS_DATANODE_OPTS:+$HDFS_DATANODE_OPTS }-javaagent:$hprio_home/hdfs-prio-agent.jar"
fi
unset hprio_home
