// SPDX-License-Identifier: BSD-2-Clause
/*
 * host_counts.c - see host_counts.h. Sources: Linux's Documentation/scheduler/sched-stats.rst,
 * "/proc/<pid>/schedstat"; perf_event_open(2), exclude_host; the files of KVM in debugfs, a folder
 * PID-FD for each machine.
 */
#include "tools/kvm/host_counts.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/util/buf.h"

/* Opens a file of the kernel's, and frees the path. The reason begins with `what`. */
static int open_told(FILE **file, struct buf *path, const char *what, struct reason *why)
{
	const int err = (*file = fopen(buf_text(path), "re")) ? 0 : errno;

	buf_free(path);
	return err ? refuse(why, err, "%s: %s", what, strerror(err)) : 0;
}

/* Three numbers: ns on a CPU, ns ready without one, time slices. */
int host_waited(pid_t pid, pid_t tid, uint64_t *ns, struct reason *why)
{
	struct buf path = {0};
	uint64_t ran;
	FILE *file;
	int err, n;

	buf_printf(&path, "/proc/%d/task/%d/schedstat", pid, tid);
	err = open_told(&file, &path, "schedstat", why);
	if (err)
		return err;
	n = fscanf(file, "%" SCNu64 " %" SCNu64, &ran, ns);
	fclose(file);
	return n == 2 ? 0 : refuse(why, ENODATA, "schedstat: the host's kernel keeps none");
}

static int read_exits(const char *folder, const char *machine, uint64_t *exits, struct reason *why)
{
	struct buf path = {0};
	FILE *file;
	int err, n;

	buf_printf(&path, "%s/%s/exits", folder, machine);
	err = open_told(&file, &path, "exits", why);
	if (err)
		return err;
	n = fscanf(file, "%" SCNu64, exits);
	fclose(file);
	return n == 1 ? 0 : refuse(why, ENODATA, "exits: no number");
}

static bool is_machine_of(const char *name, pid_t pid)
{
	char *end;

	return strtol(name, &end, 10) == pid && end != name && *end == '-';
}

int host_exits(const char *debugfs, pid_t pid, uint64_t *exits, struct reason *why)
{
	DIR *folder = opendir(debugfs);
	int err = folder ? refuse(why, ENOENT, "%s: no machine of process %d", debugfs, pid)
			 : refuse(why, errno, "%s: %s", debugfs, strerror(errno));
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (is_machine_of(entry->d_name, pid)) {
			err = read_exits(debugfs, entry->d_name, exits, why);
			break;
		}
	if (folder)
		closedir(folder);
	return err;
}

/* Linux, Documentation/filesystems/proc.rst, "HugetlbPages". */
int host_huge_kib(pid_t pid, uint64_t *kib, struct reason *why)
{
	struct buf path = {0};
	char line[128];
	bool found = false;
	FILE *file;
	int err;

	buf_printf(&path, "/proc/%d/status", pid);
	err = open_told(&file, &path, "status", why);
	if (err)
		return err;
	while (!found && fgets(line, sizeof(line), file))
		found = sscanf(line, "HugetlbPages: %" SCNu64, kib) == 1;
	fclose(file);
	return found ? 0 : refuse(why, ENODATA, "the host's kernel has no huge pages");
}

int host_instructions_open(pid_t tid, struct reason *why)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_host = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	const int fd = (int)syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd >= 0 ? fd : refuse(why, errno, "perf_event_open: %s", strerror(errno));
}

int host_instructions_read(int fd, uint64_t *count, struct reason *why)
{
	struct {
		uint64_t value, enabled, running;
	} read_out;

	if (read(fd, &read_out, sizeof(read_out)) != sizeof(read_out))
		return refuse(why, EIO, "the host's counter can not be read");
	if (!read_out.running || read_out.running != read_out.enabled)
		return refuse(why, EBUSY, "the host had no counter for it all the time");
	*count = read_out.value;
	return 0;
}
