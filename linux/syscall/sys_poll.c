// SPDX-License-Identifier: BSD-2-Clause
/* sys_poll.c - waits for several files; eventfd(2) and its kin. */
#include "linux/syscall/syscall_files.h"
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/dev/tsc.h"
#include "lib/string.h"
#include "lib/time.h"
#include "linux/file/epoll.h"
#include "linux/file/eventfd.h"
#include "linux/file/pipe.h"
#include "linux/file/poll.h"
#include "linux/file/regular.h"
#include "linux/file/signalfd.h"
#include "linux/file/timerfd.h"
#include "rt/base/heap.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"

#include <asm/unistd_64.h>
#include <linux/memfd.h>
#include <linux/time.h>
#include <linux/timerfd.h>

/* --- Deadlines and masks, as ppoll(2) and its kin take them --- */

#define AT_ONCE 1 /* a deadline that is long over */

/* A timespec of ring 3, 0: for any time. Sets the deadline of this call. */
static int set_deadline(uint64_t from, uint64_t *deadline)
{
	uint64_t ns;
	int err;

	*deadline = syscall_deadline(0);
	if (!from)
		return 0;
	err = times_read(from, &ns);
	if (!err)
		*deadline = ns ? syscall_deadline(ns) : AT_ONCE;
	return err;
}

static uint64_t deadline_of_ms(int ms)
{
	return ms < 0 ? syscall_deadline(0)
	       : ms   ? syscall_deadline((uint64_t)ms * NSEC_PER_MS)
		      : AT_ONCE;
}

static void set_mask(uint64_t mask)
{
	struct task_signals *s = &sched_current()->signals;

	if (sched_current()->again)
		return;
	s->saved = s->blocked;
	s->restore = true;
	s->blocked = mask & ~SIGNALS_UNMASKABLE;
}

static void restore_mask(void)
{
	struct task_signals *s = &sched_current()->signals;

	if (s->restore)
		s->blocked = s->saved;
	s->restore = false;
}

static int take_mask(uint64_t from, uint64_t bytes)
{
	uint64_t mask;

	if (!from)
		return 0;
	if (bytes != sizeof(mask))
		return -EINVAL;
	if (copy_from_user(&mask, from, sizeof(mask)))
		return -EFAULT;
	set_mask(mask);
	return 0;
}

/* A temporary signal mask stays until a signal is delivered, if there is one. */
static long end_call(long result)
{
	if (!signal_waits(sched_current()))
		restore_mask();
	return result;
}

/* Nothing is ready yet: sleeps, or ends with 0 after the timeout; or -errno. */
static long sleep_or_end(uint64_t deadline)
{
	if (deadline && clock_ns() >= deadline)
		return syscall_wait_end(0);
	if (signal_waits(sched_current()))
		return syscall_wait_end(-SIGNAL_RESTART_NO_HANDLER);
	return syscall_sleep_until(deadline);
}

/* False: the call sleeps and is repeated, so it has no results yet. */
static bool is_over(long result)
{
	return result >= 0 && sched_current()->state == TASK_RUNNING;
}

/* Writes what is left of the time to where ring 3 had it, as select(2) does whatever ends it; a
 * call that came without any time is told nothing. Where that cannot be written the call is not
 * made again: it would begin anew. */
static long tell_rest(long result, uint64_t to, uint64_t deadline,
		      int (*write)(uint64_t to, uint64_t ns))
{
	const uint64_t now = clock_ns();

	if (!to || deadline <= AT_ONCE || sched_current()->state != TASK_RUNNING)
		return result;
	if (write(to, deadline > now ? deadline - now : 0) && result == -SIGNAL_RESTART_NO_HANDLER)
		return -EINTR;
	return result;
}

/* --- poll(2) --- */

static long poll_all(struct pollfd *fds, unsigned n, uint64_t deadline)
{
	struct task *t = sched_current();
	long ready;

	sched_prepare_sleep(0, true);
	ready = poll_files(t->process->files, fds, n, &t->waits);
	return ready ? syscall_wait_end(ready) : sleep_or_end(deadline);
}

#define POLL_FEW 16

static long do_poll(uint64_t at, uint64_t n, uint64_t deadline)
{
	struct pollfd few[POLL_FEW], *fds = few;
	long ready;

	if (n > FD_MOST)
		return -EINVAL;
	if (n > POLL_FEW)
		fds = heap_alloc(n * sizeof(*fds));
	if (!fds)
		return -ENOMEM;
	if (n && copy_from_user(fds, at, n * sizeof(*fds)))
		ready = -EFAULT;
	else
		ready = poll_all(fds, (unsigned)n, deadline);
	if (n && is_over(ready) && copy_to_user(at, fds, n * sizeof(*fds)))
		ready = -EFAULT;
	if (fds != few)
		heap_free(fds);
	return ready;
}

