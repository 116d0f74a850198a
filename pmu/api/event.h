/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.h - one event: what was asked for, how it is counted, and what it counted. The storage is
 * the caller's; the members are the event core's, read only for all other code.
 *
 * Invariant: `leader` of a group of one is the event itself; siblings hang on the leader only, and
 * so does the scheduler's idea of the group. Counting: value = count + (counter - prev), modulo the
 * counter's width.
 */
#ifndef PMU_API_EVENT_H
#define PMU_API_EVENT_H

#include "lib/lock.h"
#include "lib/reason.h"
#include "pmu/sched/tick.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

struct pmu_class;
struct pmu_filter;
struct pmu_regs;
struct pmu_task;
struct rb;
struct trace_event;
struct uarch;
struct uarch_extra;
struct uarch_setting;

/* How an overflow becomes a sample. */
enum pmu_way {
	PMU_WAY_LONG,  /* whatever it is */
	PMU_WAY_WORDS, /* nothing but a ring, and samples of fields of one word each */
	PMU_WAY_CHAIN, /* the same, and callchains */
};

enum pmu_state {
	PMU_STATE_ERROR,    /* pinned, and there was no counter: stays until enabled again */
	PMU_STATE_OFF,      /* disabled */
	PMU_STATE_INACTIVE, /* enabled, not on a counter */
	PMU_STATE_ACTIVE,   /* counting */
};

/* What perf_event_open(2)'s read gives, whatever attr.read_format says. */
struct pmu_value {
	uint64_t value;        /* occurrences; ns for clocks */
	uint64_t time_enabled; /* ns, but for those in which counting was paused for a change */
	uint64_t time_running; /* ns on a counter; 0: <not counted> */
	uint64_t id;
	uint64_t lost; /* samples */
};

/* The books: overflows = written + lost + refused, always. */
enum pmu_verdict {
	PMU_WRITTEN, /* the sample is in the ring */
	PMU_LOST,    /* no room in the ring */
	PMU_REFUSED, /* no ring at all */
	PMU_VERDICTS
};
struct pmu_books {
	uint64_t overflows; /* of a counter with a sample period */
	union {
		struct {
			uint64_t written, lost, refused;
		};
		uint64_t verdicts[PMU_VERDICTS]; /* the same, by enum pmu_verdict */
	};
};

/* Where a hardware event counts. `counter` and `control` are MSR numbers. */
struct pmu_place {
	unsigned index;   /* bit in counter masks: general from 0, fixed from 32 */
	uint32_t rdpmc;   /* ECX of RDPMC */
	uint32_t counter; /* MSR */
	uint32_t control; /* MSR; fixed counters share theirs */
	uint32_t enable;  /* bits of `control` beside the event select; 0: ask the driver */
	uint64_t sign;    /* the counter's top bit */
};

/* An MSR that counts: pmu/x86/meter.h. */
struct pmu_meter {
	uint32_t msr;
	uint32_t control;    /* MSR that says what, and whether; 0: it counts by itself */
	uint8_t width;       /* bits that count */
	uint8_t shift;       /* a step of it is 2^shift of the event */
	uint64_t refresh_ns; /* in which it cannot wrap; 0: it never does */
};

/* A slice: the event counted without a gap, for a time slice or what is left of one. */
struct pmu_slice {
	uint64_t from;  /* in the event's own enabled time, ns */
	uint64_t ns;    /* it counted for */
	uint64_t count; /* occurrences in them */
};

/* The slices of an event and of all that inherits from it, for what wants to see them. */
struct pmu_slice_log {
	struct pmu_slice *slot;
	uint32_t size;
	uint32_t n; /* slices; those from `size` on are not kept */
};

/* What slices say, summed up: of one event, or of several that are one to the user. */
struct pmu_slice_sums {
	uint64_t n, pairs;         /* slices; those with one before them */
	uint64_t count, running;   /* occurrences and ns in them */
	uint64_t enabled, blind;   /* ns, of events with slices and of those that never counted */
	unsigned __int128 filled;  /* occurrences between them, times 2^32 */
	unsigned __int128 weights; /* ns: the first part of the variance */
	unsigned __int128 changes; /* of the rate from slice to slice, squared; times 2^64 */
};

