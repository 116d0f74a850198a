// SPDX-License-Identifier: BSD-2-Clause
/*
 * record_sideband.c - records about tasks: names, mappings, beginnings, ends and switches. Each
 * goes to the ring of every event that requests it and counts for the task or the CPU.
 */
#include "pmu/record/output.h"

#include "lib/string.h"
#include "pmu/state/read.h"
#include "pmu/state/remote.h"

/* A record for all events that it concerns. */
struct notice {
	const struct pmu_task *task;
	const struct pmu_context *context;
	void (*fn)(struct pmu_event *e, const void *what);
	const void *what;
};

/*
 * It does not concern events that count for other tasks, or for the task on another CPU only: a
 * ring contains nothing that its event does not count. So only this CPU writes to these rings.
 */
static bool concerns_task(const struct pmu_event *e, const struct pmu_task *task)
{
	return e->out.rb && (!e->set || pmu_in_set(task, e->set)) &&
	       (e->cpu < 0 || e->cpu == (int)pmu.number);
}

/* Runs where the context is active. */
static void tell_context(void *arg)
{
	const struct notice *n = arg;

	for (struct pmu_event *l = n->context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			if (concerns_task(e, n->task))
				n->fn(e, n->what);
}

/* Calls `fn` for each event that writes side-band records about the task. */
static void for_each_output(const struct pmu_task *task,
			    void (*fn)(struct pmu_event *e, const void *what), const void *what)
{
	struct pmu_context *context =
		(struct pmu_context *)&task->context; /* not const, because it is locked */
	struct notice n = {task, pmu.cpu, fn, what};

	if (n.context->nevents)
		pmu_in_context(pmu.cpu, tell_context, &n);
	n.context = context;
	if (n.context->nevents)
		pmu_in_context(context, tell_context, &n);
}

#define COMM_MAX 16 /* including the terminator, as TASK_COMM_LEN */

struct comm {
	const struct pmu_task *task;
	bool exec;
	char name[COMM_MAX];
};

static void output_comm(struct pmu_event *e, const void *what)
{
	const struct comm *comm = what;
	size_t n = pmu_padded(strlen(comm->name) + 1),
	       size = 2 * PMU_WORD + n + e->out.trailer_size;
	struct rb_writer w;

	if (!e->attr.comm || !pmu_record_begin(&w, e, size))
		return;
	pmu_put_header(&w, PERF_RECORD_COMM,
		       comm->exec && e->attr.comm_exec ? PERF_RECORD_MISC_COMM_EXEC : 0, size);
	rb_put(&w, pmu_pair(comm->task->pid, comm->task->tid));
	rb_put_bytes(&w, comm->name, n);
	pmu_put_trailer(&w, e);
	pmu_record_end(&w);
}

void pmu_output_comm(const struct pmu_task *task, const char *name, bool exec)
{
	struct comm comm = {.task = task, .exec = exec};

	memcpy(comm.name, name, strnlen(name, COMM_MAX - 1));
	for_each_output(task, output_comm, &comm);
}

#define MAP_PRIVATE  2
#define BUILD_ID_MAX 20

/* The words of MMAP2 between pgoff and prot: device and inode, or a build-id. */
struct mmap_identity {
	uint8_t build_id_size;
	uint8_t reserved[3];
	uint8_t build_id[BUILD_ID_MAX];
};
_Static_assert(sizeof(struct mmap_identity) == 3 * PMU_WORD, "PERF_RECORD_MMAP2");

static bool with_build_id(const struct pmu_event *e, const struct pmu_mmap *map)
{
	return e->attr.build_id && map->build_id && map->build_id_size &&
	       map->build_id_size <= BUILD_ID_MAX;
}

static void put_identity(struct rb_writer *w, const struct pmu_event *e, const struct pmu_mmap *map)
{
	struct mmap_identity identity = {0};

	if (with_build_id(e, map)) {
		identity.build_id_size = (uint8_t)map->build_id_size;
		memcpy(identity.build_id, map->build_id, map->build_id_size);
	}
	rb_put_bytes(w, &identity, sizeof(identity));
	rb_put(w, pmu_pair(map->prot, MAP_PRIVATE));
}

/* Code needs attr.mmap or mmap2, anything else attr.mmap_data; mmap2 selects the format. */
static bool wants_map(const struct pmu_event *e, const struct pmu_mmap *map)
{
	return map->prot & PMU_PROT_EXEC ? e->attr.mmap || e->attr.mmap2 : e->attr.mmap_data;
}

static void output_mmap(struct pmu_event *e, const void *what)
{
	const struct pmu_mmap *map = what;
	char filename[PMU_MAX_FILENAME] = {0};
	size_t n = strnlen(map->filename, sizeof(filename) - 1);
	size_t size = 5 * PMU_WORD + pmu_padded(n + 1) + e->out.trailer_size;
	uint16_t misc = PERF_RECORD_MISC_USER;
	bool v2 = e->attr.mmap2;
	struct rb_writer w;

	if (v2)
		size += sizeof(struct mmap_identity) + PMU_WORD;
	if (v2 && with_build_id(e, map))
		misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	if (!(map->prot & PMU_PROT_EXEC))
		misc |= PERF_RECORD_MISC_MMAP_DATA;
	if (!wants_map(e, map) || !pmu_record_begin(&w, e, size))
		return;
	memcpy(filename, map->filename, n);
	pmu_put_header(&w, v2 ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP, misc, size);
	rb_put(&w, pmu_pair(map->task->pid, map->task->tid));
	rb_put(&w, map->addr);
	rb_put(&w, map->len);
	rb_put(&w, map->pgoff);
	if (v2)
		put_identity(&w, e, map);
	rb_put_bytes(&w, filename, pmu_padded(n + 1));
	pmu_put_trailer(&w, e);
	pmu_record_end(&w);
}

void pmu_output_mmap2(const struct pmu_mmap *map)
{
	for_each_output(map->task, output_mmap, map);
}

/* --- FORK and EXIT --- */

struct life {
	uint32_t type;
	const struct pmu_task *task;
	uint32_t parent_pid, parent_tid;
};

/* As in Linux, an event that requests names or mappings also gets the records of tasks. */
static void output_life(struct pmu_event *e, const void *what)
{
	const struct perf_event_attr *attr = &e->attr;
	const struct life *l = what;

	if (attr->task || attr->comm || attr->mmap || attr->mmap2 || attr->mmap_data)
		pmu_output_words(e, l->type, 0,
				 (const uint64_t[]){pmu_pair(l->task->pid, l->parent_pid),
						    pmu_pair(l->task->tid, l->parent_tid),
						    pmu_record_time(e)},
				 3);
}

void pmu_output_fork(const struct pmu_task *task, const struct pmu_task *parent)
{
	const struct life life = {PERF_RECORD_FORK, task, parent->pid, parent->tid};

	for_each_output(parent, output_life, &life);
}

struct reading {
	struct pmu_event *e;
	const struct pmu_task *task;
};

static void output_reading(void *arg)
{
	const struct reading *r = arg;

	pmu_output_read(r->e, r->task);
}

/* Writes its values, including all inherited events. */
static void output_group_values(struct pmu_event *leader, const struct pmu_task *task)
{
	bool any = false;

	pmu_for_each (e, leader)
		any |= e->attr.inherit_stat && e->out.rb;
	if (!any)
		return;
	pmu_sum_up(leader);
	pmu_for_each (e, leader) {
		struct reading r = {e, task};

		if (e->attr.inherit_stat)
			pmu_in_ring(e, output_reading, &r);
	}
}

void pmu_output_exit_within(const struct pmu_task *task)
{
	const struct life life = {PERF_RECORD_EXIT, task, task->parent_pid, task->parent_tid};

	for (struct pmu_event *l = task->context.leaders; l; l = l->next_leader)
		output_group_values(l, task);
	for_each_output(task, output_life, &life);
}

void pmu_output_exit(const struct pmu_task *task)
{
	pmu_operation_begin();
	pmu_output_exit_within(task);
	pmu_operation_end();
}

/* --- SWITCH --- */

struct turn {
	uint16_t misc;
	uint64_t other; /* pid and tid of the task before or after; 0: the runtime */
};

/* The record of a task's event reports the switch; that of a CPU's event also the other task. */
static void output_switch(struct pmu_event *e, const struct turn *turn)
{
	if (!e->attr.context_switch || e->state < PMU_STATE_INACTIVE)
		return;
	if (e->context->task)
		pmu_output_words(e, PERF_RECORD_SWITCH, turn->misc, NULL, 0);
	else
		pmu_output_words(e, PERF_RECORD_SWITCH_CPU_WIDE, turn->misc, &turn->other, 1);
}

void pmu_output_switch(const struct pmu_task *task, const struct pmu_task *other, uint16_t misc)
{
	const struct turn turn = {misc, other ? pmu_pair(other->pid, other->tid) : 0};
	const struct pmu_context *const contexts[] = {pmu.cpu, &task->context};

	for (unsigned i = 0; i < 2; i++)
		for (struct pmu_event *l = contexts[i]->leaders; l; l = l->next_leader)
			pmu_for_each (e, l)
				if (concerns_task(e, task))
					output_switch(e, &turn);
}
