// SPDX-License-Identifier: BSD-2-Clause
/*
 * plugin.c - QEMU's end: -plugin vpmu-events.so,page=FILE[,level=model][,prefetch=off][,answers=N]
 * [,moves=N][,measurement=N][,stops=off|mute][,thread=off][,strings=loops][,levels=one]
 * [,profile=FILE]
 *
 * strings=loops: this QEMU does many iterations of a REP string instruction at once (10.0, without
 * -icount). For tests: thread=off, no thread of its own; answers=N, silent from the Nth answer on;
 * moves=N, counts stand still from then on, both numbered from the measurement of measurement=N on;
 * stops=off and mute, stops no guest, and says so or not.
 *
 * Each block that QEMU translates is decoded once. Its tallies are attached so that an instruction
 * that faults adds nothing: a tally is added when the next instruction of the block runs. That of
 * the last one is added when it begins, and taken back if vpmu says that it did not complete. Its
 * access to memory would show that, too. But QEMU up to 7.2 keeps callbacks of the accesses of a
 * block's last instruction attached to accesses of later ones.
 *
 * vCPUs run and translate in parallel, so state that translation writes has a lock.
 *
 * Code of vpmu itself is not counted, and only its bell gets a callback. Its place in QEMU's memory
 * identifies it, as a guest may use any address.
 */
#include "vpmu/plugin/instrument.h"
#include "vpmu/plugin/profile_branches.h"
#include "vpmu/plugin/profile_pieces.h"
#include "vpmu/plugin/profile_calls.h"
#include "vpmu/plugin/profile_requests.h"
#include "vpmu/plugin/profile_times.h"
#include "vpmu/plugin/single_blocks.h"
#include "vpmu/plugin/stop_at_count.h"
#include "vpmu/plugin/vcpu_counts.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define INSN_BYTES  16  /* the longest instruction, rounded up */
#define BLOCK_INSNS 512 /* the longest block of QEMU's */

PLUGIN_EXPORT int qemu_plugin_version = PLUGIN_API_PLAIN;
PLUGIN_EXPORT int qemu_plugin_install(plugin_id id, const struct plugin_info *info, int argc,
				      char **argv);

/* vpmu's code, by its header and in QEMU's memory. */
static struct {
	uint64_t code, code_end; /* physical addresses that `host` is valid for */
	uint64_t host;           /* QEMU's address of physical 0; may wrap */
	bool is_known;
} place;

