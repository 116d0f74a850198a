// SPDX-License-Identifier: BSD-2-Clause
/*
 * core_frontend.c - when instructions reach the buffer in front of rename: from the loop buffer,
 * the op cache, or predecoder and decoders.
 *
 * Predecoder (arXiv 2107.14210, section 4.1): each cycle it takes a block of aligned bytes and
 * marks up to `predecodes` instructions that end there. An instruction whose opcode is in one block
 * and whose last byte is in the next counts in both. A length-changing prefix takes three cycles
 * more.
 */
#include "vpmu/core/core_state.h"

#define LCP_CYCLES      3
#define MICROCODE_STALL 2
#define MICROCODE_WIDTH 4
#define LINE            64
#define WINDOW_32       32
#define PAIRED_WIDTH    6    /* micro-operations a cycle, which the op cache delivers by two */
#define TOO_LONG        1024 /* micro-operations, for the loop buffer */

static const struct core_shape *shape_of(const struct core *core)
{
	return core->shape;
}

/* --- The op cache --- */

/*
 * The op cache's number of the code at `va`, where it is entered: of that window of code. AMD's has
 * an entry for each such place, with what was decoded from there to the end of the window: 768
 * blocks of six instructions run from it, whether a window holds one of them or two
 * (tests/accuracy).
 */
static uint64_t entry_of(const struct core *core, uint64_t va)
{
	return shape_of(core)->traits & CORE_AMD ? va : va >> core->window_bits;
}

static struct core_window *cache_set(struct core *core, uint64_t entry)
{
	const struct core_shape *s = shape_of(core);
	const uint64_t window = s->traits & CORE_AMD ? entry >> core->window_bits : entry;

	return &core->front.windows[window % s->cache_sets * s->cache_ways];
}

/* A long instruction's entry has several lines. */
static __attribute__((noinline)) void find_window(struct core *core, uint64_t entry,
						  struct core_found *found)
{
	struct core_window *set = cache_set(core, entry);

	*found = (struct core_found){entry + 1, core->front.changes, set, 0};
	for (unsigned i = 0; i < shape_of(core)->cache_ways; i++)
		found->ways |= (uint32_t)(set[i].tag == entry + 1) << i;
}

static struct core_found *found_window(struct core *core, uint64_t entry)
{
	struct core_found *found = &core->front.found[entry % CORE_FOUND];

	if (found->tag != entry + 1 || found->changes != core->front.changes)
		find_window(core, entry, found);
	return found;
}

static void use_window(struct core *core, const struct core_found *found)
{
	core->front.uses++;
	for (uint32_t ways = found->ways; ways; ways &= ways - 1)
		found->set[__builtin_ctz(ways)].used = core->front.uses;
}

static bool has_window(struct core *core, uint64_t entry)
{
	const struct core_found *found = found_window(core, entry);

	use_window(core, found);
	return found->ways;
}

static void drop_window(struct core *core, uint64_t tag)
{
	struct core_window *set = cache_set(core, tag - 1);

	for (unsigned i = 0; i < shape_of(core)->cache_ways; i++)
		if (set[i].tag == tag) {
			set[i] = (struct core_window){0};
			core->front.changes++;
		}
}

/* A free way, or that of the entry that was not used for the longest time. */
static struct core_window *free_way(struct core *core, uint64_t entry)
{
	struct core_window *set = cache_set(core, entry), *oldest = set;

	for (unsigned i = 0; i < shape_of(core)->cache_ways; i++) {
		if (!set[i].tag)
			return &set[i];
		if (set[i].used < oldest->used)
			oldest = &set[i];
	}
	drop_window(core, oldest->tag);
	return oldest;
}

/* `uops`: places of its lines. */
static void keep_window(struct core *core, uint64_t entry, uint32_t uops)
{
	const struct core_shape *s = shape_of(core);
	/* A jump that is fused with an instruction of the window before has a line, too. */
	const uint32_t lines = uops ? (uops + s->cache_line - 1u) / s->cache_line : 1;

	if (lines > s->cache_lines)
		return;
	core->front.uses++;
	for (uint32_t i = 0; i < lines; i++)
		*free_way(core, entry) = (struct core_window){entry + 1, core->front.uses};
	core->front.changes++;
}

