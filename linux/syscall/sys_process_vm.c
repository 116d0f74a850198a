// SPDX-License-Identifier: BSD-2-Clause
/* sys_process_vm.c - process_vm_readv(2), process_vm_writev(2): memory of another process, a page
 * at a time through a buffer. */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "lib/math.h"
#include "linux/file/file_io.h"
#include "rt/base/heap.h"
#include "linux/mem/mm.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>

static int get_mm(struct task *t, void *arg)
{
	struct mm **mm = arg;

	*mm = t->process && t->process->mm ? mm_get(t->process->mm) : NULL;
	return *mm ? 0 : -ESRCH;
}

/* Reads the parts of the caller's memory into the heap. NULL: `*err` is the error, or 0 if there
 * are no parts. */
static struct io_part *read_parts(uint64_t from, uint64_t n, long *err)
{
	struct io_part *parts;

	*err = n > IO_PARTS_MOST ? -EINVAL : 0;
	if (*err || !n)
		return NULL;
	parts = heap_alloc(n * sizeof(*parts));
	*err = parts ? 0 : -ENOMEM;
	if (parts && copy_from_user(parts, from, n * sizeof(*parts))) {
		heap_free(parts);
		parts = NULL;
		*err = -EFAULT;
	}
	return parts;
}

struct move {
	struct mm *mm;
	struct io *io; /* the caller's memory */
	bool write;
	uint8_t *page; /* a buffer */
};

/* Returns how many of `bytes` were moved. */
static size_t move_some(const struct move *m, uint64_t address, size_t bytes)
{
	size_t n = bytes;

	if (m->write)
		return io_from_user(m->io, m->page, n) ? 0 : mm_write(m->mm, address, m->page, n);
	n = mm_read(m->mm, address, m->page, n);
	return io_to_user(m->io, m->page, n) ? 0 : n;
}

/* -EFAULT: no byte was moved. */
static long move_parts(const struct move *m, const struct io_part *parts, uint64_t n)
{
	long done = 0;

	for (uint64_t i = 0; i < n; i++)
		for (uint64_t at = 0; at < parts[i].bytes && m->io->left;) {
			const size_t wanted =
				least_of(least_of(parts[i].bytes - at, m->io->left), PAGE_SIZE);
			const size_t moved = move_some(m, parts[i].address + at, wanted);

			done += (long)moved;
			at += moved;
			if (moved < wanted)
				return done ? done : -EFAULT;
		}
	return done;
}

static long move_memory(const struct trap_frame *f, struct io *io, const struct io_part *remote,
			bool write)
{
	struct move m = {.io = io, .write = write, .page = heap_alloc(PAGE_SIZE)};
	long result = m.page ? task_with((int)f->rdi, get_mm, &m.mm) : -ENOMEM;

	if (!result) {
		result = move_parts(&m, remote, f->r8);
		mm_put(m.mm);
	}
	heap_free(m.page);
	return result;
}

static long process_vm(const struct trap_frame *f, bool write)
{
	struct io_part *local, *remote = NULL;
	struct io io;
	long err;

	if (f->r9)
		return -EINVAL;
	local = read_parts(f->rsi, f->rdx, &err);
	if (local)
		err = io_user_parts(&io, local, f->rdx);
	if (local && !err)
		remote = read_parts(f->r10, f->r8, &err);
	if (remote)
		err = move_memory(f, &io, remote, write);
	heap_free(remote);
	heap_free(local);
	return err;
}

static long sys_process_vm_readv(struct trap_frame *f)
{
	return process_vm(f, false);
}

static long sys_process_vm_writev(struct trap_frame *f)
{
	return process_vm(f, true);
}

const struct syscall_row syscall_process_vm_rows[] = {
	{__NR_process_vm_readv, sys_process_vm_readv},
	{__NR_process_vm_writev, sys_process_vm_writev},
	{0, NULL},
};