/* The slice before the present one. */
struct pmu_edge {
	uint64_t rate;   /* occurrences per ns, times 2^32 */
	uint64_t ns;     /* its length; 0: there is none */
	uint64_t stands; /* for as many ns in which nothing was seen */
};

/* How an event's rate goes, over the slices in which it counted: see slices.c. */
struct pmu_slices {
	/* When the present slice began: the event's count and running time, the time for which it
	 * had waited, and how much of that the gaps before it have. */
	uint64_t count, running, waited, told;
	uint64_t since; /* its enabled time when all of this began */
	struct pmu_edge last;
	struct pmu_slice_sums sums;
	struct pmu_slice_log *log; /* NULL: not wanted */
};

#define PMU_EXCHANGE_MOST 16 /* events of a context that can take the places of another one's */

/*
 * Events with one target: a task, or a CPU whatever runs on it. It belongs to the CPU on which it
 * is active, and to no other; when it is active nowhere, to the CPU that takes its lock (remote.c).
 */
struct pmu_context {
	int cpu;          /* where it is active; -1: nowhere. Read by pmu_where() */
	struct lock lock; /* its holder has the context as long as that is active nowhere */
	struct pmu_event *leaders;    /* in the order of opening */
	struct pmu_tick_context tick; /* the same, as the scheduler has them */
	struct pmu_task *task;        /* NULL: the CPU's */
	bool active;                  /* its events may count now, and their time goes on */
	uint8_t core;                 /* a CPU's: what that is of a hybrid, by CPUID; 0: none */

	/* Of its events, how many: what need not be looked at where there are none. */
	unsigned nevents;
	unsigned nsoftware;   /* need no counter */
	unsigned nbound;      /* count with some tasks, or on some CPUs only */
	unsigned nswitch;     /* are told of switches */
	unsigned frequencies; /* have a period that adjusts itself */
	uint64_t throttled;   /* are held */

	/* pmu/core/exchange.c: the same as that of contexts with events alike, 0: not known; and
	 * these.
	 */
	uint64_t shape;
	struct pmu_event *order[PMU_EXCHANGE_MOST];

	struct pmu_event *paged; /* those with a control page */
	int last_cpu;            /* where it was active last; -1: it never was */
	uint64_t away;           /* pmu.away there, when it was left */
	uint64_t slice_end;      /* when the next groups have their turn; 0: none waits */
	uint64_t slice_left;     /* ns of the slice in which the task stopped; 0: of none */
};

/* What events of tasks that are gone counted for the event that they were inherited from. */
struct pmu_totals {
	uint64_t count, enabled, running;
	struct pmu_slice_sums slices;
	struct pmu_books books;
};

/* A part of an AUX area that no PERF_RECORD_AUX tells of yet. */
struct pmu_aux_untold {
	bool pending;
	uint64_t offset, size, flags;
};

/* How an inherited event belongs to the one that was opened. Within operations only. */
struct pmu_family {
	struct pmu_event *ancestor; /* NULL: it was opened */
	struct pmu_event *children; /* of those that were opened: all, however far down */
	struct pmu_event *next_child;
	struct pmu_totals gone;
	struct pmu_value sum; /* while it is read with them, by what reads it */
	bool sum_failed;      /* it was in error then */
};

/* How often it samples: core/rate.c, and the handler that serves its overflows. */
struct pmu_event_rate {
	uint64_t interval;   /* ns from sample to sample that its frequency means; 0: a period */
	uint64_t overflowed; /* when it did last, where it has a frequency */
	uint64_t tick_count; /* `count` and `times.running` at the last tick */
	uint64_t tick_running;
	uint64_t overflow_away, tick_away; /* pmu.away at both: on the clock pauses count, too */
	uint32_t burst;                    /* overflows since */
	uint64_t burst_since;              /* ... then */
	uint64_t unthrottle_at;            /* when it may sample again */
	bool throttled;
};

/* Times in ns: changed while paused, by the CPU that has the context. */
struct pmu_event_times {
	uint64_t enabled, running;
	uint64_t stamp; /* when they were last brought up to date */
};

/*
 * Output: worked out when the event is opened or redirected, while it is paused; the handler that
 * serves its overflows reads it, and only the books and what AUX records told change there. With a
 * handler of its own, an overflow is no sample, and in no books.
 */
