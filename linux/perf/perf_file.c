// SPDX-License-Identifier: BSD-2-Clause
/* perf_file.c - events as open files: open, read and close. */
#include "linux/perf/perf_parts.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "lib/string.h"
#include "linux/file/fd_table.h"
#include "rt/base/heap.h"
#include "linux/task/sched.h"
#include "linux/tree/cgroup.h"

static struct lock turn; /* its holder may call other CPUs, so waiters serve calls */

void perf_lock(void)
{
	lock_take_relaxed(&turn, smp_serve);
}

void perf_unlock(void)
{
	lock_release(&turn);
}

struct reason *perf_refusal(void)
{
	return &sched_current()->process->refusal;
}

/* --- Attributes --- */

static int refuse_attr_memory(void)
{
	return refuse(perf_refusal(), EFAULT, "attr lies where the program has no memory");
}

/* Bytes behind the known members must be zero. */
static int check_zero_tail(uint64_t from, size_t bytes)
{
	uint8_t chunk[64];

	for (size_t n; bytes; from += n, bytes -= n) {
		n = bytes < sizeof(chunk) ? bytes : sizeof(chunk);
		if (copy_from_user(chunk, from, n))
			return refuse_attr_memory();
		for (size_t i = 0; i < n; i++)
			if (chunk[i])
				return refuse(perf_refusal(), E2BIG,
					      "attr has fields that this runtime does not know");
	}
	return 0;
}

/* As copy_struct_from_user() of Linux; the size is read only once, since it may change. */
int perf_read_attr(struct perf_event_attr *attr, uint64_t from)
{
	const uint64_t size_at = from + offsetof(struct perf_event_attr, size);
	const uint32_t known = sizeof(*attr);
	uint32_t size, copied;
	int err;

	if (copy_from_user(&size, size_at, sizeof(size)))
		return refuse_attr_memory();
	size = size ? size : PERF_ATTR_SIZE_VER0;
	copied = size < known ? size : known;
	if (size < PERF_ATTR_SIZE_VER0 || size > PAGE_SIZE)
		err = refuse(perf_refusal(), E2BIG, "attr.size %u is not between %u and %llu", size,
			     PERF_ATTR_SIZE_VER0, PAGE_SIZE);
	else
		err = check_zero_tail(from + copied, size - copied);
	if (err == -E2BIG)
		copy_to_user(size_at, &known, sizeof(known));
	if (err)
		return err;
	memset(attr, 0, sizeof(*attr));
	if (copy_from_user(attr, from, copied))
		return refuse_attr_memory();
	attr->size = copied;
	return 0;
}

/* --- Opening --- */

/* The target of pmu_event_open(). */
struct target {
	int pid, cpu;
	unsigned long flags;
	struct inode *group; /* with a reference; NULL: it is not for a cgroup */
};

/* With PERF_FLAG_PID_CGROUP the pid is the file descriptor of a directory of cgroups. All tasks are
 * in the root of cgroups, so an event for the root is one of the CPU. */
static int find_cgroup(struct target *t, struct reason *why)
{
	struct file *f;
	int group;

	if (!(t->flags & PERF_FLAG_PID_CGROUP))
		return 0;
	f = fd_get(sched_current()->process->files, t->pid);
	group = f && f->inode ? cgroup_of(f->inode) : -1;
	if (group >= 0)
		t->group = inode_get(f->inode);
	if (f)
		file_put(f);
	if (group < 0)
		return refuse(why, EBADF, "file descriptor %d is no cgroup", t->pid);
	t->pid = group ? group : -1;
	if (!group)
		t->flags &= ~(unsigned long)PERF_FLAG_PID_CGROUP;
	return 0;
}

/* The task for pmu_event_check(). With PERF_FLAG_PID_CGROUP it is a placeholder: 0 for pid -1,
 * which is no descriptor, and 1 for any other, which find_cgroup() checks later. */
static int number_of_target(const struct target *t)
{
	if (!(t->flags & PERF_FLAG_PID_CGROUP))
		return t->pid;
	return t->pid == -1 ? 0 : 1;
}

/* Events of a group may be for tasks of any process. */
static int check_open(const struct perf_event_attr *attr, struct target *t, struct reason *why)
{
	const int fd_or_pid = number_of_target(t);
	int err = pmu_event_check(attr, fd_or_pid, t->cpu, t->flags, why);

	if (!err)
		err = find_cgroup(t, why);
	return err ? err : perf_check_allowed(attr, t->group ? -1 : t->pid, why);
}

static struct perf_file *new_perf_file(struct file **out)
{
	struct perf_file *p = heap_alloc(sizeof(*p));

	*out = p ? file_anonymous(&perf_file_ops, O_RDWR, p) : NULL;
	if (!*out) {
		heap_free(p);
		return NULL;
	}
	p->file = *out;
	return p;
}