static struct {
	plugin_id id;
	unsigned vcpus;
	unsigned counted;          /* vCPUs that fit into the page */
	enum events_level highest; /* the highest level; a copy, as the guest may write the page */
	enum events_level level;   /* the present level */
	uint32_t resets;           /* resets seen so far */
	bool models;               /* the model exists */
	bool lacks_model;          /* the model cannot be made, and is not tried again */
	unsigned model_flags;      /* enum micro_flags */
	bool unthreaded;           /* no thread runs the model */
	bool copies;               /* qemu_plugin_insn_data() copies */
	bool loops;                /* QEMU loops over the iterations of a REP string instruction */
	bool has_uncounted;        /* some blocks were translated while nothing was counted */
	bool one_level;            /* the first event begins the highest level, for good */
	enum events_level least;   /* the level that is wanted at least, whatever the page says */
	uint64_t answers, moves; /* for tests: the answers and moves that are left, from measurement
				    `from` on */
	uint64_t from;
	struct decoded decoded[BLOCK_INSNS]; /* of the block that is being translated */
	pthread_mutex_t lock;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Runs before QEMU asks for the version: takes one that this QEMU supports. */
__attribute__((constructor)) static void choose_version(void)
{
	if (qemu_plugin_scoreboard_new)
		qemu_plugin_version = PLUGIN_API_PER_VCPU;
}

/* --- vpmu's own code --- */

static bool has_bell(uint64_t host_address)
{
	static const uint8_t bell[] = EVENTS_BELL_BYTES;
	uint8_t there[sizeof(bell)];
	const struct iovec to = {there, sizeof(there)};
	const struct iovec from = {(void *)host_address, sizeof(there)};

	/* The address may be invalid. */
	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof(there) &&
	       !memcmp(there, bell, sizeof(bell));
}

/* The host runs with equal physical and virtual addresses. A block at an address of vpmu's code,
 * with the bell at the right distance, is vpmu's. */
static bool find_place(const struct events_header *header, uint64_t va, uint64_t host_address)
{
	if (place.is_known && place.code == header->code && place.code_end == header->code_end)
		return true;
	place.is_known = false;
	if (va < header->code || va >= header->code_end ||
	    !has_bell(host_address - va + header->bell))
		return false;
	place.code = header->code;
	place.code_end = header->code_end;
	place.host = host_address - va;
	place.is_known = true;
	return true;
}

static bool is_host(const struct events_header *header, const struct qemu_plugin_insn *insn)
{
	const uint64_t at = (uint64_t)qemu_plugin_insn_haddr(insn);
	uint64_t physical;

	if (!at || !find_place(header, qemu_plugin_insn_vaddr(insn), at))
		return false;
	physical = at - place.host;
	return physical >= header->code && physical < header->code_end &&
	       !(physical >= header->guest && physical < header->guest_end);
}

/* --- Requests of vpmu --- */

/* The tally of one round of a REP string instruction. */
static const struct tally one_round = {.n[EVENTS_INSTRUCTIONS] = 1};

/* Takes back the tally that a block's last instruction has added when it began. */
static void undo(unsigned vcpu, const struct events_cpu *cpu)
{
	struct decoded d;

	decode_at(&d, cpu->code, cpu->undone, cpu->rip);
	if (d.repeats && state.loops) /* counted_leave() */
		return;
	counted_undo(vcpu, cpu->rip, d.repeats ? &one_round : d.branch ? &d.tally : NULL);
}

static void on_translation(plugin_id id, struct qemu_plugin_tb *block);

/* QEMU calls this while no vCPU runs. */
static void on_flush(plugin_id id)
{
	(void)id;
	observe_flushed();
	calls_flushed();
}

static void on_exit_of_qemu(plugin_id id, void *unused)
{
	(void)id;
	(void)unused;
	calls_end();
}

static void register_callbacks(plugin_id id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	qemu_plugin_register_flush_cb(id, on_flush);
}

/* No vCPU runs, and QEMU has dropped the callbacks, too. */
static void on_reset(plugin_id id)
{
	if (state.models)
		observe_forget();
	observe_flushed();
	calls_flushed();
	register_callbacks(id);
}

static void reset_model(void)
{
	if (state.models)
		observe_reset();
	state.resets = counted_page()->header.resets;
}

static uint32_t wanted_level(void)
{
	const volatile struct events_cpu *cpus = counted_page()->cpu;
	uint32_t wanted = state.least;

	for (unsigned i = 0; i < state.counted; i++) {
		const uint32_t by_cpu = cpus[i].wanted;

		if (by_cpu > wanted && by_cpu <= state.highest)
			wanted = by_cpu;
	}
	return wanted;
}

/* If nothing is wanted any more, existing translations go on counting, which is harmless. */
static bool is_changed(void)
{
	const uint32_t wanted = wanted_level();

	return wanted && (wanted != state.level || state.has_uncounted);
}

static void begin_model(const struct events_header *header)
{
	char uarch[sizeof(header->uarch) + 1] = "";

	memcpy(uarch, header->uarch, sizeof(header->uarch));
	state.models = observe_begin(uarch, state.vcpus, state.model_flags, !state.unthreaded);
	state.lacks_model = !state.models;
}

/*
 * All blocks are translated anew before the guest runs on. QEMU 7.2 frees the callbacks of accesses
 * then, but another CPU of the same thread still calls those of its last RET or VMRUN. So with
 * `levels=one` blocks are translated anew only once, when accesses have no callbacks yet.
 */
static void translate_anew(const struct events_header *header)
{
	state.level = state.one_level ? state.highest : (enum events_level)wanted_level();
	state.has_uncounted = false;
	if (state.level > EVENTS_LEVEL_COUNTS && !state.models && !state.lacks_model)
		begin_model(header);
	if (!state.models && state.level > EVENTS_LEVEL_COUNTS)
		state.level = EVENTS_LEVEL_COUNTS;
	if (state.one_level)
		state.least = state.level;
	stop_model(observe_geometry());
	qemu_plugin_reset(state.id, on_reset);
}

/* Blocks are translated alike with the core in time and without. */
static bool is_translated(uint32_t level)
{
	return state.level >= EVENTS_LEVEL_CACHES && level >= EVENTS_LEVEL_CACHES &&
	       !state.has_uncounted;
}

static void change_level(const struct events_header *header)
{
	const uint32_t wanted = wanted_level();

	if (is_translated(wanted))
		state.level = (enum events_level)wanted;
	else
		translate_anew(header);
	observe_time(state.level >= EVENTS_LEVEL_MODEL);
}

static void follow_header(const struct events_header *header)
{
	pthread_mutex_lock(&state.lock);
	if (header->resets != state.resets)
		reset_model();
	if (is_changed())
		change_level(header);
	pthread_mutex_unlock(&state.lock);
}

static void spend(uint64_t *left, const struct events_header *header)
{
	*left -= *left && header->resets >= state.from;
}

static void on_bell(unsigned vcpu, void *unused)
{
	const struct events_header *header = &counted_page()->header;
	const struct events_cpu *cpu = &counted_page()->cpu[vcpu];

	(void)unused;
	if (!state.answers || vcpu >= state.counted)
		return;
	spend(&state.answers, header);
	if (state.models) {
		observe_stop(vcpu, cpu->rip);
		observe_settle(vcpu);
	}
	if (cpu->undone)
		undo(vcpu, cpu);
	if (state.loops)
		counted_leave(vcpu, cpu->rip);
	if (state.moves)
		counted_copy(vcpu);
	spend(&state.moves, header);
	counted_answer(vcpu, state.level);
	if (header->resets != state.resets || is_changed())
		follow_header(header);
	if (state.models)
		observe_settle(vcpu);
	stop_bell(vcpu);
}

/* --- Blocks --- */

/* Consecutive instructions of the block, whose tallies are not attached yet. */
struct pending {
	struct tally sum;
	size_t first, n;
};

static void add_to(struct pending *p, const struct tally *more)
{
	for (size_t i = 0; i < TALLY_COUNTS; i++)
		p->sum.n[i] = (uint8_t)(p->sum.n[i] + more->n[i]);
	p->n++;
}

/* A sum is added before it could overflow. */
static bool is_full(const struct pending *p)
{
	for (size_t i = 0; i < TALLY_COUNTS; i++)
		if (p->sum.n[i] > UINT8_MAX / 2)
			return true;
	return false;
}

static uint64_t *executions_of(const struct pending *p)
{
	return profile_piece(p->first, p->n, PROFILE_WHOLE);
}

static void attach_pending(struct qemu_plugin_insn *insn, const struct pending *p)
{
	counted_add(insn, &p->sum, executions_of(p));
}

/* Instruction `i`, whose only or first access proves it; or a REP string instruction's iteration,
 * which may fault between two. */
static void attach_by_access(struct qemu_plugin_insn *insn, const struct decoded *d, size_t i)
{
	uint64_t *executions = profile_piece(i, 1, d->repeats ? PROFILE_ITERATION : PROFILE_WHOLE);

	switch (d->retires) {
	case RETIRES_BY_ACCESS:
		counted_add_by_access(insn, &d->tally, executions);
		break;
	case RETIRES_FIRST_READ:
		counted_add_by_first(insn, PLUGIN_READ, &d->tally, executions);
		break;
	case RETIRES_FIRST_WRITE:
		counted_add_by_first(insn, PLUGIN_WRITE, &d->tally, executions);
		break;
	case RETIRES_SURELY:
	case RETIRES_NEXT:
		counted_add(insn, &d->tally, executions);
		break;
	}
}

/* QEMU runs one iteration at a time, and a last round that finds none left. */
static void attach_repeated(struct qemu_plugin_insn *insn, struct decoded *d, size_t i)
{
	uint64_t *rounds = profile_piece(i, 1, PROFILE_ROUND);

	if (state.loops) {
		counted_add_repeated(insn, d, rounds, profile_piece(i, 1, PROFILE_ITERATION));
		return;
	}
	counted_add(insn, &one_round, rounds);
	d->tally.n[EVENTS_INSTRUCTIONS] = 0;
	attach_by_access(insn, d, i);
}

/* Branches and string instructions always end their block. */
static bool is_always_last(const struct decoded *d)
{
	return d->repeats || d->branch;
}

/* QEMU executes one instruction again as a block of its own if it has met a device (with -icount)
 * or changed its own code. In the first case only its accesses are reported. */
static bool is_alone(size_t n, const struct decoded *d)
{
	return n == 1 && !is_always_last(d) && d->retires != RETIRES_SURELY &&
	       d->retires != RETIRES_NEXT;
}

/* Attaches the last instruction of a block, and what is pending before it. If it is the last only
 * now and then, and may fault, its start is remembered. */
static void attach_last(struct qemu_plugin_insn *insn, struct decoded *d, struct pending *p)
{
	const size_t i = p->first + p->n;

	if (!is_always_last(d) && d->retires != RETIRES_SURELY) {
		counted_add_begun(insn, &p->sum, executions_of(p), &d->tally,
				  profile_piece(i, 1, PROFILE_WHOLE));
		return;
	}
	if (!d->repeats)
		add_to(p, &d->tally);
	attach_pending(insn, p);
	if (d->repeats)
		attach_repeated(insn, d, i);
}

/* The bytes, in `copy` or in QEMU's memory. */
static const uint8_t *insn_bytes(const struct qemu_plugin_insn *insn, uint8_t copy[INSN_BYTES])
{
	const uintptr_t data = qemu_plugin_insn_data(insn, copy, INSN_BYTES);

	return state.copies ? copy : (const uint8_t *)data;
}

static void decode_insn(struct decoded *d, const struct qemu_plugin_insn *insn)
{
	uint8_t copy[INSN_BYTES] = {0};

	decode(d, insn_bytes(insn, copy), qemu_plugin_insn_size(insn),
	       qemu_plugin_insn_vaddr(insn));
}

static void attach_host(const struct events_header *header, struct qemu_plugin_insn *insn)
{
	struct decoded d;

	decode_insn(&d, insn);
	/* Includes VMRUN: interrupts that it injects access the guest's stack. */
	if (d.helped && wanted_level())
		counted_ignore_accesses(insn);
	if ((uint64_t)qemu_plugin_insn_haddr(insn) - place.host == header->bell)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_bell, PLUGIN_NO_REGISTERS, NULL);
}

