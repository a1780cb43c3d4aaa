# SPDX-License-Identifier: Apache-2.0
# "hprio uninstall --check": what on this host still refers to hadoop-prio. Needs neither Java nor Hadoop, so that the
# packages can call it while they are removed. Sourced by bin/hprio.

uninstall_usage() {
  cat <<'TEXT'
Usage: hprio uninstall --check [--conf DIRECTORY]... [--root DIRECTORY]

Lists what on this host still refers to hadoop-prio, and changes nothing:

  process  runs with the agent or the HBase part, or is the helper hprio-pbsd
  line     of hadoop-env.sh, hbase-env.sh and their like
  key      of a site file (*.xml)
  file     systemd drop-ins and units, udev rules, /etc/hadoop-prio, settings of the helper

It looks into the configuration directories of HADOOP_CONF_DIR and HBASE_CONF_DIR, of the daemons that
run, of the usual places below /etc, /opt and /usr, and into those given. As root it sees the environment
of all processes.

  --conf DIRECTORY   another configuration directory
  --root DIRECTORY   the root directory of the host (default: /)

It cannot see attributes of HBase tables, options in jobs, nor other hosts.
Exit status: 0 nothing is left, 1 something is, 2 bad input.
TEXT
}

# What hadoop-prio's files, classes and variables are called.
readonly NAMES='hadoop-prio|hdfs-prio|hbase-prio|hadoopprio|HADOOP_IO_PRIORITY|HADOOP_IO_TENANT'
readonly AGENT='^-javaagent:.*hdfs-prio.*\.jar'
readonly JARS='^(JAVA_TOOL_OPTIONS|CLASSPATH)=.*(hdfs-prio|hbase-prio)[^/:]*\.jar|^HADOOP_IO_PRIORITY=.'

references=0

reference() {
  printf '%-8s %s\n' "$1" "$2"
  references=$((references + 1))
}

# The words of a file of /proc, or none: the process may have ended, or be another user's.
words_of() {
  words=()
  mapfile -d '' -t words 2>/dev/null <"$1" || true
}

check_process() {
  local directory=$1 executable word name='' why=''
  executable=$(readlink -- "$directory/exe" || true)
  executable=${executable% (deleted)}
  words_of "$directory/cmdline"
  for word in "${words[@]}"; do
    if [[ -z $why && $word =~ $AGENT ]]; then
      why=$word
    elif [[ -z $name && $word =~ ^([a-z0-9_]+\.)+[A-Z][A-Za-z0-9_]*$ ]]; then
      name=${word##*.}
    fi
  done
  words_of "$directory/environ"
  for word in "${words[@]}"; do
    case $word in
      HADOOP_CONF_DIR=/* | HBASE_CONF_DIR=/*) [[ $executable == */java ]] && directories+=("$root${word#*=}") ;;
    esac
    if [[ -z $why && $executable == */java && $word =~ $JARS ]]; then
      why="its environment has ${word%%=*}"
    fi
  done
  if [[ -z $why && $executable == */hprio-pbsd ]]; then
    name=hprio-pbsd why='the helper'
  fi
  if [[ -n $why ]]; then
    reference process "${directory##*/} ($(stat -c %U -- "$directory")) ${name:-${executable##*/}}: $why"
  fi
}

# The first path by which a file is found counts: /etc/hadoop/conf is often a link.
first_time() {
  local path
  path=$(readlink -e -- "$1") || return 1
  [[ -z ${seen[$path]:-} ]] || return 1
  seen[$path]=yes
}

check_lines() {
  local line
  first_time "$1" || return 0
  while IFS= read -r line; do
    reference line "$1:$line"
  done < <(grep -nE -- "$NAMES" "$1" | grep -vE '^[0-9]+:[[:space:]]*#')
}

