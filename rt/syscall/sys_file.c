// SPDX-License-Identifier: BSD-2-Clause
/* sys_file.c - files. */
#include "rt/syscall/files.h"
#include "rt/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "lib/string.h"
#include "lib/time.h"
#include "rt/console/print.h"
#include "rt/perf/perf.h"
#include "rt/perf/syscall_perf.h"
#include "rt/task/sched.h"

#include <asm/poll.h>
#include <asm/unistd_64.h>
#include <linux/errno.h>
#include <linux/mman.h>
#include <linux/perf_event.h>

/* For the time being: the event of handle n is file n + EVENT_FD, and the image is file IMAGE_FD. */
#define EVENT_FD 100
#define IMAGE_FD 99

static bool is_event(uint64_t fd)
{
	return (int)fd >= EVENT_FD;
}

static long handle_of_fd(uint64_t fd)
{
	return (int)fd >= EVENT_FD ? (int)fd - EVENT_FD : (int)fd == -1 ? -1 : 1 << 20;
}

static long sys_perf_event_open(struct trap_frame *f)
{
	const struct perf_open args = {
		.task = (int)f->rsi,
		.cpu = (int)f->rdx,
		.group = (int)handle_of_fd(f->r10),
		.flags = (uint32_t)f->r8,
	};
	const long handle = syscall_perf_open(f->rdi, &args);

	return handle < 0 ? handle : handle + EVENT_FD;
}

static long sys_poll(struct trap_frame *f)
{
	const uint64_t ns = (int)f->rdx < 0 ? UINT64_MAX : (uint64_t)(int)f->rdx * NSEC_PER_MS;
	struct pollfd p;
	long events;

	if (f->rsi != 1 || copy_from_user(&p, f->rdi, sizeof(p)))
		return -EINVAL;
	if (!is_event((uint64_t)p.fd))
		return 0;
	events = syscall_perf_poll(handle_of_fd((uint64_t)p.fd), ns);
	if (events <= 0)
		return events;
	p.revents = (short)events;
	return copy_to_user(f->rdi, &p, sizeof(p)) ? -EFAULT : 1;
}

long files_map_event(struct trap_frame *f)
{
	return syscall_perf_mmap(handle_of_fd(f->r8), f->rsi / PAGE_SIZE - 1, f->rdx);
}

bool files_is_event(const struct trap_frame *f)
{
	return !(f->r10 & MAP_ANONYMOUS) && is_event(f->r8);
}

bool files_is_ring(uint64_t address)
{
	return address - PERF_RINGS < PERF_HANDLES_MAX * PERF_RINGS_STRIDE;
}

long files_unmap_ring(uint64_t address)
{
	return syscall_perf_munmap((long)((address - PERF_RINGS) / PERF_RINGS_STRIDE));
}

static long sys_openat(struct trap_frame *f)
{
	char path[16] = {0};

	copy_from_user_some(path, f->rsi, sizeof(path) - 1);
	return strcmp(path, "/proc/self/exe") ? -ENOENT : IMAGE_FD;
}

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
static long sys_read(struct trap_frame *f) { return is_event(f->rdi) ? syscall_perf_read(handle_of_fd(f->rdi), f->rsi, f->rdx) : f->rdi ? -EBADF : 0; }
static long sys_close(struct trap_frame *f) { return is_event(f->rdi) ? syscall_perf_close(handle_of_fd(f->rdi)) : 0; }
static long sys_ioctl(struct trap_frame *f)
{
	const uint64_t arg = f->rsi == PERF_EVENT_IOC_SET_OUTPUT ? (uint64_t)handle_of_fd(f->rdx) : f->rdx;

	return is_event(f->rdi) ? syscall_perf_ioctl(handle_of_fd(f->rdi), f->rsi, arg) : -ENOTTY;
}
static long sys_none(struct trap_frame *f) { (void)f; return -ENOENT; }
static long sys_newfstatat(struct trap_frame *f)
{
	uint64_t st[18] = {0};
	if (f->rdi > 2) return -ENOENT;
	((uint32_t *)st)[6] = 0020620;
	st[7] = 1024;
	return copy_to_user(f->rdx, st, sizeof(st));
}
int files_mapped(int fd, struct mm_request *r)
{
	if (fd == IMAGE_FD)
		r->from = exec_image_file();
	return fd == -1 || fd == IMAGE_FD ? 0 : -ENODEV;
}
const struct syscall_row syscall_file_rows[] = {
	{__NR_write, sys_write}, {__NR_writev, sys_writev}, {__NR_read, sys_read}, {__NR_close, sys_close}, {__NR_ioctl, sys_ioctl}, {__NR_poll, sys_poll},
	{__NR_openat, sys_openat}, {__NR_open, sys_none}, {__NR_readlink, sys_none}, {__NR_readlinkat, sys_none}, {__NR_access, sys_none}, {__NR_newfstatat, sys_newfstatat},
	{0, NULL}};
const struct syscall_row syscall_perf_event_rows[] = {{__NR_perf_event_open, sys_perf_event_open}, {0, NULL}};