static long sys_poll(struct trap_frame *f)
{
	return do_poll(f->rdi, f->rsi, deadline_of_ms((int)f->rdx));
}

static long sys_ppoll(struct trap_frame *f)
{
	uint64_t deadline;
	int err = take_mask(f->r10, f->r8);

	if (!err)
		err = set_deadline(f->rdx, &deadline);
	if (err)
		return end_call(err);
	return end_call(
		tell_rest(do_poll(f->rdi, f->rsi, deadline), f->rdx, deadline, times_write));
}

/* --- select(2) --- */

struct selection {
	uint64_t bits[SELECT_SETS][FD_MOST / 64];
	uint64_t *set[SELECT_SETS];
};

static long select_all(struct selection *s, unsigned n, uint64_t deadline)
{
	struct task *t = sched_current();
	long ready;

	sched_prepare_sleep(0, true);
	ready = select_files(t->process->files, s->set, n, &t->waits);
	if (ready)
		return syscall_wait_end(ready);
	memset(s->bits, 0, sizeof(s->bits));
	return sleep_or_end(deadline);
}

static long do_select(const struct trap_frame *f, uint64_t deadline)
{
	const uint64_t at[SELECT_SETS] = {f->rsi, f->rdx, f->r10};
	const size_t bytes = (f->rdi + 63) / 64 * 8;
	struct selection *s;
	long ready = 0;

	if (f->rdi > FD_MOST)
		return -EINVAL;
	s = heap_alloc(sizeof(*s));
	if (!s)
		return -ENOMEM;
	for (unsigned i = 0; i < SELECT_SETS && !ready; i++) {
		s->set[i] = at[i] ? s->bits[i] : NULL;
		if (at[i] && copy_from_user(s->bits[i], at[i], bytes))
			ready = -EFAULT;
	}
	if (!ready)
		ready = select_all(s, (unsigned)f->rdi, deadline);
	for (unsigned i = 0; i < SELECT_SETS && is_over(ready); i++)
		if (at[i] && copy_to_user(at[i], s->bits[i], bytes))
			ready = -EFAULT;
	heap_free(s);
	return ready;
}

static long sys_select(struct trap_frame *f)
{
	uint64_t ns = 0, deadline = syscall_deadline(0);
	const int err = f->r8 ? times_read_timeval(f->r8, &ns) : 0;

	if (err)
		return err;
	if (f->r8)
		deadline = ns ? syscall_deadline(ns) : AT_ONCE;
	return tell_rest(do_select(f, deadline), f->r8, deadline, times_write_timeval);
}

static long sys_pselect6(struct trap_frame *f)
{
	uint64_t deadline, mask[2] = {0};
	int err = 0;

	if (f->r9 && copy_from_user(mask, f->r9, sizeof(mask)))
		return -EFAULT;
	err = take_mask(mask[0], mask[1]);
	if (!err)
		err = set_deadline(f->r8, &deadline);
	if (err)
		return end_call(err);
	return end_call(tell_rest(do_select(f, deadline), f->r8, deadline, times_write));
}

/* --- epoll(7) --- */

static long sys_epoll_create1(struct trap_frame *f)
{
	struct file *made;
	int err = f->rdi & ~(uint64_t)EPOLL_CLOEXEC ? -EINVAL : epoll_open(0, &made);

	return err ? err : files_install(made, f->rdi & EPOLL_CLOEXEC ? O_CLOEXEC : 0);
}

static long sys_epoll_create(struct trap_frame *f)
{
	struct file *made;
	int err = (int)f->rdi <= 0 ? -EINVAL : epoll_open(0, &made);

	return err ? err : files_install(made, 0);
}

static long sys_epoll_ctl(struct trap_frame *f)
{
	struct file *epoll, *watched;
	struct epoll_event event = {0};
	long err = -EBADF;

	if (f->rsi != EPOLL_CTL_DEL && copy_from_user(&event, f->r10, sizeof(event)))
		return -EFAULT;
	epoll = files_get(f->rdi);
	watched = files_get(f->rdx);
	if (epoll && watched)
		err = epoll_control(epoll, (unsigned)f->rsi, (int)f->rdx, watched, &event);
	file_put(watched);
	file_put(epoll);
	return err;
}

