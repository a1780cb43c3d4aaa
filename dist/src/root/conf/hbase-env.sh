# SPDX-License-Identifier: Apache-2.0
# Adds the agent to RegionServers and Masters, and hbase-prio.jar to the class path of all HBase commands. Add this
# to the end of hbase-env.sh:
#
#   if [ -r /opt/hadoop-prio/conf/hbase-env.sh ]; then . /opt/hadoop-prio/conf/hbase-env.sh; fi
#
# Like hdfs-env.sh, it can be sourced more than once, and adds nothing if a jar is missing.

hprio_home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
if [[ ! -r $hprio_home/hdfs-prio-agent.jar || ! -r $hprio_home/hbase-prio.jar ]]; then
  echo "hadoop-prio: $hprio_home/hdfs-prio-agent.jar or hbase-prio.jar cannot be read; a daemon whose hbase-site.xml names their classes does not start" >&2
else
  for hprio_variable in HBASE_REGIONSERVER_OPTS HBASE_MASTER_OPTS; do
    if [[ ${!hprio_variable:-} != *-javaagent:*hdfs-prio*agent.jar* ]]; then
      export "$hprio_variable=${!hprio_variable:+${!hprio_variable} }-javaagent:$hprio_home/hdfs-prio-agent.jar"
    fi
  done
  if [[ :${HBASE_CLASSPATH:-}: != *hbase-prio*.jar:* ]]; then
    export HBASE_CLASSPATH="${HBASE_CLASSPATH:+$HBASE_CLASSPATH:}$hprio_home/hbase-prio.jar"
  fi
  unset hprio_variable
fi
unset hprio_home
