// SPDX-License-Identifier: BSD-2-Clause
/* vcpu_counts.c - an addition is one inline instruction for each count where QEMU supports it: by
 * vCPU (from QEMU 9.0 on), or to an address, which serves one vCPU. Otherwise it is a callback. */
#include "vpmu/plugin/vcpu_counts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vpmu/plugin/profile_pieces.h"
#include "vpmu/plugin/run_time.h"

#define INTERNED_BUCKETS 1024

/* A tally that callbacks add; never freed. */
struct interned {
	struct interned *next;
	struct tally tally, before;
	uint64_t at; /* address of the instruction, if its start is remembered; else 0 */
	uint64_t *executions, *executions_before; /* of their pieces; NULL: none */
	uint64_t *executions_start;               /* of a REP string instruction's rounds */
	bool is_user;
};

static struct {
	struct events_page *page;
	unsigned vcpus;
	enum { BY_ADDRESS, BY_VCPU, BY_CALL } way;
	bool calls;                           /* additions are callbacks for a while */
	bool is_user;                         /* the block being translated is of ring 3 */
	struct qemu_plugin_scoreboard *score; /* BY_VCPU */
	struct counted *own;                  /* of each vCPU; else */
	struct interned *interned[INTERNED_BUCKETS];
} counted;

struct events_page *counted_page(void)
{
	return counted.page;
}

struct counted *counted_of(unsigned vcpu)
{
	return counted.way == BY_VCPU ? qemu_plugin_scoreboard_find(counted.score, vcpu)
				      : &counted.own[vcpu];
}

/* --- The page --- */

static bool report_path(const char *path, const char *what)
{
	fprintf(stderr, "vpmu-events: %s: %s\n", path, what);
	return false;
}