/* The decoders have left a window: the op cache has it, unless a rule forbids that. */
static void finish_building(struct core *core)
{
	struct core_frontend *f = &core->front;

	if (f->building == UINT64_MAX)
		return;
	if (!f->building_bad && !f->other_bad)
		keep_window(core, f->building, f->building_uops);
	else if (shape_of(core)->traits & CORE_BOTH_WINDOWS)
		drop_window(core, (f->building ^ 1) + 1);
}

static void begin_building(struct core *core, uint64_t entry)
{
	struct core_frontend *f = &core->front;
	const bool sibling = (f->building ^ 1) == entry;

	f->other_bad = sibling && f->building_bad && shape_of(core)->traits & CORE_BOTH_WINDOWS;
	f->building = entry;
	f->building_uops = 0;
	f->building_bad = false;
}

/* --- Deliveries --- */

static void next_cycle(struct core *core)
{
	core_front_be_at(core, core->front.cycle + 1);
}

static void count_source(struct core *core, const struct core_insn *insn, enum core_source from,
			 uint32_t uops)
{
	struct core_deliveries *d = &core->sum.deliveries;

	if (insn->flags & CORE_MICROCODE) {
		d->microcode += uops;
		d->microcoded++;
	} else {
		d->uops[from] += uops;
	}
}

/* AMD's microcode goes on without a gap, as RCL shows on a Zen 3 (tests/accuracy). */
static unsigned microcode_stall(const struct core *core)
{
	return shape_of(core)->traits & CORE_AMD ? 0 : MICROCODE_STALL;
}

static bool entry_holds(const uint8_t most[CORE_ENTRY_FIELDS], uint32_t entry)
{
	for (unsigned i = 0; i < CORE_ENTRY_FIELDS; i++)
		if ((entry >> i * CORE_ENTRY_FIELD & ((1u << CORE_ENTRY_FIELD) - 1)) > most[i])
			return false;
	return true;
}

/* The places that an instruction takes of a line of Intel's op cache. Microcode has a line for
 * itself, however long it is. */
static uint32_t places_of(const struct core *core, const struct core_insn *insn)
{
	if (insn->flags & CORE_MICROCODE)
		return shape_of(core)->cache_line;
	return insn->entry % CORE_ENTRY_CHECKED + insn->entry / CORE_ENTRY_CHECKED;
}

/* Places of a line that are taken, of the front end's `entry`. */
static uint32_t taken_places(const struct core *core)
{
	return core->front.entry - core->no_entry;
}

/* The lines of the op cache that Intel's cores deliver from in a cycle are two. On those with six
 * micro-operations a cycle they come in pairs then (arXiv 2107.14210, section 4.1). */
static void join_line(struct core *core, bool new_window, bool taken)
{
	struct core_frontend *f = &core->front;

	f->second_line = f->cycle;
	if (!new_window || core->cache_width != PAIRED_WIDTH)
		return;
	if (f->line_begins == f->cycle)
		f->delivered += f->delivered & 1 && f->delivered + 1 < PAIRED_WIDTH;
	else if (taken && (f->delivered == 1 || (f->delivered == 2 && taken_places(core) > 4)))
		f->delivered = 2;
	else if (taken && f->delivered < 4)
		f->delivered = 4;
}

/* Intel's op cache begins a line, in this cycle if that may be. */
static void begin_line(struct core *core, bool new_window, bool taken)
{
	struct core_frontend *f = &core->front;

	if (f->delivered && f->delivered < core->cache_width && f->second_line != f->cycle) {
		join_line(core, new_window, taken);
	} else if (f->delivered) {
		next_cycle(core);
	}
	if (!f->delivered)
		f->line_begins = f->cycle;
	f->entry = core->no_entry;
}

/* A long immediate takes a second place of a line, and ends what is delivered in the cycle. */
static void deliver_long(struct core *core)
{
	struct core_frontend *f = &core->front;

	if (f->delivered + 2 > core->cache_width)
		next_cycle(core);
	f->delivered = core->cache_width - 1u;
}