/* QEMU 7.2 shows an instruction that reaches into the next page although the next block gets it: it
 * abandons it in the middle. */
static size_t count_insns(const struct qemu_plugin_tb *block)
{
	const size_t n = qemu_plugin_tb_n_insns(block);
	const struct qemu_plugin_insn *last;
	uint8_t copy[INSN_BYTES] = {0};

	if (n < 2)
		return n;
	last = qemu_plugin_tb_get_insn(block, n - 1);
	return n - decode_is_cut(insn_bytes(last, copy), qemu_plugin_insn_size(last),
				 qemu_plugin_insn_vaddr(last));
}

static void attach_counts(const struct qemu_plugin_tb *block, size_t n)
{
	struct pending pending = {0};

	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
		struct decoded *d = &state.decoded[i];

		if (d->helped || d->retires == RETIRES_NEXT)
			counted_ignore_accesses(insn);
		if (d->is_intercepted)
			counted_note_intercepted(insn, profile_piece(i, 1, PROFILE_WHOLE));
		if (is_alone(n, d)) {
			attach_by_access(insn, d, i);
			return;
		}
		if (i + 1 == n) {
			attach_last(insn, d, &pending);
			return;
		}
		if (d->retires != RETIRES_SURELY || is_full(&pending)) {
			attach_pending(insn, &pending);
			pending = (struct pending){.first = i};
		}
		add_to(&pending, &d->tally);
	}
}