static bool map_events_page(const char *path)
{
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	void *memory;

	if (fd < 0)
		return report_path(path, strerror(errno));
	if (lseek(fd, 0, SEEK_END) < (off_t)EVENTS_PAGE_BYTES) {
		close(fd);
		return report_path(path, "too short for a page of counts");
	}
	memory = mmap(NULL, EVENTS_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (memory == MAP_FAILED)
		return report_path(path, strerror(errno));
	counted.page = memory;
	return true;
}

static void write_header(struct events_header *header, unsigned vcpus, enum events_level highest)
{
	memset(header, 0, sizeof(*header));
	header->version = EVENTS_PAGE_VERSION;
	header->counts = EVENTS_NUMBERS;
	header->cpus = vcpus < EVENTS_PAGE_CPUS ? vcpus : EVENTS_PAGE_CPUS;
	header->highest = highest;
	memcpy(header->magic, EVENTS_PAGE_MAGIC, sizeof(header->magic));
}

bool counted_begin(const char *path, unsigned vcpus, bool per_vcpu, enum events_level highest)
{
	if (!map_events_page(path))
		return false;
	counted.vcpus = vcpus;
	counted.way = per_vcpu ? BY_VCPU : vcpus == 1 ? BY_ADDRESS : BY_CALL;
	if (per_vcpu)
		counted.score = qemu_plugin_scoreboard_new(sizeof(struct counted));
	else
		counted.own = calloc(vcpus, sizeof(*counted.own));
	if (!counted.score && !counted.own)
		return report_path(path, "out of memory");
	write_header(&counted.page->header, vcpus, highest);
	return true;
}

/* A restored machine brings a page with counts before anything runs. */
static void take_base(struct counted *c, const struct events_cpu *cpu)
{
	memcpy(c->base, cpu->count, sizeof(c->base));
	c->is_based = true;
}

void counted_copy(unsigned vcpu)
{
	struct events_cpu *cpu = &counted.page->cpu[vcpu];
	struct counted *c = counted_of(vcpu);

	if (!c->is_based)
		take_base(c, cpu);
	memcpy(counted.page->header.rowless, time_rowless, sizeof(time_rowless));
	for (size_t i = 0; i < EVENTS_NUMBERS; i++)
		cpu->count[i] = c->base[i] + c->n[i] + c->user[i];
}

uint64_t counted_sum(unsigned vcpu, const int16_t term[EVENTS_TERMS])
{
	const struct counted *c = counted_of(vcpu);

	return events_sum(term, c->n) + events_sum(term, c->user);
}

void counted_answer(unsigned vcpu, enum events_level level)
{
	struct events_cpu *cpu = &counted.page->cpu[vcpu];

	cpu->level = level;
	cpu->answered = cpu->asked;
}

/* --- Additions --- */

static uint64_t *numbers_of(struct counted *c, const struct interned *i)
{
	return i->is_user ? c->user : c->n;
}

static uint64_t instructions_of(const struct counted *c)
{
	return c->n[EVENTS_INSTRUCTIONS] + c->user[EVENTS_INSTRUCTIONS];
}

/* Other vCPUs may execute the same piece. */
static void add_executions(uint64_t *executions, uint64_t more)
{
	if (executions)
		__atomic_fetch_add(executions, more, __ATOMIC_RELAXED);
}

static void add_numbers(uint64_t *n, const struct tally *tally)
{
	for (size_t i = 0; i < TALLY_COUNTS; i++)
		n[i] += tally->n[i];
}

static void subtract_numbers(uint64_t *n, const struct tally *tally)
{
	for (size_t i = 0; i < TALLY_COUNTS; i++)
		n[i] -= tally->n[i];
}

static void add_tally(struct counted *c, const struct interned *i)
{
	add_numbers(numbers_of(c, i), &i->tally);
	add_executions(i->executions, 1);
}

void counted_undo(unsigned vcpu, uint64_t at, const struct tally *tally)
{
	struct counted *c = counted_of(vcpu);

	if (tally) {
		subtract_numbers(profile_takes(at) ? c->user : c->n, tally);
		profile_undone(at);
	} else if (c->begun && c->begun->at == at && c->begun_count == instructions_of(c)) {
		subtract_numbers(numbers_of(c, c->begun), &c->begun->tally);
		add_executions(c->begun->executions, (uint64_t)-1);
	}
}

static void on_run(unsigned vcpu, void *interned)
{
	add_tally(counted_of(vcpu), interned);
}

static void on_begin(unsigned vcpu, void *interned)
{
	struct counted *c = counted_of(vcpu);
	const struct interned *i = interned;

	add_numbers(numbers_of(c, i), &i->before);
	add_executions(i->executions_before, 1);
	add_tally(c, i);
	c->begun = i;
	c->begun_count = instructions_of(c);
}

static void on_access(unsigned vcpu, plugin_access info, uint64_t va, void *interned)
{
	(void)info;
	(void)va;
	add_tally(counted_of(vcpu), interned);
}

static void on_run_arm(unsigned vcpu, void *interned)
{
	counted_of(vcpu)->armed = interned;
}

static void add_armed_tally(struct counted *c, const struct interned *i)
{
	if (c->armed != i)
		return;
	c->armed = NULL;
	add_tally(c, i);
}

static void on_first_access(unsigned vcpu, plugin_access info, uint64_t va, void *interned)
{
	(void)info;
	(void)va;
	add_armed_tally(counted_of(vcpu), interned);
}

static void on_first_store(unsigned vcpu, plugin_access info, uint64_t va, void *interned)
{
	(void)va;
	if (qemu_plugin_mem_is_store(info))
		add_armed_tally(counted_of(vcpu), interned);
}

static unsigned hash_of(const struct tally *tally)
{
	unsigned hash = 0;

	for (size_t i = 0; i < TALLY_COUNTS; i++)
		hash = hash * 31 + tally->n[i];
	return hash;
}

static bool is_interned(const struct interned *i, const struct interned *wanted)
{
	return i->at == wanted->at && i->is_user == wanted->is_user &&
	       i->executions == wanted->executions &&
	       i->executions_before == wanted->executions_before &&
	       i->executions_start == wanted->executions_start &&
	       !memcmp(&i->tally, &wanted->tally, sizeof(i->tally)) &&
	       !memcmp(&i->before, &wanted->before, sizeof(i->before));
}

static uintptr_t interned_bucket(const struct interned *i)
{
	return (hash_of(&i->tally) + i->at + (uintptr_t)i->executions / sizeof(uint64_t)) %
	       INTERNED_BUCKETS;
}

/* Returns the only copy of `wanted`, for the block that is being translated. */
static struct interned *intern(struct interned wanted)
{
	struct interned **first, *i;

	wanted.is_user = counted.is_user;
	first = &counted.interned[interned_bucket(&wanted)];
	for (i = *first; i; i = i->next)
		if (is_interned(i, &wanted))
			return i;
	i = malloc(sizeof(*i));
	if (!i)
		abort();
	*i = wanted;
	i->next = *first;
	*first = i;
	return i;
}

/* --- Inline additions --- */

static struct plugin_u64 place_by_vcpu(size_t count)
{
	const size_t numbers =
		counted.is_user ? offsetof(struct counted, user) : offsetof(struct counted, n);

	return (struct plugin_u64){counted.score, numbers + count * 8};
}

static uint64_t *place_by_address(size_t count)
{
	return &(counted.is_user ? counted.own[0].user : counted.own[0].n)[count];
}

static void add_inline(struct qemu_plugin_insn *insn, size_t count, uint64_t more)
{
	if (counted.way == BY_VCPU)
		qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(insn, PLUGIN_ADD_U64,
								    place_by_vcpu(count), more);
	else
		qemu_plugin_register_vcpu_insn_exec_inline(insn, PLUGIN_ADD_U64,
							   place_by_address(count), more);
}

static void add_inline_by_access(struct qemu_plugin_insn *insn, size_t count, uint64_t more)
{
	if (counted.way == BY_VCPU)
		qemu_plugin_register_vcpu_mem_inline_per_vcpu(
			insn, PLUGIN_READ_WRITE, PLUGIN_ADD_U64, place_by_vcpu(count), more);
	else
		qemu_plugin_register_vcpu_mem_inline(insn, PLUGIN_READ_WRITE, PLUGIN_ADD_U64,
						     place_by_address(count), more);
}

static void on_execution(unsigned vcpu, void *executions)
{
	(void)vcpu;
	add_executions(executions, 1);
}

static void on_access_execution(unsigned vcpu, plugin_access info, uint64_t va, void *executions)
{
	(void)info;
	(void)va;
	on_execution(vcpu, executions);
}

/* From QEMU 9.0 on inline additions go to a vCPU's memory alone, and a piece is of all. */
static void count_inline(struct qemu_plugin_insn *insn, uint64_t *executions)
{
	if (!executions)
		return;
	if (counted.way == BY_VCPU)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_execution, PLUGIN_NO_REGISTERS,
						       executions);
	else
		qemu_plugin_register_vcpu_insn_exec_inline(insn, PLUGIN_ADD_U64, executions, 1);
}

