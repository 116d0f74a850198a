// SPDX-License-Identifier: BSD-2-Clause
/*
 * output.c - records that are no samples.
 *
 * A LOST record goes in front of the first record for which there is room again, in the same
 * reservation.
 */
#include "pmu/output.h"

#include "lib/string.h"
#include "pmu/bits.h"
#include "pmu/trace.h"

/* The fields of samples that a sample_id trailer has. */
#define TRAILER_FIELDS                                                                 \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

/* Header, id, number. */
#define LOST_SIZE(e) (3 * PMU_WORD + (e)->trailer_size)
/* Header, number. */
#define LOST_SAMPLES_SIZE(e) (2 * PMU_WORD + (e)->trailer_size)

uint16_t pmu_trailer_size(const struct perf_event_attr *attr)
{
	return attr->sample_id_all
		       ? (uint16_t)(PMU_WORD * bits_count(attr->sample_type & TRAILER_FIELDS))
		       : 0;
}

/* struct sample_id: the same fields as in samples, so that readers can sort and match records. */
void pmu_put_trailer(struct rb_writer *w, const struct pmu_event *e)
{
	uint64_t type = e->attr.sample_id_all ? e->attr.sample_type : 0;

	if (type & PERF_SAMPLE_TID)
		rb_put(w, pmu_current_task());
	if (type & PERF_SAMPLE_TIME)
		rb_put(w, pmu_now());
	if (type & PERF_SAMPLE_ID)
		rb_put(w, e->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		rb_put(w, e->stream_id);
	if (type & PERF_SAMPLE_CPU)
		rb_put(w, pmu_current_cpu());
	if (type & PERF_SAMPLE_IDENTIFIER)
		rb_put(w, e->id);
}

static void put_lost(struct rb_writer *w, const struct pmu_event *e, uint64_t lost)
{
	pmu_put_header(w, PERF_RECORD_LOST, 0, LOST_SIZE(e));
	rb_put(w, e->id);
	rb_put(w, lost);
	pmu_put_trailer(w, e);
}

bool pmu_record_begin_behind_lost(struct rb_writer *w, struct pmu_event *e, size_t size)
{
	uint64_t lost = rb_take_lost(e->rb);

	if (!rb_begin(w, e->rb, size + (lost ? LOST_SIZE(e) : 0))) {
		rb_return_lost(e->rb, lost);
		pmu_record_lose(e, size);
		return false;
	}
	if (lost)
		put_lost(w, e, lost);
	return true;
}

void pmu_record_lose(struct pmu_event *e, size_t size)
{
	rb_lose(e->rb, 1);
	trace(rb_lost, e->id, size, e->rb->lost_total);
}

static void put_words(struct rb_writer *w, const struct pmu_event *e, uint32_t type, uint16_t misc,
		      const uint64_t *words, size_t n)
{
	pmu_put_header(w, type, misc, (1 + n) * PMU_WORD + e->trailer_size);
	for (size_t i = 0; i < n; i++)
		rb_put(w, words[i]);
	pmu_put_trailer(w, e);
	pmu_record_end(w);
}

bool pmu_output_words(struct pmu_event *e, uint32_t type, uint16_t misc, const uint64_t *words,
		      size_t n)
{
	const size_t size = (1 + n) * PMU_WORD + e->trailer_size;
	struct rb_writer w;

	if (!e->rb || !pmu_record_begin(&w, e, size))
		return false;
	put_words(&w, e, type, misc, words, n);
	return true;
}

/* Who cannot tell now tells later: that is no record lost. */
bool pmu_output_aux(struct pmu_event *e, uint64_t offset, uint64_t size, uint64_t flags)
{
	struct rb_writer w;

	if (!e->rb || !rb_begin(&w, e->rb, 4 * PMU_WORD + e->trailer_size))
		return false;
	put_words(&w, e, PERF_RECORD_AUX, 0, (const uint64_t[]){offset, size, flags}, 3);
	return true;
}

bool pmu_output_itrace_start(struct pmu_event *e, uint32_t pid, uint32_t tid)
{
	return pmu_output_words(e, PERF_RECORD_ITRACE_START, 0,
				(const uint64_t[]){pmu_pair(pid, tid)}, 1);
}

bool pmu_output_throttle(struct pmu_event *e, bool throttled)
{
	return pmu_output_words(e, throttled ? PERF_RECORD_THROTTLE : PERF_RECORD_UNTHROTTLE, 0,
				(const uint64_t[]){pmu_now(), e->id, e->stream_id}, 3);
}

static bool output_ring_lost(struct pmu_event *e)
{
	uint64_t lost = rb_take_lost(e->rb);
	struct rb_writer w;

	if (!lost)
		return true;
	if (!rb_begin(&w, e->rb, LOST_SIZE(e))) {
		rb_return_lost(e->rb, lost);
		return false;
	}
	put_lost(&w, e, lost);
	pmu_record_end(&w);
	return true;
}

static bool output_samples_lost(struct pmu_event *e)
{
	uint64_t lost = e->books.lost - e->lost_reported;
	struct rb_writer w;

	if (!lost)
		return true;
	if (!rb_begin(&w, e->rb, LOST_SAMPLES_SIZE(e)))
		return false;
	pmu_put_header(&w, PERF_RECORD_LOST_SAMPLES, 0, LOST_SAMPLES_SIZE(e));
	rb_put(&w, lost);
	pmu_put_trailer(&w, e);
	pmu_record_end(&w);
	e->lost_reported += lost;
	return true;
}

bool pmu_output_lost(struct pmu_event *e)
{
	return !e->rb || (output_ring_lost(e) && output_samples_lost(e));
}

/* Calls `fn` for each event that writes side-band records about the task: not those for others. */
static void for_each_output(const struct pmu_task *task,
			    void (*fn)(struct pmu_event *e, const void *what), const void *what)
{
	const struct pmu_context *const contexts[] = {&pmu.cpu, &task->context};

	for (unsigned i = 0; i < 2; i++)
		for (struct pmu_event *l = contexts[i]->leaders; l; l = l->next_leader)
			pmu_for_each (e, l)
				if (e->rb && (!e->set || e->set == task->set))
					fn(e, what);
}

#define COMM_MAX 16 /* terminator included, as TASK_COMM_LEN */

struct comm {
	const struct pmu_task *task;
	bool exec;
	char name[COMM_MAX];
};

static void output_comm(struct pmu_event *e, const void *what)
{
	const struct comm *comm = what;
	size_t n = pmu_padded(strlen(comm->name) + 1), size = 2 * PMU_WORD + n + e->trailer_size;
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

#define PROT_READ_EXEC 5
#define MAP_PRIVATE    2
#define BUILD_ID_MAX   20

/* MMAP2's words between pgoff and prot: device and inode, or a build-id. */
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
	rb_put(w, pmu_pair(PROT_READ_EXEC, MAP_PRIVATE));
}

static void output_mmap(struct pmu_event *e, const void *what)
{
	const struct pmu_mmap *map = what;
	char filename[PMU_MAX_FILENAME] = {0};
	size_t n = strnlen(map->filename, sizeof(filename) - 1);
	size_t size = 5 * PMU_WORD + pmu_padded(n + 1) + e->trailer_size;
	uint16_t misc = PERF_RECORD_MISC_USER;
	bool v2 = e->attr.mmap2;
	struct rb_writer w;

	if (v2)
		size += sizeof(struct mmap_identity) + PMU_WORD;
	if (v2 && with_build_id(e, map))
		misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	if ((!v2 && !e->attr.mmap) || !pmu_record_begin(&w, e, size))
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