static void fill_op_line(struct core *core, const struct core_insn *insn)
{
	struct core_frontend *f = &core->front;
	const uint32_t needs = places_of(core, insn);

	f->entry -= insn->entry;
	if (taken_places(core) + needs > shape_of(core)->cache_line)
		begin_line(core, false, false);
	f->entry += needs;
	if (insn->entry >= CORE_ENTRY_CHECKED && !(insn->flags & CORE_MICROCODE))
		deliver_long(core);
}

__attribute__((noinline)) void core_fill_entry(struct core *core, const struct core_insn *insn)
{
	const struct core_shape *s = shape_of(core);
	struct core_frontend *f = &core->front;

	for (unsigned i = 0; i < CORE_ENTRY_ROWS; i++)
		if (entry_holds(s->entries[i], f->entry))
			return;
	if (!(s->traits & CORE_AMD)) {
		fill_op_line(core, insn);
		return;
	}
	f->entry = insn->entry;
	if (f->delivered)
		next_cycle(core);
}

/* AMD's branch prediction finds a window each cycle, and runs ahead of the op cache. */
static uint64_t predicted_at(struct core *core)
{
	struct core_frontend *f = &core->front;

	f->predicted++;
	if (f->predicted + CORE_PREDICTED_AHEAD < f->cycle)
		f->predicted = f->cycle - CORE_PREDICTED_AHEAD;
	if (f->predicted < core->speculates_until)
		f->predicted = core->speculates_until;
	return f->predicted;
}

static void deliver_cached(struct core *core, const struct core_insn *insn, uint64_t va, bool fused)
{
	struct core_frontend *f = &core->front;
	const uint64_t line = va / LINE;

	if (line != f->line && shape_of(core)->traits & CORE_AMD)
		core_front_be_at(core, predicted_at(core));
	f->line = line;
	core_deliver(core, insn, fused);
	if (insn->flags & CORE_MICROCODE)
		core_front_be_at(core, f->cycle + microcode_stall(core));
}

/* --- Predecoder and decoders --- */

static void next_block(struct core *core, uint64_t block)
{
	struct core_frontend *f = &core->front;

	f->marks_at += !(core->ideal & CORE_PART_PREDECODE);
	f->marked = 0;
	f->block = block;
	f->hidden = f->more_cycles;
	f->more_cycles = 0;
}

static void mark_one(struct core *core)
{
	struct core_frontend *f = &core->front;

	if (core->ideal & CORE_PART_PREDECODE)
		return;
	if (f->marked == shape_of(core)->predecodes) {
		f->marks_at++;
		f->marked = 0;
		f->more_cycles++;
	}
	f->marked++;
}

/* arXiv 2310.13212, section 4.2: a prefix is looked at while the block before takes more cycles
 * than one. */
static void wait_for_prefix(struct core *core)
{
	struct core_frontend *f = &core->front;
	const uint32_t hidden = f->hidden < LCP_CYCLES ? f->hidden : LCP_CYCLES;

	if (core->ideal & CORE_PART_PREDECODE)
		return;
	f->hidden -= hidden;
	f->marks_at += LCP_CYCLES - hidden;
	core->sum.deliveries.prefixes += LCP_CYCLES - hidden;
}

static void predecode(struct core *core, const struct core_insn *insn, uint64_t va)
{
	struct core_frontend *f = &core->front;
	const unsigned bits = core->fetch_bits;
	const uint64_t first = (va + insn->opcode_at) >> bits,
		       last = (va + insn->bytes - 1) >> bits;
	const uint64_t room = core_ring_oldest(&f->queue);

	if (room > f->marks_at) {
		f->marks_at = room;
		f->marked = 0;
	}
	if (f->restarts || (va >> bits) - f->block > 1)
		next_block(core, va >> bits);
	/* AMD's decoders scan the bytes themselves, and prefixes cost them nothing. They take no
	 * bytes of two places in one cycle (tests/accuracy). */
	if (shape_of(core)->traits & CORE_AMD && f->restarts)
		f->decoders = shape_of(core)->decoders;
	f->restarts = false;
	if (shape_of(core)->traits & CORE_AMD) {
		while (f->block != last)
			next_block(core, f->block + 1);
		return;
	}
	if (first != last && first == f->block)
		mark_one(core);
	while (f->block != last)
		next_block(core, f->block + 1);
	mark_one(core);
	if (insn->flags & CORE_LCP)
		wait_for_prefix(core);
}