static void count_inline_by_access(struct qemu_plugin_insn *insn, uint64_t *executions)
{
	if (!executions)
		return;
	if (counted.way == BY_VCPU)
		qemu_plugin_register_vcpu_mem_cb(insn, on_access_execution, PLUGIN_NO_REGISTERS,
						 PLUGIN_READ_WRITE, executions);
	else
		qemu_plugin_register_vcpu_mem_inline(insn, PLUGIN_READ_WRITE, PLUGIN_ADD_U64,
						     executions, 1);
}

static bool is_empty(const struct tally *tally)
{
	static const struct tally none;

	return !memcmp(tally, &none, sizeof(none));
}

void counted_by_call(bool on)
{
	counted.calls = on;
}

void counted_as_user(bool on)
{
	counted.is_user = on;
}

static bool is_call(void)
{
	return counted.way == BY_CALL || counted.calls;
}

void counted_add(struct qemu_plugin_insn *insn, const struct tally *tally, uint64_t *executions)
{
	if (is_empty(tally))
		return;
	if (is_call()) {
		qemu_plugin_register_vcpu_insn_exec_cb(
			insn, on_run, PLUGIN_NO_REGISTERS,
			intern((struct interned){.tally = *tally, .executions = executions}));
		return;
	}
	for (size_t i = 0; i < TALLY_COUNTS; i++)
		if (tally->n[i])
			add_inline(insn, i, tally->n[i]);
	count_inline(insn, executions);
}

void counted_add_begun(struct qemu_plugin_insn *insn, const struct tally *before,
		       uint64_t *executions_before, const struct tally *tally, uint64_t *executions)
{
	qemu_plugin_register_vcpu_insn_exec_cb(
		insn, on_begin, PLUGIN_NO_REGISTERS,
		intern((struct interned){.tally = *tally,
					 .before = *before,
					 .at = qemu_plugin_insn_vaddr(insn),
					 .executions = executions,
					 .executions_before = executions_before}));
}

void counted_add_by_access(struct qemu_plugin_insn *insn, const struct tally *tally,
			   uint64_t *executions)
{
	if (is_empty(tally))
		return;
	if (is_call()) {
		qemu_plugin_register_vcpu_mem_cb(
			insn, on_access, PLUGIN_NO_REGISTERS, PLUGIN_READ_WRITE,
			intern((struct interned){.tally = *tally, .executions = executions}));
		return;
	}
	for (size_t i = 0; i < TALLY_COUNTS; i++)
		if (tally->n[i])
			add_inline_by_access(insn, i, tally->n[i]);
	count_inline_by_access(insn, executions);
}

