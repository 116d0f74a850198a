// SPDX-License-Identifier: BSD-2-Clause
/* sys_perf_event.c - perf_event_open(2). All other operations on events are calls on files. */
#include "linux/syscall/syscall_files.h"
#include "linux/syscall/syscall.h"

#include "linux/perf/perf.h"

#include <asm/unistd_64.h>
#include <linux/perf_event.h>

static long install_event(const struct trap_frame *f, struct file *group)
{
	struct file *file;
	const int err = perf_open(f->rdi, (int)f->rsi, (int)f->rdx, group, f->r8, &file);

	return err ? err : files_install(file, f->r8 & PERF_FLAG_FD_CLOEXEC ? O_CLOEXEC : 0);
}

static long sys_perf_event_open(struct trap_frame *f)
{
	const int group_fd = (int)f->r10;
	struct file *group;
	long fd;

	if (group_fd == -1)
		return install_event(f, NULL);
	group = files_get((uint64_t)group_fd);
	if (!group)
		return -EBADF;
	fd = install_event(f, group);
	file_put(group);
	return fd;
}

const struct syscall_row syscall_perf_event_rows[] = {
	{__NR_perf_event_open, sys_perf_event_open},
	{0, NULL},
};