static void begin_group(struct core *core)
{
	core->front.decoders = 0;
	core->front.decoders_most = shape_of(core)->decoders;
}

/* The instruction is not decoded in the cycle of those before it. */
static bool ends_group(const struct core *core, const struct core_insn *insn)
{
	const struct core_frontend *f = &core->front;

	if (f->decoders >= f->decoders_most || (insn->flags & CORE_COMPLEX && f->decoders))
		return true;
	return insn->fuses_with && shape_of(core)->traits & CORE_FUSIBLE_NOT_LAST &&
	       f->decoders + 1u == shape_of(core)->decoders;
}

/* Beside one of several micro-operations fewer decoders are in use, as all of them deliver
 * `decoded` in a cycle. */
static void join_group(struct core *core, const struct core_insn *insn)
{
	struct core_frontend *f = &core->front;
	const uint32_t decoded = shape_of(core)->decoded;

	f->decoders++;
	if (insn->decoded_alone)
		f->decoders_most = 1;
	else if (insn->fused > 1 && insn->fused <= decoded &&
		 f->decoders_most > 1 + decoded - insn->fused)
		f->decoders_most = 1 + decoded - insn->fused;
}

static void decode_at(struct core *core, uint64_t cycle)
{
	core_end_delivery(core, CORE_FROM_DECODERS);
	core->front.decodes_at = cycle;
	begin_group(core);
}

/* The decoders deliver for the first time since the op cache lacked the code. */
static void end_switch(struct core *core)
{
	struct core_frontend *f = &core->front;

	if (f->decodes_at > f->switched)
		core->sum.deliveries.switching += f->decodes_at - f->switched;
	f->switched = 0;
}

static void decode(struct core *core, const struct core_insn *insn)
{
	struct core_frontend *f = &core->front;
	uint64_t at = f->marks_at + CORE_MARK_TO_DECODE;

	/* The decoders stop when the buffer behind them is full. */
	if (at < f->cycle)
		at = f->cycle;
	if (at > f->decodes_at)
		decode_at(core, at);
	if (!(core->ideal & CORE_PART_DECODE) && ends_group(core, insn))
		decode_at(core, f->decodes_at + 1);
	if (f->switched)
		end_switch(core);
	if (!(insn->flags & CORE_MICROCODE))
		f->in_cycle[CORE_FROM_DECODERS] += insn->fused;
	join_group(core, insn);
	core_ring_add(&f->queue, f->decodes_at);
	if (insn->flags & CORE_MICROCODE && !(core->ideal & CORE_PART_DECODE)) {
		f->decodes_at += insn->fused / MICROCODE_WIDTH + microcode_stall(core);
		f->decoders = shape_of(core)->decoders;
	}
	core_front_be_at(core, f->decodes_at);
}

/* The window that is built gets the instruction. On Intel's cores it is in one line. */
static void build_window(struct core *core, const struct core_insn *insn)
{
	const uint32_t line = shape_of(core)->cache_line;
	uint32_t *places = &core->front.building_uops;
	uint32_t needs;

	if (shape_of(core)->traits & CORE_AMD) {
		*places += insn->flags & CORE_MICROCODE ? line : insn->fused;
		return;
	}
	needs = places_of(core, insn);
	if (*places % line + needs > line)
		*places += line - *places % line;
	*places += needs;
}

/* A jump that crosses a boundary of 32 bytes or ends at it, alone or with the instruction that it
 * is fused with, at `from`: the window where it begins is not in the op cache. */
static void keep_out(struct core *core, const struct core_insn *insn, uint64_t va, uint64_t from)
{
	struct core_frontend *f = &core->front;
	const uint64_t window = from / WINDOW_32;

	if (window == (va + insn->bytes) / WINDOW_32)
		return;
	if (window == va / WINDOW_32) {
		f->building_bad = true;
		return;
	}
	drop_window(core, window + 1);
	if (!(shape_of(core)->traits & CORE_BOTH_WINDOWS))
		return;
	f->other_bad |= (window ^ 1) == va / WINDOW_32;
	drop_window(core, (window ^ 1) + 1);
}

