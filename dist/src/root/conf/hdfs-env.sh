# The agent for DataNodes. Add this to the end of hdfs-env.sh (or hadoop-env.sh):
#
#   if [ -r /opt/hadoop-prio/conf/hdfs-env.sh ]; then . /opt/hadoop-prio/conf/hdfs-env.sh; fi
#
# Hadoop's scripts read their environment more than once: the option is added once. Without the jar it is
# not, as a JVM ends at once when the file of its -javaagent is missing.

hprio_home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
if [[ ! -r $hprio_home/hdfs-prio-agent.jar ]]; then
  echo "hadoop-prio: $hprio_home/hdfs-prio-agent.jar cannot be read; the DataNode starts without it" >&2
elif [[ ${HDFS_DATANODE_OPTS:-} != *-javaagent:*hdfs-prio*agent.jar* ]]; then
  export HDFS_DATANODE_OPTS="${HDFS_DATANODE_OPTS:+$HDFS_DATANODE_OPTS }-javaagent:$hprio_home/hdfs-prio-agent.jar"
fi
unset hprio_home