static void attach_observer(struct qemu_plugin_insn *insn, const struct decoded *d)
{
	if (d->branch != BRANCH_NONE)
		observe_branch(insn, d);
	if (state.level < EVENTS_LEVEL_CACHES)
		return;
	if (d->tally.n[EVENTS_LOADS] || d->tally.n[EVENTS_STORES])
		observe_accesses(insn, d);
	if (d->flushes)
		observe_flush(insn);
}

static void attach_observers(const struct qemu_plugin_tb *block, size_t n)
{
	uint8_t copy[INSN_BYTES];

	observe_block(n, state.decoded[n - 1].target ==
				 qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, 0)));
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
		const struct decoded *d = &state.decoded[i];

		if (!i || observe_ends_run(insn))
			observe_run(insn, i, (uint64_t)qemu_plugin_insn_haddr(insn) - place.host,
				    state.level);
		attach_observer(insn, d);
		stop_insn(insn, d, observe_run_add(insn, d, insn_bytes(insn, copy)));
	}
}

/*
 * The first instruction's run comes before everything else of the block, as nothing else may
 * happen. A block that is watched for targets is counted by callbacks, which are called in order.
 */
static void attach_model(const struct qemu_plugin_tb *block, size_t n)
{
	const bool single = single_is_on();

	stop_begin_block();
	attach_observers(block, n);
	observe_block_end();
	counted_by_call(single);
	attach_counts(block, n);
	counted_by_call(false);
	for (size_t i = 0; single && i < n; i++)
		stop_watch(qemu_plugin_tb_get_insn(block, i));
}

