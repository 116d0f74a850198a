// SPDX-License-Identifier: BSD-2-Clause
/* sys_file.c - files. */
#include "rt/syscall/files.h"
#include "rt/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "rt/console/print.h"
#include "rt/perf/syscall_perf.h"
#include "rt/task/sched.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>

#define FD 100
static long perf(long nr, uint64_t a, uint64_t b, uint64_t c) { return syscall_perf_rows[nr - 32]((long)a, (long)b, (long)c); }

static long do_write(uint64_t fd, uint64_t from, uint64_t bytes)
{
	char copy[256];
	uint64_t done = 0;

	if (fd != 1 && fd != 2)
		return -EBADF;
	while (done < bytes) {
		uint64_t n = bytes - done < sizeof(copy) ? bytes - done : sizeof(copy);

		if (copy_from_user(copy, from + done, n))
			return -EFAULT;
		out_text(copy, n);
		done += n;
	}
	return (long)bytes;
}
static long sys_write(struct trap_frame *f) { return do_write(f->rdi, f->rsi, f->rdx); }
static long sys_writev(struct trap_frame *f)
{
	long sum = 0;

	for (uint64_t i = 0; i < f->rdx; i++) {
		uint64_t v[2];
		long n;

		if (copy_from_user(v, f->rsi + i * 16, 16))
			return -EFAULT;
		n = do_write(f->rdi, v[0], v[1]);
		if (n < 0)
			return n;
		sum += n;
	}
	return sum;
}
static long sys_read(struct trap_frame *f) { return f->rdi >= FD ? perf(33, f->rdi - FD, f->rsi, f->rdx) : 0; }
static long sys_close(struct trap_frame *f) { return f->rdi >= FD ? perf(35, f->rdi - FD, 0, 0) : 0; }
static long sys_ioctl(struct trap_frame *f) { return f->rdi >= FD ? perf(34, f->rdi - FD, f->rsi, f->rdx) : -ENOTTY; }
static long sys_none(struct trap_frame *f) { (void)f; return -ENOENT; }
static long sys_newfstatat(struct trap_frame *f)
{
	uint64_t st[18] = {0};
	if (f->rdi > 2) return -ENOENT;
	((uint32_t *)st)[6] = 0020620;
	st[7] = 1024;
	return copy_to_user(f->rdx, st, sizeof(st));
}
int files_mapped(int fd, struct mm_request *r) { (void)r; return fd == -1 ? 0 : -ENODEV; }
const struct syscall_row syscall_file_rows[] = {
	{__NR_write, sys_write}, {__NR_writev, sys_writev}, {__NR_read, sys_read}, {__NR_close, sys_close}, {__NR_ioctl, sys_ioctl},
	{__NR_openat, sys_none}, {__NR_open, sys_none}, {__NR_readlink, sys_none}, {__NR_readlinkat, sys_none}, {__NR_access, sys_none}, {__NR_newfstatat, sys_newfstatat},
	{0, NULL}};
const struct syscall_row syscall_perf_event_rows[] = {{0, NULL}};