# The properties whose name or value is hadoop-prio's; what is in a comment is not in force.
check_keys() {
  local key
  first_time "$1" || return 0
  while IFS= read -r key; do
    reference key "$1: $key"
  done < <(awk -v pattern="io\\\\.priority|$NAMES" '
    { text = text $0 "\n" }
    END {
      while ((start = index(text, "<!--")) > 0) {
        rest = substr(text, start + 4)
        end = index(rest, "-->")
        text = substr(text, 1, start - 1) (end ? substr(rest, end + 3) : "")
      }
      count = split(text, properties, "</property>")
      for (i = 1; i <= count; i++) {
        if (properties[i] ~ pattern && match(properties[i], /<name>[^<]*<\/name>/)) {
          name = substr(properties[i], RSTART + 6, RLENGTH - 13)
          gsub(/[ \t\n]/, "", name)
          print name
        }
      }
    }' "$1")
}

check_files() {
  local file
  while IFS= read -r file; do
    reference file "$file"
  done < <(
    for file in "$root"/{etc,run,usr/local/lib}/systemd/system "$root"/{etc,run}/udev/rules.d; do
      [[ -d $file ]] || continue
      find "$file" -name '*hadoop-prio*' ! -type d -o -name '*hprio-pbsd*' ! -type d
      grep -rlE -- "$NAMES" "$file" || true
    done | sort -u
  )
  if [[ -e $root/etc/hadoop-prio ]]; then
    reference file "$root/etc/hadoop-prio"
  fi
  # Those of a package go with the package, which has its unit there.
  if [[ ! -e $root/usr/lib/systemd/system/hprio-pbsd.service ]]; then
    for file in "$root"/etc/{default,sysconfig}/hprio-pbsd*; do
      [[ ! -e $file ]] || reference file "$file"
    done
  fi
}

uninstall() {
  local root='' check=no directory file directories=()
  local -A seen=()
  while (($#)); do
    case $1 in
      --check) check=yes ;;
      --conf | --root)
        if [[ ! -d ${2:-} ]]; then
          echo "hprio: $1 ${2:-}: there is no such directory" >&2
          return "$EXIT_USAGE"
        fi
        if [[ $1 == --root ]]; then
          root=${2%/}
        else
          directories+=("$2")
        fi
        shift
        ;;
      -h | --help)
        uninstall_usage
        return
        ;;
      *)
        echo "hprio: unknown option \"$1\" of uninstall; allowed are --check, --conf and --root" >&2
        return "$EXIT_USAGE"
        ;;
    esac
    shift
  done
  if [[ $check == no ]]; then
    echo 'hprio: uninstall removes nothing itself; it needs --check. "hprio uninstall --help" says more' >&2
    return "$EXIT_USAGE"
  fi

  for directory in "${HADOOP_CONF_DIR:-}" "${HBASE_CONF_DIR:-}"; do
    [[ -z $directory ]] || directories+=("$root$directory")
  done
  for directory in "$root"/proc/[0-9]*; do
    check_process "$directory"
  done
  directories+=("$root"/etc/{hadoop,hbase}{,/conf*} "$root"/{opt,usr/lib,usr/local}/h*/{etc/hadoop,conf})
  for directory in "${directories[@]}"; do
    # The package's own files name what they are for.
    [[ $directory != "$root"/opt/hadoop-prio* ]] || continue
    for file in "$directory"/*-env.sh; do
      check_lines "$file"
    done
    for file in "$directory"/*.xml; do
      check_keys "$file"
    done
  done
  for file in "$root"/etc/{default,sysconfig}/{hadoop,hbase}* "$root"/etc/{environment,profile} "$root"/etc/profile.d/*; do
    [[ ! -f $file ]] || check_lines "$file"
  done
  check_files

  if ((references == 0)); then
    echo 'nothing on this host refers to hadoop-prio; its files can go'
    return
  fi
  cat <<TEXT

$references references. A JVM does not start when the jar that its options name is gone: first remove the lines and
keys, then restart the processes ("Roll back" in docs/operations.md).
TEXT
  return 1
}
