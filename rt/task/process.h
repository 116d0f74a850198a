/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process.h - what the threads of one process share: memory, and what it comes from.
 *
 * Code, constants, data and stacks are there from the start; heap and mappings come into being page
 * by page, with the first access. Any CPU, interrupts off, unless a function says otherwise.
 */
#ifndef RT_TASK_PROCESS_H
#define RT_TASK_PROCESS_H

#include "arch/x86/space/space.h"
#include "lib/lock.h"
#include "rt/perf/perf.h"
#include "rt/task/workload.h"

#include <stdbool.h>
#include <stdint.h>

struct pmu_task;

/* Memory that comes into being page by page, or is the runtime's own. */
#define PROCESS_AREAS 128
struct process_area {
	uint64_t start, end; /* end 0: free */
	const uint8_t *file; /* what its pages are copies of; NULL: zeros */
	uint64_t file_bytes; /* what lies behind is zeros */
	unsigned prot;       /* enum page_prot */
	bool shared;         /* pages of the runtime, all mapped */
	bool fixed;          /* made with the process: not to be unmapped */
};

/* Where a program starts. */
struct process_start {
	uint64_t rip, rsp;
	uint64_t args[6];
};

struct process {
	struct lock lock; /* for all of it */
	uint32_t pid;
	unsigned threads; /* that have not ended: task.c's */
	struct space space;
	struct process_area area[PROCESS_AREAS];
	uint64_t map_next; /* where the next mapping goes */
	uint64_t stacks;   /* stacks in use, a bit each, from WORKLOAD_STACK_TOP downwards */
	struct workload_call call; /* what runs in it */
	struct perf_table perf;    /* its handles of performance events */
	bool rdpmc;                /* it may use RDPMC */
};

/*
 * process_create() - fresh memory for `call`, and where it starts. -ENOMEM, or why its program
 * cannot be loaded: -ENOEXEC. process_destroy() - no CPU has its space entered.
 */
int process_create(struct process **p, uint32_t pid, const struct workload_call *call,
		   struct process_start *start);
void process_destroy(struct process *p);

/* process_stack() - the top of a stack for one more thread; 0: there is no room. It is `n` for
 * process_free_stack(). */
uint64_t process_stack(struct process *p, unsigned *n);
void process_free_stack(struct process *p, unsigned n);

/*
 * process_fault_in() - ring 3 accesses `address`, of which the page may have to come into being
 * first. BAD: it has no such memory; NO_MEMORY: it has, but there is no page left for it.
 */
enum process_fault {
	PROCESS_FAULT_BAD,
	PROCESS_FAULT_NO_MEMORY,
	PROCESS_FAULT_MINOR,
	PROCESS_FAULT_MAJOR,
};
static inline bool process_fault_mended(enum process_fault kind)
{
	return kind >= PROCESS_FAULT_MINOR;
}
enum process_access { PROCESS_READ, PROCESS_WRITE, PROCESS_FETCH };
enum process_fault process_fault_in(struct process *p, uint64_t address,
				    enum process_access access);

/* process_map_memory() - system call MAP: the address, or -ENOMEM, -EINVAL. */
long process_map_memory(struct process *p, uint64_t bytes, uint64_t flags, uint64_t offset);

/* process_unmap_memory() - system call UNMAP. Serves calls of other CPUs. */
int process_unmap_memory(struct process *p, uint64_t address, uint64_t bytes);

/*
 * process_map_at() - `pages` pages of the runtime's own memory, at `memory`, for ring 3 to see at
 * `va`, where nothing is, with `prot` of enum page_prot; 0, -ENOMEM, -EINVAL. process_unmap() -
 * they are seen no more, on any CPU: the memory is the caller's alone again. Serves calls of other
 * CPUs. What is mapped when the process ends is the caller's, too.
 */
int process_map_at(struct process *p, uint64_t va, void *memory, size_t pages, unsigned prot);
void process_unmap(struct process *p, uint64_t va);

/* process_refresh() - what lies at `in_image` in the workloads' data becomes the process's, too, if
 * it has that data. */
void process_refresh(struct process *p, const void *in_image, size_t bytes);

/* Where code of a process is in the file that it came from: `address` is that which addr2line
 * takes.
 */
struct process_place {
	const char *file; /* without its folder */
	uint64_t address;
};

/* process_find_place() - of an address of ring 3; false: there is no code of a file. */
bool process_find_place(const struct process *p, uint64_t ip, struct process_place *place);

/* process_announce() - a MMAP2 record for each part of its memory that has a name, for `task`. */
void process_announce(const struct process *p, const struct pmu_task *task);

#endif