struct pmu_event_out {
	void (*on_overflow)(struct pmu_event *e, const struct pmu_regs *regs); /* NMI context */
	void (*notify)(struct pmu_event *opened, bool at_limit); /* pmu_event_set_notify() */
	struct rb *rb;
	uint8_t way;            /* from an overflow to its sample: enum pmu_way */
	uint32_t wakeup_events; /* samples in the ring from one wakeup to the next; 0: by bytes */
	uint64_t sample_header; /* struct perf_event_header of ring 0's samples without parts */
	uint64_t fields; /* PERF_SAMPLE_ bits that its kind gives, beside those that all have */
	uint16_t sample_size;  /* bytes of a SAMPLE record, without its parts of varying size */
	uint32_t parts;        /* fields of more than a word in its samples: see sample_parts.c */
	uint16_t trailer_size; /* bytes of sample_id at the end of the other records */
	struct pmu_aux_untold aux_untold;
	bool aux_truncated; /* what is missing at the end of the area was told, or waits to be */
	bool itrace_told;   /* there is a PERF_RECORD_ITRACE_START of it */
	uint64_t lost_reported; /* of books.lost, by LOST_SAMPLES records */
};

struct pmu_event {
	struct perf_event_attr attr;
	const char *name; /* for people; may be NULL */
	const struct pmu_class *class;
	const struct uarch *uarch;   /* hardware events: they count on this kind of CPU only */
	struct pmu_context *context; /* NULL: closed */
	int cpu;                     /* of a task's event: only there; -1: wherever the task runs */
	uint32_t set;                /* of a CPU's event: only for tasks of it; 0: for all */
	struct pmu_event *leader;
	struct pmu_event *next_sibling; /* of a leader: its first sibling */
	struct pmu_event *next_leader;  /* in its context's list */
	struct pmu_event *next_timed;   /* of clock events with a period that count now */
	enum pmu_state state;
	uint64_t id;        /* of what was opened: inherited events have their ancestor's */
	uint64_t stream_id; /* its own */

	struct pmu_family family;

	/* Tracepoints: which one. */
	const struct trace_event *tracepoint;
	const struct pmu_filter *filter; /* NULL: every hit counts */
	struct pmu_event *next_active;   /* of those that count here now: also of other kinds */

	struct pmu_meter meter;         /* of events that an MSR counts */
	struct pmu_event *next_metered; /* of those that could wrap and count now */

	/* Hardware events: what goes into the control register, and where it may count. */
	uint64_t config;
	/* The register that it needs beside its counter, and the other that will do; NULL: none. */
	const struct uarch_extra *extra, *other_extra;
	uint8_t truth; /* enum truth: what kind of number its count is */
	uint8_t reg;   /* that its counter goes by, when it needs one: enum uarch_register */
	const struct uarch_setting *setting; /* how its counter may be set; NULL: at will */
	bool branches;                       /* its samples have the last branches */
	bool pebs;                           /* precise: samples come from PEBS records */
	uint8_t borrowed; /* by the firmware, while it counted there: a counter, and 1 more; 0: none
			   */
	const struct pmu_place *place; /* the last one; NULL: it was nowhere yet */

	/* What the scheduler knows of it. */
	struct pmu_tick_group group; /* leaders */
	struct pmu_tick_event tick;

	/* The count. */
	uint64_t count;
	uint64_t prev;   /* the counter, or the clock, when `count` was last brought up to date */
	uint64_t period; /* 0: counting only */
	uint64_t reload; /* precise: what the CPU sets the counter to behind each record */
	uint64_t this_period; /* the one that `left` counts down */
	uint64_t
		last_period; /* occurrences from the overflow before the last one to the last one */
	int64_t left;        /* until the next overflow */
	uint64_t limit;      /* overflows until it disables itself; 0: never */

	struct pmu_event_rate rate;
	struct pmu_event_times times;
	bool hung_up;       /* it came to its limit, and was not enabled since; any CPU looks */
	uint64_t limit_hit; /* when `limit` came to 0; 0: it did not. Off from then on */

	struct pmu_slices slices;

	struct perf_event_mmap_page *page; /* its control page; NULL: none */
	struct pmu_event *next_paged;      /* in its context */

	struct pmu_event_out out;
	struct pmu_books books; /* its own: pmu_event_books() has those of all that it inherited */
};

#endif
