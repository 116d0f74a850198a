// SPDX-License-Identifier: BSD-2-Clause
/*
 * synth_rows.c - the table of files in /proc and /sys, and those writers that need nothing of the
 * machine. Paths and formats are Linux's: proc(5), Documentation/ABI/testing/sysfs-*.
 */
#include "linux/tree/synth.h"

struct synth_writers synth_writers;

#define CONSTANT(name, content)                                      \
	static int write_##name(const uint64_t *id, struct text *to) \
	{                                                            \
		(void)id;                                            \
		text_print(to, "%s", content);                       \
		return 0;                                            \
	}                                                            \
	static const struct synth_writer name = {.write = write_##name}

CONSTANT(filesystems, "nodev\tproc\nnodev\tsysfs\nnodev\ttmpfs\nnodev\tcgroup2\n");
CONSTANT(mounts, "tmpfs / tmpfs rw 0 0\ndevtmpfs /dev devtmpfs rw 0 0\n"
		 "proc /proc proc rw 0 0\nsysfs /sys sysfs rw 0 0\n"
		 "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
CONSTANT(mountinfo, "1 1 0:1 / / rw - tmpfs tmpfs rw\n2 1 0:2 / /dev rw - devtmpfs devtmpfs rw\n"
		    "3 1 0:3 / /proc rw - proc proc rw\n4 1 0:4 / /sys rw - sysfs sysfs rw\n"
		    "5 4 0:5 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
CONSTANT(mounts_link, "self/mounts");
CONSTANT(ostype, "Linux\n");
CONSTANT(pid_max, "32768\n");
CONSTANT(zero, "0\n"); /* no randomized addresses, no names kept from perf, no files of cores */
CONSTANT(nothing, ""); /* symbols of ring 0 are not shown */
CONSTANT(contexts, "8\n");
CONSTANT(stack, "127\n");
CONSTANT(map_count, "65530\n");
CONSTANT(overcommit, "0\n");
CONSTANT(pipe_size, "1048576\n");
CONSTANT(file_max, "4096\n");
CONSTANT(one, "1\n");
CONSTANT(empty_line, "\n"); /* an empty list of CPUs */
CONSTANT(swaps, "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n");
CONSTANT(capability_last, "40\n");
CONSTANT(core_pattern, "core\n");
CONSTANT(core_filter, "00000033\n");
CONSTANT(groups_max, "65536\n");
CONSTANT(tasks_max, "512\n");    /* TASK_MAX */
CONSTANT(map_lowest, "65536\n"); /* USER_START of include/perf0/layout.h */
CONSTANT(uid_map, "         0          0 4294967295\n");
CONSTANT(all_groups, "allow\n");
CONSTANT(unset_id, "4294967295\n");
CONSTANT(no_wait, "0");
CONSTANT(personality, "00000000\n");

#define FILE_R      (MODE_REGULAR | 0444)
#define FILE_W      (MODE_REGULAR | 0644)
#define FILE_MEMORY (MODE_REGULAR | 0600)
#define LINK        (MODE_LINK | 0777)
#define FOLDER      (MODE_DIRECTORY | 0555)

#define ASK(name) &synth_writers.name

#define CPU   "/sys/devices/system/cpu/"
#define CACHE CPU "cpu<cpu>/cache/index<cache>/"
#define TOPO  CPU "cpu<cpu>/topology/"
#define NODES "/sys/devices/system/node/"
#define PMU   "/sys/bus/event_source/devices/<pmu>/"

const struct synth_row synth_rows[] = {
	{"/proc/cgroups", FILE_R, ASK(proc_cgroups)},
	{"/proc/cmdline", FILE_R, ASK(proc_cmdline)},
	{"/proc/cpuinfo", FILE_R, ASK(proc_cpuinfo)},
	{"/proc/diskstats", FILE_R, &nothing},
	{"/proc/filesystems", FILE_R, &filesystems},
	{"/proc/interrupts", FILE_R, ASK(proc_interrupts)},
	{"/proc/kallsyms", FILE_R, &nothing},
	{"/proc/loadavg", FILE_R, ASK(proc_loadavg)},
	{"/proc/meminfo", FILE_R, ASK(proc_meminfo)},
	{"/proc/modules", FILE_R, &nothing},
	{"/proc/mounts", LINK, &mounts_link},
	{"/proc/self", LINK, ASK(proc_self)},
	{"/proc/stat", FILE_R, ASK(proc_stat)},
	{"/proc/swaps", FILE_R, &swaps},
	{"/proc/sys/fs/file-max", FILE_R, &file_max},
	{"/proc/sys/fs/nr_open", FILE_R, &file_max},
	{"/proc/sys/fs/pipe-max-size", FILE_R, &pipe_size},
	{"/proc/sys/kernel/cap_last_cap", FILE_R, &capability_last},
	{"/proc/sys/kernel/core_pattern", FILE_R, &core_pattern},
	{"/proc/sys/kernel/core_uses_pid", FILE_R, &zero},
	{"/proc/sys/kernel/hostname", FILE_R, ASK(proc_hostname)},
	{"/proc/sys/kernel/kptr_restrict", FILE_R, &zero},
	{"/proc/sys/kernel/ngroups_max", FILE_R, &groups_max},
	{"/proc/sys/kernel/nmi_watchdog", FILE_R, ASK(proc_nmi_watchdog)},
	{"/proc/sys/kernel/numa_balancing", FILE_R, &zero},
	{"/proc/sys/kernel/osrelease", FILE_R, ASK(proc_osrelease)},
	{"/proc/sys/kernel/ostype", FILE_R, &ostype},
	{"/proc/sys/kernel/perf_cpu_time_max_percent", FILE_R, ASK(proc_cpu_percent)},
	{"/proc/sys/kernel/perf_event_max_contexts_per_stack", FILE_R, &contexts},
	{"/proc/sys/kernel/perf_event_max_sample_rate", FILE_R, ASK(proc_sample_rate)},
	{"/proc/sys/kernel/perf_event_max_stack", FILE_R, &stack},
	{"/proc/sys/kernel/perf_event_mlock_kb", FILE_R, ASK(proc_mlock_kb)},
	{"/proc/sys/kernel/perf_event_paranoid", FILE_W, ASK(proc_paranoid)},
	{"/proc/sys/kernel/pid_max", FILE_R, &pid_max},
	{"/proc/sys/kernel/randomize_va_space", FILE_R, &zero},
	{"/proc/sys/kernel/sched_rr_timeslice_ms", FILE_R, ASK(proc_slice_ms)},
	{"/proc/sys/kernel/soft_watchdog", FILE_R, &zero},
	{"/proc/sys/kernel/tainted", FILE_R, &zero},
	{"/proc/sys/kernel/threads-max", FILE_R, &tasks_max},
	{"/proc/sys/vm/max_map_count", FILE_R, &map_count},
	{"/proc/sys/vm/mmap_min_addr", FILE_R, &map_lowest},
	{"/proc/sys/vm/nr_hugepages", FILE_R, &zero},
	{"/proc/sys/vm/overcommit_memory", FILE_R, &overcommit},
	{"/proc/thread-self", LINK, ASK(proc_thread_self)},
	{"/proc/uptime", FILE_R, ASK(proc_uptime)},
	{"/proc/version", FILE_R, ASK(proc_version)},
	{"/proc/<pid>/auxv", FILE_R, ASK(pid_auxv)},
	{"/proc/<pid>/cgroup", FILE_R, ASK(pid_cgroup)},
	{"/proc/<pid>/cmdline", FILE_R, ASK(pid_cmdline)},
	{"/proc/<pid>/comm", FILE_W, ASK(pid_comm)},
	{"/proc/<pid>/coredump_filter", FILE_R, &core_filter},
	{"/proc/<pid>/cwd", LINK, ASK(pid_cwd)},
	{"/proc/<pid>/environ", FILE_R, ASK(pid_environ)},
	{"/proc/<pid>/exe", LINK, ASK(pid_exe)},
	{"/proc/<pid>/fd", FOLDER, NULL},
	{"/proc/<pid>/fd/<fd>", LINK, ASK(pid_fd)},
	{"/proc/<pid>/fdinfo", FOLDER, NULL},
	{"/proc/<pid>/fdinfo/<fd>", FILE_R, ASK(pid_fdinfo)},
	{"/proc/<pid>/gid_map", FILE_R, &uid_map},
	{"/proc/<pid>/io", FILE_R, ASK(pid_io)},
	{"/proc/<pid>/limits", FILE_R, ASK(pid_limits)},
	{"/proc/<pid>/loginuid", FILE_R, &unset_id},
	{"/proc/<pid>/maps", FILE_R, ASK(pid_maps)},
	{"/proc/<pid>/mem", FILE_MEMORY, ASK(pid_mem)},
	{"/proc/<pid>/mountinfo", FILE_R, &mountinfo},
	{"/proc/<pid>/mounts", FILE_R, &mounts},
	{"/proc/<pid>/personality", FILE_R, &personality},
	{"/proc/<pid>/root", LINK, ASK(pid_root)},
	{"/proc/<pid>/setgroups", FILE_R, &all_groups},
	{"/proc/<pid>/smaps", FILE_R, ASK(pid_smaps)},
	{"/proc/<pid>/stat", FILE_R, ASK(pid_stat)},
	{"/proc/<pid>/statm", FILE_R, ASK(pid_statm)},
	{"/proc/<pid>/status", FILE_R, ASK(pid_status)},
	{"/proc/<pid>/task/<tid>/comm", FILE_W, ASK(tid_comm)},
	{"/proc/<pid>/task/<tid>/cmdline", FILE_R, ASK(pid_cmdline)},
	{"/proc/<pid>/task/<tid>/maps", FILE_R, ASK(tid_maps)},
	{"/proc/<pid>/task/<tid>/mem", FILE_MEMORY, ASK(tid_mem)},
	{"/proc/<pid>/task/<tid>/stat", FILE_R, ASK(tid_stat)},
	{"/proc/<pid>/task/<tid>/status", FILE_R, ASK(tid_status)},
	{"/proc/<pid>/uid_map", FILE_R, &uid_map},
	{"/proc/<pid>/wchan", FILE_R, &no_wait},
	{PMU "allow_tsx_force_abort", FILE_R, ASK(pmu_allow_tfa)},
	{PMU "caps/branches", FILE_R, ASK(pmu_caps_branches)},
	{PMU "caps/max_precise", FILE_R, ASK(pmu_caps_precise)},
	{PMU "caps/pmu_name", FILE_R, ASK(pmu_caps_name)},
	{PMU "cpumask", FILE_R, ASK(pmu_cpumask)},
	{PMU "cpus", FILE_R, ASK(pmu_cpus)},
	{PMU "events/<event>", FILE_R, ASK(pmu_event)},
	{PMU "format/<format>", FILE_R, ASK(pmu_format)},
	{PMU "freeze_on_smi", FILE_R, ASK(pmu_freeze_on_smi)},
	{PMU "perf_event_mux_interval_ms", FILE_W, ASK(pmu_mux_interval)},
	{PMU "rdpmc", FILE_R, ASK(pmu_rdpmc)},
	{PMU "type", FILE_R, ASK(pmu_type)},
	{CPU "isolated", FILE_R, &empty_line},
	{CPU "kernel_max", FILE_R, ASK(cpu_kernel_max)},
	{CPU "offline", FILE_R, &empty_line},
	{CPU "online", FILE_R, ASK(cpu_list)},
	{CPU "possible", FILE_R, ASK(cpu_list)},
	{CPU "present", FILE_R, ASK(cpu_list)},
	{CPU "smt/active", FILE_R, ASK(cpu_threads)},
	{CPU "smt/control", FILE_R, ASK(cpu_smt)},
	{CPU "cpu<cpu>/online", FILE_R, ASK(cpu_online)},
	{CPU "cpu<cpu>/cpufreq/cpuinfo_max_freq", FILE_R, ASK(frequency_max)},
	{CPU "cpu<cpu>/cpufreq/scaling_cur_freq", FILE_R, ASK(frequency_now)},
	{CACHE "coherency_line_size", FILE_R, ASK(cache_line)},
	{CACHE "id", FILE_R, ASK(cache_id)},
	{CACHE "level", FILE_R, ASK(cache_level)},
	{CACHE "number_of_sets", FILE_R, ASK(cache_sets)},
	{CACHE "physical_line_partition", FILE_R, &one},
	{CACHE "shared_cpu_list", FILE_R, ASK(cache_shared_list)},
	{CACHE "shared_cpu_map", FILE_R, ASK(cache_shared_map)},
	{CACHE "size", FILE_R, ASK(cache_size)},
	{CACHE "type", FILE_R, ASK(cache_type)},
	{CACHE "ways_of_associativity", FILE_R, ASK(cache_ways)},
	{TOPO "core_cpus", FILE_R, ASK(topology_thread_map)},
	{TOPO "core_cpus_list", FILE_R, ASK(topology_thread_list)},
	{TOPO "core_id", FILE_R, ASK(topology_core_id)},
	{TOPO "core_siblings", FILE_R, ASK(topology_core_map)},
	{TOPO "core_siblings_list", FILE_R, ASK(topology_core_list)},
	{TOPO "die_cpus", FILE_R, ASK(topology_core_map)},
	{TOPO "die_cpus_list", FILE_R, ASK(topology_package_list)},
	{TOPO "die_id", FILE_R, ASK(topology_die_id)},
	{TOPO "package_cpus", FILE_R, ASK(topology_core_map)},
	{TOPO "package_cpus_list", FILE_R, ASK(topology_package_list)},
	{TOPO "physical_package_id", FILE_R, ASK(topology_package_id)},
	{TOPO "thread_siblings", FILE_R, ASK(topology_thread_map)},
	{TOPO "thread_siblings_list", FILE_R, ASK(topology_thread_list)},
	{NODES "has_cpu", FILE_R, ASK(node_list)},
	{NODES "has_memory", FILE_R, ASK(node_list)},
	{NODES "has_normal_memory", FILE_R, ASK(node_list)},
	{NODES "online", FILE_R, ASK(node_list)},
	{NODES "possible", FILE_R, ASK(node_list)},
	{NODES "node<node>/cpulist", FILE_R, ASK(node_cpu_list)},
	{NODES "node<node>/cpumap", FILE_R, ASK(node_cpu_map)},
	{NODES "node<node>/distance", FILE_R, ASK(node_distance)},
	{NODES "node<node>/meminfo", FILE_R, ASK(node_meminfo)},
	{"/sys/devices/<pmu>", LINK, ASK(pmu_link)},
	{"/sys/fs/cgroup", MODE_MOUNT, NULL},
	{"/sys/kernel/mm/transparent_hugepage/enabled", FILE_R, ASK(huge_enabled)},
	{"/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", FILE_R, ASK(huge_size)},
};
const unsigned synth_nrows = sizeof(synth_rows) / sizeof(*synth_rows);
_Static_assert(sizeof(synth_rows) / sizeof(*synth_rows) <= SYNTH_ROWS_MOST,
	       "synth_path.c has room");
