// SPDX-License-Identifier: BSD-2-Clause
/* process.c - see process.h. */
#include "linux/task/process.h"

#include "lib/path.h"
#include "lib/string.h"
#include "pmu/api/pmu.h"
#include "rt/base/heap.h"
#include "rt/clock/times.h"
#include "linux/task/limits.h"
#include "linux/task/task_parts.h"

#include <linux/errno.h>
#include <linux/mman.h>
#include <linux/personality.h>

struct process *process_create(uint32_t pid)
{
	struct process *p = heap_alloc(sizeof(*p));

	if (p) {
		p->pid = p->group = p->session = pid;
		limits_init(p->limits);
		p->ways.personality = ADDR_NO_RANDOMIZE; /* addresses are the same in each run */
		p->began = times_monotonic();
	}
	return p;
}

void process_forget(struct process *p)
{
	heap_free(p);
}

struct mm *process_set_memory(struct process *p, struct mm *mm)
{
	struct mm *before = p->mm;

	p->mm = mm;
	return before;
}

/* --- Files --- */

void process_set_files(struct process *p, struct fd_table *files, struct inode *root,
		       struct inode *cwd)
{
	p->files = files;
	p->view = (struct tree_view){inode_get(root), inode_get(cwd), 022};
}

int process_copy_files(struct process *to, struct process *from, bool share)
{
	struct fd_table *files = share ? fd_table_get(from->files) : fd_table_copy(from->files);

	if (!files)
		return -ENOMEM;
	process_set_files(to, files, from->view.root, from->view.cwd);
	to->view.umask = from->view.umask;
	return 0;
}

void process_close_files(struct process *p)
{
	const uint64_t flags = task_lock_tree();
	const struct tree_view view = p->view;
	struct fd_table *files = p->files;

	p->files = NULL;
	p->view = (struct tree_view){0};
	task_unlock_tree(flags);
	if (files)
		fd_table_put(files);
	inode_put(view.cwd);
	inode_put(view.root);
}

/* --- Places of code --- */

/* The address in the file's own terms, which addr2line takes. For most libraries the first
 * segment's address is its offset in the file. */
static uint64_t address_in_file(const struct mm *mm, const struct area *a, uint64_t ip)
{
	if (ip >= mm->program_start && ip < mm->program_end)
		return ip - mm->program_base;
	return a->offset + (ip - a->start);
}

bool process_find_place(const struct process *p, uint64_t ip, struct process_place *place)
{
	struct mm *mm = p->mm;
	const struct area *a;
	bool found;

	lock_take(&mm->lock);
	a = areas_at(&mm->areas, ip);
	found = a && a->from && a->from->path && a->prot & PROT_EXEC;
	if (found)
		*place = (struct process_place){path_name(a->from->path),
						address_in_file(mm, a, ip)};
	lock_release(&mm->lock);
	return found;
}

/* --- Records --- */

static const char *area_name(const struct area *a)
{
	if (a->from && a->from->path)
		return a->from->path;
	return a->flags & AREA_STACK ? "[stack]" : a->flags & AREA_HEAP ? "[heap]" : "//anon";
}

/* Areas that the runtime keeps for itself have no record. */
static void announce_area(const struct area *a, void *task)
{
	if (a->flags & AREA_KEPT)
		return;
	pmu_output_mmap2(&(struct pmu_mmap){
		.task = task,
		.prot = (a->prot & PROT_READ ? PMU_PROT_READ : 0) |
			(a->prot & PROT_WRITE ? PMU_PROT_WRITE : 0) |
			(a->prot & PROT_EXEC ? PMU_PROT_EXEC : 0),
		.addr = a->start,
		.len = a->end - a->start,
		.pgoff = a->offset,
		.build_id = a->from ? a->from->build_id : NULL,
		.build_id_size = a->from ? a->from->build_id_bytes : 0,
		.filename = area_name(a),
	});
}

void process_announce(const struct process *p, const struct pmu_task *task)
{
	mm_each(p->mm, announce_area, (void *)(uintptr_t)task);
}

/* The record is written from a copy of the area, without the lock of the memory. */
void process_announce_area(const struct process *p, const struct pmu_task *task, uint64_t address)
{
	const struct area *found;
	struct area a = {0};

	lock_take(&p->mm->lock);
	found = areas_at(&p->mm->areas, address);
	if (found)
		a = *found;
	mapped_get(a.from);
	lock_release(&p->mm->lock);
	if (found)
		announce_area(&a, (void *)(uintptr_t)task);
	mapped_put(a.from);
}