/* Ring 0 tells of tasks, and code of ring 3 has calls. */
static void attach_profile(const struct qemu_plugin_tb *block, size_t n)
{
	uint8_t copy[INSN_BYTES];

	if (!profile_file())
		return;
	if (profile_takes(qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, 0)))) {
		profile_block(block, state.decoded, place.host);
		requests_attach_block(block, state.decoded, n);
		calls_attach_block(block, state.decoded, n);
		branches_attach_block(block, state.decoded, n);
		counted_as_user(true);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);

		calls_attach_mark(insn, insn_bytes(insn, copy), qemu_plugin_insn_size(insn),
				  place.host);
	}
}

static void attach_guest(const struct qemu_plugin_tb *block, size_t n)
{
	if (n > BLOCK_INSNS)
		n = BLOCK_INSNS;
	for (size_t i = 0; i < n; i++)
		decode_insn(&state.decoded[i], qemu_plugin_tb_get_insn(block, i));
	attach_profile(block, n);
	if (state.models && state.level > EVENTS_LEVEL_COUNTS)
		attach_model(block, n);
	else
		attach_counts(block, n);
	profile_block_end();
	counted_as_user(false);
}

static void attach_all(const struct events_header *header, struct qemu_plugin_tb *block, size_t n)
{
	/* The firmware, before vpmu is there. */
	if (!header->code) {
		state.has_uncounted = true;
		return;
	}
	if (is_host(header, qemu_plugin_tb_get_insn(block, 0))) {
		state.has_uncounted |= !wanted_level();
		for (size_t i = 0; i < n; i++)
			attach_host(header, qemu_plugin_tb_get_insn(block, i));
	} else if (wanted_level()) {
		attach_guest(block, n);
	} else {
		state.has_uncounted = true;
	}
}

static void on_translation(plugin_id id, struct qemu_plugin_tb *block)
{
	(void)id;
	if (!qemu_plugin_tb_n_insns(block))
		return;
	pthread_mutex_lock(&state.lock);
	attach_all(&counted_page()->header, block, count_insns(block));
	pthread_mutex_unlock(&state.lock);
}

/* --- Start --- */

static const char *argument(int argc, char **argv, const char *name)
{
	const size_t n = strlen(name);

	for (int i = 0; i < argc; i++)
		if (!strncmp(argv[i], name, n) && argv[i][n] == '=')
			return argv[i] + n + 1;
	return NULL;
}

