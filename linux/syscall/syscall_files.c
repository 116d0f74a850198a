// SPDX-License-Identifier: BSD-2-Clause
/* syscall_files.c - see syscall_files.h. */
#include "linux/syscall/syscall_files.h"

#include "arch/x86/cpu/user.h"
#include "lib/string.h"
#include "linux/file/poll.h"
#include "linux/file/regular.h"
#include "linux/tree/tree.h"
#include "rt/base/heap.h"
#include "linux/syscall/syscall.h"
#include "linux/program/file_map.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#include <linux/mman.h>

struct file *files_get(uint64_t fd)
{
	return fd_get(sched_current()->process->files, (int)fd);
}

long files_install(struct file *f, unsigned flags)
{
	const int fd = fd_install(sched_current()->process->files, f, 0, flags & O_CLOEXEC);

	if (fd < 0)
		file_put(f);
	return fd;
}

struct tree_view *files_view(void)
{
	return &sched_current()->process->view;
}

/* --- Paths --- */

static int copy_path(char *to, uint64_t from)
{
	size_t used = 0;

	while (used < PATH_BYTES_MOST) {
		const size_t to_page = PAGE_SIZE - (from + used) % PAGE_SIZE,
			     room = PATH_BYTES_MOST - used, n = room < to_page ? room : to_page;

		if (copy_from_user(to + used, from + used, n))
			return -EFAULT;
		if (strnlen(to + used, n) < n)
			return 0;
		used += n;
	}
	return -ENAMETOOLONG;
}

static int find_start(struct files_path *p, int dirfd)
{
	struct file *f;
	int err = 0;

	if (p->text[0] == '/' || dirfd == AT_FDCWD)
		return 0;
	f = files_get((uint64_t)dirfd);
	if (!f)
		return -EBADF;
	if (p->text[0] && !inode_is_directory(f->inode))
		err = -ENOTDIR;
	else
		p->start = inode_get(f->inode);
	file_put(f);
	return err;
}

int files_path(struct files_path *p, int dirfd, uint64_t text)
{
	int err;

	*p = (struct files_path){.text = heap_alloc(PATH_BYTES_MOST)};
	if (!p->text)
		return -ENOMEM;
	err = copy_path(p->text, text);
	if (!err)
		err = find_start(p, dirfd);
	if (err)
		files_path_end(p);
	return err;
}

void files_path_end(struct files_path *p)
{
	heap_free(p->text);
	inode_put(p->start);
}

/* --- Waiting --- */

long files_wait(struct file *f, unsigned events)
{
	const uint64_t ns = f->ops->patience ? f->ops->patience(f, events) : 0,
		       deadline = syscall_deadline(ns);
	struct task *t = sched_current();
	int ready;

	if (f->flags & O_NONBLOCK)
		return -EAGAIN;
	if (ns && syscall_is_late())
		return -EAGAIN;
	if (!syscall_may_sleep())
		return -SIGNAL_RESTART;
	ready = file_await(f, events, &t->waits);
	if (!ready)
		return syscall_sleep_until(deadline);
	return syscall_wait_end(ready < 0 ? ready : 1);
}

long files_broken_pipe(void)
{
	const siginfo_t info = signal_info(SIGPIPE, SI_USER);
	const uint64_t flags = task_lock_tree();

	signal_send_task(sched_current(), &info);
	task_unlock_tree(flags);
	return -EPIPE;
}

/* --- Mapping --- */

static int check_mapping(const struct file *f, const struct mm_request *r)
{
	const bool writes = r->prot & PROT_WRITE && r->flags & MAP_SHARED;

	if (!file_can_read(f) || (writes && !file_can_write(f)))
		return -EACCES;
	return 0;
}

/* A sealed file refuses memory that may become writable; read-only memory is allowed, and stays
 * so. */
static int map_file(struct file *f, struct mm_request *r)
{
	const unsigned how = r->prot & PROT_EXEC ? FILE_MAP_CODE : 0;
	struct inode *root = files_view()->root;
	int err = -EPERM;

	if (!(r->flags & MAP_SHARED))
		return file_map(f, root, how, &r->from);
	if (file_can_write(f))
		err = file_map(f, root, how | FILE_MAP_WRITABLE, &r->from);
	if (err != -EPERM || r->prot & PROT_WRITE)
		return err;
	r->area |= AREA_UNWRITABLE;
	return file_map(f, root, how, &r->from);
}

/* Mapped pages are present at once: no count depends on their first access. */
static int map_special(struct file *f, struct mm_request *r)
{
	int err;

	if (!(r->flags & MAP_SHARED))
		return -EINVAL;
	err = f->ops->map(f, r->bytes, r->offset, r->prot & PROT_WRITE, &r->from);
	if (err)
		return err;
	r->area |= r->from->area;
	r->flags |= MAP_POPULATE;
	r->offset = 0;
	return 0;
}

/* Shared memory without a file is a file without a name. */
static int map_shared_memory(struct mm_request *r)
{
	struct file *f;
	int err = memfd_open("zero", 0, &f);

	if (err)
		return err;
	err = regular_truncate(f->inode, (int64_t)page_round(r->bytes));
	if (!err)
		err = map_file(f, r);
	file_put(f);
	r->offset = 0;
	return err;
}

/* A shared mapping of /dev/zero is shared with those that inherit the mapping. */
static int map_opened(struct file *f, struct mm_request *r)
{
	if (f->ops->map)
		return map_special(f, r);
	if (f->ops->page && r->flags & MAP_SHARED && !inode_has_content(f->inode))
		return map_shared_memory(r);
	return map_file(f, r);
}

int files_mapped(int fd, struct mm_request *r)
{
	struct file *f;
	int err;

	if (fd == -1)
		return r->flags & MAP_SHARED ? map_shared_memory(r) : 0;
	f = files_get((uint64_t)fd);
	if (!f)
		return -EBADF;
	err = check_mapping(f, r);
	if (!err)
		err = map_opened(f, r);
	file_put(f);
	return err;
}