#define EPOLL_AT_ONCE 64

static long collect_events(struct file *epoll, uint64_t to, unsigned most)
{
	struct epoll_event events[EPOLL_AT_ONCE];
	const long n = epoll_collect(epoll, events, most < EPOLL_AT_ONCE ? most : EPOLL_AT_ONCE);

	if (n > 0 && copy_to_user(to, events, (size_t)n * sizeof(events[0])))
		return -EFAULT;
	return n;
}

static long epoll_until(struct file *epoll, uint64_t to, unsigned most, uint64_t deadline)
{
	struct task *t = sched_current();
	long n;

	for (;;) {
		n = collect_events(epoll, to, most);
		if (n)
			return n;
		sched_prepare_sleep(0, true);
		n = file_await(epoll, POLLIN, &t->waits);
		if (!n)
			return sleep_or_end(deadline);
		if (syscall_wait_end(n) < 0)
			return n;
	}
}

static long wait_epoll(const struct trap_frame *f, uint64_t deadline)
{
	struct file *epoll;
	long n;

	if ((int)f->rdx <= 0)
		return -EINVAL;
	epoll = files_get(f->rdi);
	if (!epoll)
		return -EBADF;
	n = epoll_until(epoll, f->rsi, (unsigned)f->rdx, deadline);
	file_put(epoll);
	return n;
}

static long sys_epoll_wait(struct trap_frame *f)
{
	return wait_epoll(f, deadline_of_ms((int)f->r10));
}

static long sys_epoll_pwait(struct trap_frame *f)
{
	const int err = take_mask(f->r8, f->r9);

	return end_call(err ? err : wait_epoll(f, deadline_of_ms((int)f->r10)));
}

static long sys_epoll_pwait2(struct trap_frame *f)
{
	uint64_t deadline;
	int err = take_mask(f->r8, f->r9);

	if (!err)
		err = set_deadline(f->r10, &deadline);
	return end_call(err ? err : wait_epoll(f, deadline));
}

/* --- Files that are made to be waited for --- */

/* eventfd(2): libc's headers alone have them. */
#define EFD_SEMAPHORE 1u
#define EFD_CLOEXEC   O_CLOEXEC
#define EFD_NONBLOCK  O_NONBLOCK

static long install_pair(struct file *ends[2], uint64_t to, unsigned flags)
{
	const long read = files_install(ends[0], flags);
	const long write = read < 0 ? read : files_install(ends[1], flags);
	const int32_t fds[2] = {(int32_t)read, (int32_t)write};

	if (read < 0)
		file_put(ends[1]);
	if (write >= 0 && !copy_to_user(to, fds, sizeof(fds)))
		return 0;
	if (write >= 0)
		fd_close(sched_current()->process->files, (int)write);
	if (read >= 0)
		fd_close(sched_current()->process->files, (int)read);
	return write < 0 ? write : -EFAULT;
}

static long make_pipe(uint64_t to, uint64_t flags)
{
	struct file *ends[2];
	int err;

	if (flags & ~(uint64_t)(O_CLOEXEC | O_NONBLOCK | O_DIRECT))
		return -EINVAL;
	err = pipe_open(ends, (unsigned)flags & O_NONBLOCK);
	return err ? err : install_pair(ends, to, (unsigned)flags);
}

static long sys_pipe(struct trap_frame *f)
{
	return make_pipe(f->rdi, 0);
}

static long sys_pipe2(struct trap_frame *f)
{
	return make_pipe(f->rdi, f->rsi);
}

static long make_eventfd(uint32_t count, uint64_t flags)
{
	struct file *made;
	int err;

	if (flags & ~(uint64_t)(EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE))
		return -EINVAL;
	err = eventfd_open(count, flags & EFD_SEMAPHORE, (unsigned)flags & O_NONBLOCK, &made);
	return err ? err : files_install(made, (unsigned)flags & O_CLOEXEC);
}

static long sys_eventfd(struct trap_frame *f)
{
	return make_eventfd((uint32_t)f->rdi, 0);
}

static long sys_eventfd2(struct trap_frame *f)
{
	return make_eventfd((uint32_t)f->rdi, f->rsi);
}

