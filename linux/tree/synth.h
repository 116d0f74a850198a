/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * synth.h - files of /proc and /sys, whose content is written when they are read. One table of rows
 * (synth_rows.c) has all of them. Directories and their lists follow from the table.
 *
 * In the path of a row, <pid>, <tid>, <fd>, <cpu> and so on stand for every such object that exists
 * at the time: the row exists once for each. struct synth_domains lists the objects. struct
 * synth_writer writes the content of a file. The image sets both. A row exists only if its writer
 * is set, and a word only if its domain is.
 */
#ifndef LINUX_TREE_SYNTH_H
#define LINUX_TREE_SYNTH_H

#include <stdbool.h>
#include <stdint.h>

#include "linux/file/inode.h"
#include "linux/file/text.h"

/*
 * The values of a word in <>, as numbers. `id` has the numbers of the words before it in the path.
 * Any context in which files are opened; no lock is held.
 */
struct synth_domain {
	/* Gets the first existing value from `*at` on. False: none. */
	bool (*next)(const uint64_t *id, uint64_t *at);
	/* Writes the name of a value; NULL: the name is the number, in decimal. */
	void (*name)(const uint64_t *id, uint64_t at, struct text *name);
};

#define SYNTH_DOMAINS(X) \
	X(pid)           \
	X(tid)           \
	X(fd)            \
	X(cpu)           \
	X(cache)         \
	X(pmu)           \
	X(format)        \
	X(node)          \
	X(event)

struct synth_domains {
#define X(word) struct synth_domain word;
	SYNTH_DOMAINS(X)
#undef X
};
extern struct synth_domains synth_domains;

/* The operations of a row. `id` has the numbers of the words of its path, in their order. */
struct synth_writer {
	/* Does the row exist for the first word of its path? NULL: always. */
	bool (*there)(const uint64_t *id);
	/* Writes the content of a file, or the target of a link. 0, or -ENOENT: it is gone by
	 * now. */
	int (*write)(const uint64_t *id, struct text *text);
	/* Takes written bytes, up to 4096. 0 or -E. NULL: the file is read-only. */
	int (*store)(const uint64_t *id, const char *bytes, size_t n);
	/* File that is not text: gives the open file its operations. 0 or -E. */
	int (*open)(struct file *f);
	/* Link to an object rather than to a path: gets it with a reference. 0 or -E. */
	int (*jump)(const uint64_t *id, struct inode **to);
};

/* Writers that need the machine; each serves one row or more. */
#define SYNTH_WRITERS(X)         \
	X(proc_self)             \
	X(proc_thread_self)      \
	X(proc_cgroups)          \
	X(proc_cpuinfo)          \
	X(proc_meminfo)          \
	X(proc_stat)             \
	X(proc_uptime)           \
	X(proc_loadavg)          \
	X(proc_version)          \
	X(proc_cmdline)          \
	X(proc_interrupts)       \
	X(proc_hostname)         \
	X(proc_osrelease)        \
	X(proc_slice_ms)         \
	X(proc_paranoid)         \
	X(proc_sample_rate)      \
	X(proc_cpu_percent)      \
	X(proc_mlock_kb)         \
	X(proc_nmi_watchdog)     \
	X(pid_auxv)              \
	X(pid_cgroup)            \
	X(pid_cmdline)           \
	X(pid_comm)              \
	X(pid_cwd)               \
	X(pid_environ)           \
	X(pid_exe)               \
	X(pid_fd)                \
	X(pid_fdinfo)            \
	X(pid_io)                \
	X(pid_limits)            \
	X(pid_maps)              \
	X(pid_mem)               \
	X(pid_root)              \
	X(pid_smaps)             \
	X(pid_stat)              \
	X(pid_statm)             \
	X(pid_status)            \
	X(tid_comm)              \
	X(tid_maps)              \
	X(tid_mem)               \
	X(tid_stat)              \
	X(tid_status)            \
	X(cpu_kernel_max)        \
	X(cpu_list)              \
	X(cpu_online)            \
	X(cpu_smt)               \
	X(cpu_threads)           \
	X(cache_id)              \
	X(cache_level)           \
	X(cache_line)            \
	X(cache_sets)            \
	X(cache_shared_list)     \
	X(cache_shared_map)      \
	X(cache_size)            \
	X(cache_type)            \
	X(cache_ways)            \
	X(topology_core_id)      \
	X(topology_core_list)    \
	X(topology_core_map)     \
	X(topology_die_id)       \
	X(topology_package_id)   \
	X(topology_package_list) \
	X(topology_thread_list)  \
	X(topology_thread_map)   \
	X(frequency_max)         \
	X(frequency_now)         \
	X(node_cpu_list)         \
	X(node_cpu_map)          \
	X(node_distance)         \
	X(node_list)             \
	X(node_meminfo)          \
	X(pmu_allow_tfa)         \
	X(pmu_caps_branches)     \
	X(pmu_caps_name)         \
	X(pmu_caps_precise)      \
	X(pmu_cpumask)           \
	X(pmu_cpus)              \
	X(pmu_event)             \
	X(pmu_format)            \
	X(pmu_freeze_on_smi)     \
	X(pmu_link)              \
	X(pmu_mux_interval)      \
	X(pmu_rdpmc)             \
	X(pmu_type)              \
	X(huge_enabled)          \
	X(huge_size)

struct synth_writers {
#define X(name) struct synth_writer name;
	SYNTH_WRITERS(X)
#undef X
};
extern struct synth_writers synth_writers;

struct synth_row {
	const char *path;
	uint32_t mode;
	const struct synth_writer *writer; /* NULL: a directory that may be empty */
};

/* The table. It is sorted, so that the rows of a directory are adjacent. */
extern const struct synth_row synth_rows[];
extern const unsigned synth_nrows;
#define SYNTH_ROWS_MOST 256

/* Mode of a row: the directory at which the cgroups are mounted. */
#define MODE_MOUNT (MODE_DIRECTORY | 0755)

/* synth_file_new() - a file with the content of `writer`, for a directory of another kind; as
 * inode_new(). */
struct inode *synth_file_new(const struct synth_writer *writer, const uint64_t *id,
			     enum inode_device device);

/* synth_mount() - makes the directory `path`, which is /proc or /sys; as inode_new(). */
struct inode *synth_mount(const char *path, enum inode_device device);

#endif