/* The name of a function that every version of QEMU has and this one lacks; NULL: none. */
static const char *missing_function(void)
{
#define NEEDED(function)                            \
	{                                           \
#function, (const void *)(function) \
	}
	static const struct {
		const char *name;
		const void *at;
	} needed[] = {
		NEEDED(qemu_plugin_get_hwaddr),
		NEEDED(qemu_plugin_hwaddr_phys_addr),
		NEEDED(qemu_plugin_insn_data),
		NEEDED(qemu_plugin_insn_haddr),
		NEEDED(qemu_plugin_insn_size),
		NEEDED(qemu_plugin_insn_vaddr),
		NEEDED(qemu_plugin_mem_is_store),
		NEEDED(qemu_plugin_mem_size_shift),
		NEEDED(qemu_plugin_register_flush_cb),
		NEEDED(qemu_plugin_register_vcpu_insn_exec_cb),
		NEEDED(qemu_plugin_register_vcpu_mem_cb),
		NEEDED(qemu_plugin_register_vcpu_tb_trans_cb),
		NEEDED(qemu_plugin_reset),
		NEEDED(qemu_plugin_tb_get_insn),
		NEEDED(qemu_plugin_tb_n_insns),
	};
#undef NEEDED

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!needed[i].at)
			return needed[i].name;
	return NULL;
}

int qemu_plugin_install(plugin_id id, const struct plugin_info *info, int argc, char **argv)
{
	const char *page = argument(argc, argv, "page"), *level = argument(argc, argv, "level"),
		   *prefetch = argument(argc, argv, "prefetch"),
		   *answers = argument(argc, argv, "answers"),
		   *moves = argument(argc, argv, "moves"), *stops = argument(argc, argv, "stops"),
		   *thread = argument(argc, argv, "thread"),
		   *strings = argument(argc, argv, "strings"),
		   *profile = argument(argc, argv, "profile"),
		   *levels = argument(argc, argv, "levels"),
		   *from = argument(argc, argv, "measurement"), *missing = missing_function();

	if (missing) {
		fprintf(stderr, "vpmu-events: this QEMU has no %s()\n", missing);
		return -1;
	}
	if (!info->system_emulation || !page) {
		fprintf(stderr, "vpmu-events: page=FILE is missing\n");
		return 0;
	}
	state.answers = answers ? strtoull(answers, NULL, 10) : UINT64_MAX;
	state.moves = moves ? strtoull(moves, NULL, 10) : UINT64_MAX;
	state.from = from ? strtoull(from, NULL, 10) : 0;
	state.id = id;
	state.copies = info->version.cur >= PLUGIN_API_COPIES;
	state.vcpus = (unsigned)info->system.max_vcpus;
	state.counted = state.vcpus < EVENTS_PAGE_CPUS ? state.vcpus : EVENTS_PAGE_CPUS;
	state.highest = level && !strcmp(level, "model") ? EVENTS_LEVEL_MODEL : EVENTS_LEVEL_COUNTS;
	state.level = EVENTS_LEVEL_COUNTS;
	state.model_flags =
		prefetch && !strcmp(prefetch, "off") ? MICRO_NO_PREFETCH | MICRO_NO_WALK_READS : 0;
	state.unthreaded = thread && !strcmp(thread, "off");
	state.loops = strings && !strcmp(strings, "loops");
	state.one_level = levels && !strcmp(levels, "one");
	if (!counted_begin(page, state.vcpus, qemu_plugin_version >= PLUGIN_API_PER_VCPU,
			   state.highest))
		return 0;
	counted_page()->header.loops = state.loops;
	if (profile && profile_begin(profile)) {
		/* Blocks of ring 3 are counted from the first one on. */
		state.least = profile_has_modelled(&profile_file()->header) || times_are_wanted()
				      ? state.highest
				      : EVENTS_LEVEL_COUNTS;
		calls_begin(state.vcpus);
		requests_begin(state.vcpus);
		branches_begin(state.vcpus);
		if (qemu_plugin_register_atexit_cb)
			qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
	}
	stop_begin(state.vcpus, !stops || strcmp(stops, "off"), !stops);
	decode_init();
	register_callbacks(id);
	return 0;
}