static long sys_timerfd_create(struct trap_frame *f)
{
	const bool real = f->rdi == CLOCK_REALTIME;
	struct file *made;
	int err;

	if (!real && f->rdi != CLOCK_MONOTONIC && f->rdi != CLOCK_BOOTTIME)
		return -EINVAL;
	if (f->rsi & ~(uint64_t)(TFD_CLOEXEC | TFD_NONBLOCK))
		return -EINVAL;
	err = timerfd_open(real ? HOST_REALTIME : HOST_MONOTONIC, (unsigned)f->rsi & O_NONBLOCK,
			   &made);
	return err ? err : files_install(made, (unsigned)f->rsi & O_CLOEXEC);
}

static int read_timer(uint64_t from, struct timerfd_times *times)
{
	int err = times_read(from, &times->interval);

	return err ? err : times_read(from + 16, &times->first);
}

static int write_timer(uint64_t to, const struct timerfd_times *times)
{
	return times_write(to, times->interval) || times_write(to + 16, times->first) ? -EFAULT : 0;
}

static long sys_timerfd_settime(struct trap_frame *f)
{
	struct timerfd_times times, old;
	struct file *timer;
	int err = read_timer(f->rdx, &times);

	if (!err && f->rsi & ~(uint64_t)(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET))
		err = -EINVAL;
	if (err)
		return err;
	timer = files_get(f->rdi);
	if (!timer)
		return -EBADF;
	err = timerfd_set(timer, f->rsi & TFD_TIMER_ABSTIME, &times, &old);
	file_put(timer);
	return err ? err : f->r10 ? write_timer(f->r10, &old) : 0;
}

static long sys_timerfd_gettime(struct trap_frame *f)
{
	struct timerfd_times times;
	struct file *timer = files_get(f->rdi);
	int err;

	if (!timer)
		return -EBADF;
	err = timerfd_get(timer, &times);
	file_put(timer);
	return err ? err : write_timer(f->rsi, &times);
}

static long make_signalfd(int fd, uint64_t mask_at, uint64_t bytes, unsigned flags)
{
	struct file *f;
	uint64_t mask;
	int err;

	if (bytes != sizeof(mask) || flags & ~(unsigned)(O_CLOEXEC | O_NONBLOCK))
		return -EINVAL;
	if (copy_from_user(&mask, mask_at, sizeof(mask)))
		return -EFAULT;
	if (fd == -1) {
		err = signalfd_open(mask, flags & O_NONBLOCK, &f);
		return err ? err : files_install(f, flags);
	}
	f = files_get((uint64_t)fd);
	if (!f)
		return -EBADF;
	err = signalfd_set(f, mask);
	file_put(f);
	return err ? err : fd;
}

static long sys_signalfd(struct trap_frame *f)
{
	return make_signalfd((int)f->rdi, f->rsi, f->rdx, 0);
}

static long sys_signalfd4(struct trap_frame *f)
{
	return make_signalfd((int)f->rdi, f->rsi, f->rdx, (unsigned)f->r10);
}

static long sys_memfd_create(struct trap_frame *f)
{
	struct files_path name;
	struct file *made;
	int err = files_path(&name, AT_FDCWD, f->rdi);

	if (err)
		return err;
	err = memfd_open(name.text, (unsigned)f->rsi & ~MFD_CLOEXEC, &made);
	files_path_end(&name);
	return err ? err : files_install(made, f->rsi & MFD_CLOEXEC ? O_CLOEXEC : 0);
}

const struct syscall_row syscall_poll_rows[] = {
	{__NR_poll, sys_poll},
	{__NR_ppoll, sys_ppoll},
	{__NR_select, sys_select},
	{__NR_pselect6, sys_pselect6},
	{__NR_epoll_create, sys_epoll_create},
	{__NR_epoll_create1, sys_epoll_create1},
	{__NR_epoll_ctl, sys_epoll_ctl},
	{__NR_epoll_wait, sys_epoll_wait},
	{__NR_epoll_pwait, sys_epoll_pwait},
	{__NR_epoll_pwait2, sys_epoll_pwait2},
	{__NR_pipe, sys_pipe},
	{__NR_pipe2, sys_pipe2},
	{__NR_eventfd, sys_eventfd},
	{__NR_eventfd2, sys_eventfd2},
	{__NR_timerfd_create, sys_timerfd_create},
	{__NR_timerfd_settime, sys_timerfd_settime},
	{__NR_timerfd_gettime, sys_timerfd_gettime},
	{__NR_signalfd, sys_signalfd},
	{__NR_signalfd4, sys_signalfd4},
	{__NR_memfd_create, sys_memfd_create},
	{0, NULL},
};
