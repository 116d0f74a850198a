// SPDX-License-Identifier: BSD-2-Clause
/*
 * wire_live.c - live sending: interrupts of ring 0 drain the rings, a little each, and never wait
 * for the line.
 */
#include "rt/wire/frames.h"

#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/apic.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "lib/percpu.h"
#include "lib/time.h"
#include "rb/aux.h"
#include "rb/rb.h"
#include "rt/clock/hrtimer.h"
#include "rt/base/vectors.h"
#include "rt/wire/carrier.h"

#include <linux/errno.h>

#define LIVE_PIECE 8192 /* bytes of records that one interrupt takes */
#define LIVE_NS    (50 * NSEC_PER_MS)
_Static_assert(2 * FRAME_MAX_SIZE + 3 * WIRE_AGAIN_ROOM +
			       2 * (PACK_RECORD_MAX + PACK_RECORD_MAX / 16) <
		       LINE_QUEUE_BYTES,
	       "what one record may cause to be sent finds room in an empty queue");

static struct {
	struct wire_ring *volatile rings; /* list of all rings; NULL: not live */
	struct wire_ring *at;             /* the ring to drain next */
	struct rb *own;      /* ring of this CPU, to which a drain may add records; NULL: none */
	unsigned cpu;        /* CPU that drains */
	volatile bool waits; /* there are records, but the queue has no room */
	volatile bool held;  /* the timer tries again */
	struct hrtimer timer;
} live;

void wire_hold_drain(bool hold)
{
	local_barrier();
	live.held = hold;
	local_barrier();
}

/* The most bytes that one more record may add to the queue. */
static size_t room_wanted(const struct perf_event_header *record)
{
	return 2 * FRAME_MAX_SIZE + 3 * wire_announced() + 2 * pack_bound(record->size);
}

/* Areas that are overwritten are sent at the end. */
static bool trace_waits(const struct wire_trace *trace)
{
	return trace && !trace->aux->overwrite && rb_aux_used(trace->aux);
}

/* The result of draining a part: the rest is left for later. */
enum drained { DRAINED_ALL, DRAINED_RECORDS, DRAINED_TRACE, DRAINED_NO_ROOM };

static enum drained drain_some_trace(const struct wire_trace *trace, size_t *done)
{
	uint64_t at;

	while (trace_waits(trace)) {
		if (line_room() < 2 * FRAME_MAX_SIZE)
			return DRAINED_NO_ROOM;
		if (*done >= LIVE_PIECE)
			return DRAINED_TRACE;
		*done += wire_send_trace(trace, &at, false, 0);
	}
	return DRAINED_ALL;
}

static enum drained drain_some_records(const struct wire_ring *ring, size_t *done)
{
	struct wire_records *r = wire_records_of(ring->cpu);
	const struct perf_event_header *record;

	while ((record = wire_next_record(r, ring->rb))) {
		if (line_room() < room_wanted(record))
			return DRAINED_NO_ROOM;
		if (*done >= LIVE_PIECE)
			return DRAINED_RECORDS;
		*done += record->size;
		wire_pack_record(r, record);
	}
	packer_flush(&r->packer);
	return DRAINED_ALL;
}

/*
 * Events that sample ring 0 also sample a drain. If a piece of it makes as many records as it
 * removes, drains without a pause would never end. So the next one waits until ring 3 had its time.
 */
static void drain_more(enum drained drained, uint64_t used_before)
{
	const bool gets_on = !live.own || rb_used(live.own) < used_before;

	if (drained == DRAINED_NO_ROOM) {
		live.waits = true;
		line_want_room();
	} else if (drained == DRAINED_TRACE || gets_on)
		apic_send_self(VECTOR_DRAIN);
	else
		hrtimer_start_irqs_off(&live.timer, LIVE_NS);
}

/* Drains ring after ring, from where the last piece ended, so that each gets its turn. */
static void drain_some(void)
{
	const uint64_t used_before = live.own ? rb_used(live.own) : 0;
	struct wire_ring *const first = live.at;
	enum drained drained;
	size_t done = 0;

	do {
		drained = drain_some_records(live.at, &done);
		if (drained == DRAINED_ALL)
			drained = drain_some_trace(live.at->trace, &done);
		if (drained != DRAINED_ALL) {
			drain_more(drained, used_before);
			return;
		}
		live.at = live.at->next ? live.at->next : live.rings;
	} while (live.at != first);
}

static void on_drain(struct trap_frame *frame)
{
	(void)frame;
	apic_eoi();
	if (live.rings && !live.waits && !live.held)
		drain_some();
}

/* Records that no wake-up announces are drained as well, some times a second. */
static void on_drain_timer(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)frame;
	hrtimer_start_irqs_off(timer, LIVE_NS);
	apic_send_self(VECTOR_DRAIN);
}

/* The ring that this CPU writes: its own, or one that goes with its task. */
static struct rb *own_ring(const struct wire_ring *rings)
{
	for (const struct wire_ring *ring = rings; ring; ring = ring->next)
		if (ring->cpu == live.cpu)
			return ring->rb;
	return NULL;
}

int wire_live_begin(struct wire_ring *rings)
{
	if (line_begin_live())
		return -ENOMEM;
	trap_set_irq(VECTOR_DRAIN, on_drain);
	live.waits = false;
	live.timer.fn = on_drain_timer;
	live.cpu = smp_cpu();
	live.own = own_ring(rings);
	live.at = rings;
	live.rings = rings;
	hrtimer_start(&live.timer, LIVE_NS);
	return 0;
}

void wire_live_end(void)
{
	if (!live.rings)
		return;
	live.rings = NULL;
	hrtimer_cancel(&live.timer);
	line_end_live();
}

/* Rings of other CPUs are checked when the timer expires: no NMI sends an IPI. */
void wire_wakeup(struct rb *rb)
{
	(void)rb;
	if (live.rings && smp_cpu() == live.cpu)
		apic_send_self(VECTOR_DRAIN);
}

void wire_line_served(void)
{
	if (!live.rings || !live.waits || line_room() < LINE_QUEUE_BYTES / 2)
		return;
	live.waits = false;
	apic_send_self(VECTOR_DRAIN);
}