static void deliver_decoded(struct core *core, const struct core_insn *insn, uint64_t va,
			    bool fused)
{
	predecode(core, insn, va);
	if (fused)
		core_ring_add(&core->front.queue, core->front.decodes_at);
	else
		decode(core, insn);
	if (!fused)
		build_window(core, insn);
	if (insn->flags & CORE_BRANCH && shape_of(core)->traits & CORE_JCC_ERRATUM)
		keep_out(core, insn, va, fused ? core->front.decoded_at : va);
	core->front.decoded_at = va;
}

/* --- The loop buffer --- */

static void note_loop(struct core_frontend *f, uint64_t start, uint64_t end)
{
	if (start == f->loop_start && end == f->loop_end) {
		if (!f->from_loop)
			f->loop_length = f->loop_uops;
		f->loop_rounds++;
		return;
	}
	f->loop_start = start;
	f->loop_end = end;
	f->loop_rounds = f->loop_length = 0;
}

static bool loops(const struct core *core, uint64_t va)
{
	const struct core_frontend *f = &core->front;

	return f->loop_rounds >= CORE_LOOPS && f->loop_length &&
	       f->loop_length <= shape_of(core)->loop && va >= f->loop_start && va <= f->loop_end;
}

/* How often the buffer holds a loop of so many micro-operations (arXiv 2107.14210, section 4.1). */
uint32_t core_loop_times(const struct core_shape *shape, uint32_t uops)
{
	static const uint8_t times[] = {8, 8, 8, 8, 8, 6, 5, 4, 4, 3, 3, 3, 3};

	if (uops >= sizeof(times))
		return uops <= shape->loop_twice ? 2 : 1;
	/* Ice Lake holds up to six micro-operations six times. */
	return shape->loop_most < times[uops] || (uops == 6 && shape->loop_most == 6)
		       ? shape->loop_most
		       : times[uops];
}

/* A group of rename does not go beyond the end of what the buffer holds. */
static uint64_t loop_ready(const struct core *core, uint64_t va)
{
	const struct core_frontend *f = &core->front;

	if (va != f->loop_start || !core->slot)
		return core->now;
	return core->now + (f->loop_rounds % core_loop_times(shape_of(core), f->loop_length) == 0);
}

/* --- All together --- */

/* The decoders of Zen 3 hand over to the op cache at the target of a taken branch alone:
 * straight-line code stays with them (tests/accuracy). So do Intel's (arXiv 2107.14210). */
static bool may_enter_cache(const struct core *core)
{
	const struct core_frontend *f = &core->front;

	return !(shape_of(core)->traits & CORE_STAYS_DECODING) || f->from_cache || f->restarts;
}

/* Bytes are taken so that instructions come from the decoders at `cycle` at the soonest, or with
 * Intel's predecoder that many cycles later: AMD's branch prediction has looked into the op cache
 * ahead of both. */
static void mark_from(struct core *core, uint64_t cycle)
{
	const unsigned ahead = shape_of(core)->traits & CORE_AMD ? CORE_MARK_TO_DECODE : 0;

	if (core->front.marks_at + ahead < cycle)
		core->front.marks_at = cycle - ahead;
}

static void enter_window(struct core *core, uint64_t va, bool taken)
{
	struct core_frontend *f = &core->front;
	const uint64_t entry = entry_of(core, va);
	const bool was_cached = f->from_cache;

	if (!was_cached)
		finish_building(core);
	f->window = va >> core->window_bits;
	f->from_cache = !(core->ideal & CORE_PART_CACHE) && may_enter_cache(core) &&
			has_window(core, entry);
	if (f->from_cache) {
		f->building = UINT64_MAX;
		f->line = UINT64_MAX;
		if (!was_cached)
			next_cycle(core);
		if (!(shape_of(core)->traits & CORE_AMD))
			begin_line(core, true, taken);
		return;
	}
	begin_building(core, entry);
	if (!was_cached)
		return;
	core->sum.deliveries.switches++;
	f->switched = f->cycle + 1;
	mark_from(core, f->cycle);
	f->block = UINT64_MAX;
}