void counted_add_by_first(struct qemu_plugin_insn *insn, enum plugin_rw rw,
			  const struct tally *tally, uint64_t *executions)
{
	struct interned *kept =
		intern((struct interned){.tally = *tally, .executions = executions});

	qemu_plugin_register_vcpu_insn_exec_cb(insn, on_run_arm, PLUGIN_NO_REGISTERS, kept);
	qemu_plugin_register_vcpu_mem_cb(insn,
					 rw == PLUGIN_WRITE ? on_first_store : on_first_access,
					 PLUGIN_NO_REGISTERS, PLUGIN_READ_WRITE, kept);
}

static void on_intercepted(unsigned vcpu, void *executions)
{
	counted_of(vcpu)->intercepted++;
	add_executions(executions, 1);
}

void counted_note_intercepted(struct qemu_plugin_insn *insn, uint64_t *executions)
{
	if (executions)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_intercepted, PLUGIN_NO_REGISTERS,
						       executions);
}

static void ignore_access(unsigned vcpu, plugin_access info, uint64_t va, void *unused)
{
	(void)vcpu;
	(void)info;
	(void)va;
	(void)unused;
}

void counted_ignore_accesses(struct qemu_plugin_insn *insn)
{
	qemu_plugin_register_vcpu_mem_cb(insn, ignore_access, PLUGIN_NO_REGISTERS,
					 PLUGIN_READ_WRITE, NULL);
}

/* --- REP string instructions in a loop of QEMU's --- */

static bool is_repeating(const struct counted *c)
{
	return c->repeated_count == instructions_of(c);
}

/* QEMU leaves the loop now and then, and returns at once. */
static void on_repeated(unsigned vcpu, void *repeated)
{
	struct counted *c = counted_of(vcpu);
	const struct interned *r = repeated;

	c->is_half = false;
	if (c->repeated == r && is_repeating(c))
		return;
	c->repeated = r;
	numbers_of(c, r)[EVENTS_INSTRUCTIONS]++;
	add_executions(r->executions_start, 1);
	c->repeated_count = instructions_of(c);
}

static void iterate(struct counted *c, const struct interned *r)
{
	add_tally(c, r);
	c->repeated_count = instructions_of(c);
}

static void on_iteration(unsigned vcpu, plugin_access info, uint64_t va, void *repeated)
{
	(void)info;
	(void)va;
	iterate(counted_of(vcpu), repeated);
}

static void on_iteration_store(unsigned vcpu, plugin_access info, uint64_t va, void *repeated)
{
	(void)va;
	if (qemu_plugin_mem_is_store(info))
		iterate(counted_of(vcpu), repeated);
}

/* CMPS loads twice in an iteration. */
static void on_iteration_loads(unsigned vcpu, plugin_access info, uint64_t va, void *repeated)
{
	struct counted *c = counted_of(vcpu);

	(void)info;
	(void)va;
	c->is_half = !c->is_half;
	if (!c->is_half)
		iterate(c, repeated);
}

void counted_add_repeated(struct qemu_plugin_insn *insn, const struct decoded *d, uint64_t *starts,
			  uint64_t *iterations)
{
	struct interned *r = intern((struct interned){.tally = d->tally,
						      .at = qemu_plugin_insn_vaddr(insn),
						      .executions = iterations,
						      .executions_start = starts});
	plugin_access_cb iteration = d->retires == RETIRES_FIRST_WRITE  ? on_iteration_store
				     : d->retires == RETIRES_FIRST_READ ? on_iteration_loads
									: on_iteration;

	qemu_plugin_register_vcpu_insn_exec_cb(insn, on_repeated, PLUGIN_NO_REGISTERS, r);
	qemu_plugin_register_vcpu_mem_cb(insn, iteration, PLUGIN_NO_REGISTERS, PLUGIN_READ_WRITE,
					 r);
}

void counted_leave(unsigned vcpu, uint64_t at)
{
	struct counted *c = counted_of(vcpu);

	if (!c->repeated || c->repeated->at != at || !is_repeating(c))
		return;
	numbers_of(c, c->repeated)[EVENTS_INSTRUCTIONS]--;
	add_executions(c->repeated->executions_start, (uint64_t)-1);
	c->repeated = NULL;
}