static int refuse_no_ring(void)
{
	return refuse(
		perf_refusal(), EINVAL,
		"PERF_FLAG_FD_OUTPUT: the event of group_fd has no ring, which mmap(2) makes");
}

static int open_on_target(struct perf_file *p, const struct perf_event_attr *attr, struct target *t,
			  struct perf_file *leader)
{
	const bool joins = leader && t->flags & PERF_FLAG_FD_OUTPUT;
	int err = joins && !leader->ring ? refuse_no_ring() : 0;

	if (!err)
		err = pmu_event_open(&p->event, attr, t->pid, t->cpu,
				     leader ? &leader->event : NULL, t->flags, perf_refusal());

	if (!err && joins)
		perf_ring_join(p, leader->ring);
	if (!err) {
		p->group = t->group;
		t->group = NULL;
	}
	return err;
}

/* An event that failed to open has nothing to release. */
static const struct file_ops unopened_ops = {.name = "[perf_event]"};

static int open_checked(const struct perf_event_attr *attr, struct target *t,
			struct perf_file *leader, struct file **out)
{
	struct perf_file *p;
	int err;

	p = new_perf_file(out);
	if (!p)
		return refuse(perf_refusal(), ENOMEM, "no memory for the event");
	err = open_on_target(p, attr, t, leader);
	if (!err) {
		perf_list(p);
		return 0;
	}
	(*out)->ops = &unopened_ops;
	file_put(*out);
	heap_free(p);
	return err;
}

static int open_locked(uint64_t from, struct target *t, struct perf_file *leader, struct file **out)
{
	struct perf_event_attr attr;
	int err = perf_read_attr(&attr, from);

	if (!err)
		err = check_open(&attr, t, perf_refusal());
	return err ? err : open_checked(&attr, t, leader, out);
}

int perf_open(uint64_t attr, int pid, int cpu, struct file *group, unsigned long flags,
	      struct file **out)
{
	struct perf_file *leader = group ? perf_of(group) : NULL;
	struct target target = {pid, cpu, flags, NULL};
	int err;

	perf_lock();
	if (group && !leader)
		err = refuse(perf_refusal(), EBADF, "group_fd is no performance event");
	else
		err = open_locked(attr, &target, leader, out);
	perf_unlock();
	inode_put(target.group);
	return err;
}

/* The event has no ring of its own, for its mapping would hold the file. */
static void perf_release(struct file *f)
{
	struct perf_file *p = perf_of(f);

	perf_unlist(p);
	perf_lock();
	perf_ring_leave(p);
	pmu_event_close(&p->event);
	perf_unlock();
	perf_news_forget(&p->news);
	inode_put(p->group);
	heap_free(p);
}

/* --- Reading --- */

/* One event: value, enabled, running, id, lost. A group: number, enabled, running, and 3 for each
 * event. */
#define WORDS_OF_ONE   5
#define WORDS_OF_GROUP (3 + 3 * PMU_MAX_EVENTS)

static long read_into(struct perf_file *p, struct io *io, uint64_t *values, size_t words)
{
	const size_t room = words * sizeof(*values);
	const int n = pmu_event_read_format(&p->event, values, io->left < room ? io->left : room);

	if (n > 0 && io_to_user(io, values, (size_t)n))
		return -EFAULT;
	return n;
}

static long read_group(struct perf_file *p, struct io *io)
{
	uint64_t *values = heap_alloc(WORDS_OF_GROUP * sizeof(*values));
	long n;

	if (!values)
		return -ENOMEM;
	n = read_into(p, io, values, WORDS_OF_GROUP);
	heap_free(values);
	return n;
}

static long note_refused_read(long n)
{
	perf_lock();
	if (n == -ENOSPC)
		refuse(perf_refusal(), ENOSPC, "the values do not fit into so few bytes");
	else if (n == -EFAULT)
		refuse(perf_refusal(), EFAULT, "the buffer lies where the program has no memory");
	perf_unlock();
	return n;
}

static long perf_read(struct file *f, struct io *io, const uint64_t *at)
{
	struct perf_file *p = perf_of(f);
	uint64_t values[WORDS_OF_ONE];
	const long n = p->event.attr.read_format & PERF_FORMAT_GROUP
			       ? read_group(p, io)
			       : read_into(p, io, values, WORDS_OF_ONE);

	(void)at;
	return n < 0 ? note_refused_read(n) : n;
}

/* A jump, as this is the fastest way to read an event by a system call. */
static __attribute__((optimize("optimize-sibling-calls", "omit-frame-pointer"))) bool
perf_read_word(const struct file *f, uint64_t *word)
{
	return pmu_event_read_count(f->private, word);
}

const struct file_ops perf_file_ops = {
	.name = "[perf_event]",
	.is_stream = true,
	.read = perf_read,
	.read_word = perf_read_word,
	.poll = perf_poll,
	.ioctl = perf_ioctl,
	.map = perf_map,
	.async = perf_async,
	.release = perf_release,
};