enum target_known { TARGET_NEW, TARGET_MOVED, TARGET_KNOWN };

/* Whether the branch is known there, and where it went. It goes to `target` now. */
static enum target_known note_target(struct core_targets *targets, unsigned entries,
				     uint64_t branch, uint64_t target)
{
	const struct core_target now = {(uint32_t)(branch ^ branch >> 32) | 1u << 31,
					(uint32_t)target};
	const unsigned sets = entries / CORE_TARGET_WAYS;
	struct core_target *set =
		&targets->known[(branch ^ branch >> 11) % sets * CORE_TARGET_WAYS];

	for (unsigned i = 0; i < CORE_TARGET_WAYS; i++)
		if (set[i].branch == now.branch) {
			const bool moved = set[i].target != now.target;

			set[i] = now;
			return moved ? TARGET_MOVED : TARGET_KNOWN;
		}
	for (unsigned i = CORE_TARGET_WAYS - 1; i; i--)
		set[i] = set[i - 1];
	set[0] = now;
	return TARGET_NEW;
}

/* The cycles until branch prediction has the target `va` of a branch that it knows to be taken. */
static unsigned target_cycles(struct core *core, uint64_t branch, uint64_t va)
{
	const struct core_shape *s = shape_of(core);
	struct core_frontend *f = &core->front;
	enum target_known known = TARGET_KNOWN;

	if (f->returns)
		return s->return_cycles;
	if (s->near_targets)
		known = note_target(&f->near_targets, s->near_targets, branch, va);
	if (known == TARGET_KNOWN)
		return 0;
	f->target_changes++;
	if (known == TARGET_MOVED)
		return s->moved_target_cycles;
	return note_target(&f->far_targets, s->far_targets, branch, va) == TARGET_NEW
		       ? s->decoded_target_cycles
		       : 1;
}

/* A branch that is taken to `va` ends what the op cache delivers in the cycle. */
static bool branch_ends_cycle(const struct core *core, uint64_t va)
{
	const uint32_t traits = shape_of(core)->traits;

	return traits & CORE_AMD ||
	       (traits & CORE_WINDOW_ONCE && va >> core->window_bits == core->front.window);
}

static void after_taken(struct core *core, uint64_t va, uint64_t from)
{
	struct core_frontend *f = &core->front;
	unsigned cycles;

	note_loop(f, va, va <= from ? from : UINT64_MAX);
	f->restarts = true;
	if (shape_of(core)->traits & CORE_AMD)
		f->entry = 0;
	f->predicted += f->crosses; /* a branch is where its last byte is */
	if (f->from_cache && f->delivered && branch_ends_cycle(core, va))
		next_cycle(core);
	f->window = UINT64_MAX;
	cycles = target_cycles(core, from, va);
	if (!cycles)
		return;
	f->cycle += cycles;
	mark_from(core, f->cycle);
}

/* --- Lines of code --- */

static void note_line(struct core_frontend *f, uint64_t line)
{
	if (line == f->code_line)
		return;
	f->code_line = line;
	f->lines[f->line_at++ % CORE_LINES_AHEAD] = f->cycle;
}

/* Branch prediction runs ahead of the front end: it has asked for the line when the one some lines
 * before was reached, but not before it knew the way and the line's physical address. */
static uint64_t line_asked(const struct core *core)
{
	const struct core_frontend *f = &core->front;
	const uint64_t before = f->lines[f->line_at % CORE_LINES_AHEAD];

	return later_of(later_of(before, core->speculates_until), f->translated);
}

void core_fetch_walk(struct core *core, uint64_t va, enum core_level level, uint32_t cycles)
{
	core->front.translated =
		core_walk(core, CORE_WALK_CODE, va, line_asked(core), level, cycles);
}

/* A line arrives behind its walk. The front end waits from when it could deliver, as far as that
 * does not lie behind rename. */
