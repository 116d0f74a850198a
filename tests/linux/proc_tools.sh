# SPDX-License-Identifier: BSD-2-Clause
# proc_tools.sh PROGRAM - prints what a shell finds in /proc and /sys, each part after its name.
look() {
	echo "$1:"
	shift
	"$@"
	echo END:
}
cpu=/sys/devices/system/cpu
pmus=/sys/bus/event_source/devices
each_name() {
	for name in "$1"/*; do
		echo "${name##*/}"
	done
}
processors() {
	nproc
	getconf _NPROCESSORS_ONLN
}
look proc "$1" one "two words"
look nproc processors
look online cat $cpu/online
look cpuinfo cat /proc/cpuinfo
look lscpu lscpu
look free free -m
look ps ps -eo pid,ppid,stat,args
look uptime uptime
look stat cat /proc/stat
look topology cat $cpu/cpu*/topology/core_id $cpu/cpu0/topology/core_cpus_list $cpu/cpu3/topology/core_cpus_list
of_cache() {
	for index in 0 1 2 3; do
		for name in level type size ways_of_associativity number_of_sets shared_cpu_list; do
			cat $cpu/cpu0/cache/index$index/$name
		done
	done
}
look caches of_cache
look pmus each_name $pmus
look format cat $pmus/cpu/format/umask
look event cat $pmus/cpu/events/cache-misses
look cpumask cat $pmus/power/cpumask