static void count_wait(struct core *core, uint64_t arrives)
{
	const uint64_t translated = core->front.translated;
	uint64_t begun = later_of(later_of(core->now, core->front.cycle), core_may_deliver(core));

	if (translated > begun) {
		core->sum.deliveries.walks += translated - begun;
		begun = translated;
	}
	if (arrives > begun)
		core->sum.deliveries.lines += arrives - begun;
}

void core_fetch_line(struct core *core, enum core_level level, uint32_t cycles)
{
	struct core_frontend *f = &core->front;
	const uint64_t arrives = core_line_arrives(core, level, line_asked(core), cycles);

	count_wait(core, arrives);
	core_front_be_at(core, arrives);
	if (f->marks_at < arrives)
		f->marks_at = arrives;
}

/* --- An instruction --- */

/* Neither microcode nor what moves the stack pointer implicitly is in the loop buffer. */
static void count_looped(struct core_frontend *f, const struct core_insn *insn, uint32_t uops,
			 uint64_t va)
{
	core_count_loop(f, insn->flags & CORE_NO_LOOP ? TOO_LONG : uops, va);
}

/* The op cache goes on with another window, which it has, too. */
static uint64_t fetch_window(struct core *core, const struct core_insn *insn, uint64_t va,
			     const struct core_found *found)
{
	struct core_frontend *f = &core->front;
	const bool taken = f->taken;

	if (taken)
		after_taken(core, va, f->branch);
	f->taken = f->from_loop = false;
	count_looped(f, insn, insn->issued, va);
	core_front_be_at(core, core_may_deliver(core));
	use_window(core, found);
	f->window = f->quick = va >> core->window_bits;
	f->line = UINT64_MAX;
	if (!(shape_of(core)->traits & CORE_AMD))
		begin_line(core, true, taken);
	note_line(f, va / LINE);
	count_source(core, insn, CORE_FROM_CACHE, insn->issued);
	deliver_cached(core, insn, va, false);
	return f->cycle;
}

static uint64_t fetch_slowly(struct core *core, const struct core_insn *insn, uint64_t va,
			     bool fused);

/* Everything that core_fetch() leaves. */
__attribute__((noinline)) uint64_t core_fetch_anew(struct core *core, const struct core_insn *insn,
						   uint64_t va, bool fused)
{
	const struct core_frontend *f = &core->front;
	const uint64_t window = va >> core->window_bits;

	/* The loop buffer has no loop, with another round of this one neither. */
	const bool no_loop = !core->has_loops || f->loop_rounds + f->taken < CORE_LOOPS;

	if (f->from_cache && !fused && no_loop && !core->studied &&
	    (f->taken || window != f->window)) {
		const struct core_found *found = found_window(core, entry_of(core, va));

		if (found->ways)
			return fetch_window(core, insn, va, found);
	}
	return fetch_slowly(core, insn, va, fused);
}

static __attribute__((noinline)) uint64_t fetch_slowly(struct core *core,
						       const struct core_insn *insn, uint64_t va,
						       bool fused)
{
	struct core_frontend *f = &core->front;
	const uint64_t window = va >> core->window_bits;
	const uint32_t uops = fused ? 0 : insn->issued;
	const bool taken = f->taken;
	uint64_t ready;

	if (taken)
		after_taken(core, va, f->branch);
	f->taken = false;
	f->quick = CORE_NO_WINDOW;
	if ((core->ideal & CORE_PART_FRONT) == CORE_PART_FRONT)
		return core->now;
	f->from_loop = !(core->ideal & CORE_PART_CACHE) && loops(core, va);
	if (f->from_loop) {
		ready = loop_ready(core, va);
		core_deliver_looped(core, uops, ready);
		return ready;
	}
	count_looped(f, insn, uops, va);
	core_front_be_at(core, core_may_deliver(core));
	if (window != f->window)
		enter_window(core, va, taken);
	note_line(f, va / LINE);
	count_source(core, insn, f->from_cache ? CORE_FROM_CACHE : CORE_FROM_DECODERS, uops);
	if (!f->from_cache) {
		deliver_decoded(core, insn, va, fused);
		return f->cycle;
	}
	deliver_cached(core, insn, va, fused);
	if (f->loop_rounds < CORE_LOOPS || !shape_of(core)->loop)
		f->quick = window;
	return f->cycle;
}
