/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.h - one event: its attributes, how it is counted, and its count. The caller provides the
 * storage. Only the event core writes the members; other code may read them.
 *
 * Invariant: the `leader` of a group of one is the event itself. Only a leader has siblings, and
 * only a leader has the scheduler's group. Counting: value = count + (counter - prev), modulo the
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

/* The path from an overflow to its sample. */
enum pmu_way {
	PMU_WAY_LONG,  /* any output */
	PMU_WAY_WORDS, /* only a ring, and sample fields of one word each */
	PMU_WAY_CHAIN, /* the same, and call chains */
};

enum pmu_state {
	PMU_STATE_ERROR,    /* pinned, and found no counter; stays so until enabled again */
	PMU_STATE_OFF,      /* disabled */
	PMU_STATE_INACTIVE, /* enabled, not on a counter */
	PMU_STATE_ACTIVE,   /* counting */
};

/* The values that read(2) of a perf event can return, for any attr.read_format. */
struct pmu_value {
	uint64_t value;        /* occurrences; ns for clocks */
	uint64_t time_enabled; /* ns, without the time in which counting was paused for a change */
	uint64_t time_running; /* ns on a counter; 0: <not counted> */
	uint64_t id;
	uint64_t lost; /* lost samples */
};

/* The balance of samples. Invariant: overflows = written + lost + refused. */
enum pmu_verdict {
	PMU_WRITTEN, /* the sample is in the ring */
	PMU_LOST,    /* no room in the ring */
	PMU_REFUSED, /* no ring at all */
	PMU_VERDICTS
};
struct pmu_books {
	uint64_t overflows; /* overflows of a counter with a sample period */
	union {
		struct {
			uint64_t written, lost, refused;
		};
		uint64_t verdicts[PMU_VERDICTS]; /* the same, by enum pmu_verdict */
	};
};

/* The place where a hardware event counts. `counter` and `control` are MSR numbers. */
struct pmu_place {
	unsigned index;   /* bit in counter masks: general from 0, fixed from 32 */
	uint32_t rdpmc;   /* ECX of RDPMC */
	uint32_t counter; /* MSR of the count */
	uint32_t control; /* MSR of the event select; fixed counters share one */
	uint32_t enable;  /* enable bits of `control` beside the event select; 0: the driver knows
			     them */
	uint64_t sign;    /* the counter's top bit */
};

/* An MSR that counts by itself: pmu/x86/meter.h. */
struct pmu_meter {
	uint32_t msr;
	uint32_t control;    /* MSR that selects and enables the event; 0: always counting */
	uint8_t width;       /* valid bits of the count */
	uint8_t shift;       /* one step of the MSR is 2^shift of the event */
	uint64_t refresh_ns; /* time in which it cannot wrap; 0: it never wraps */
};

/* A slice: the event counted without a gap, for a time slice or its rest. */
struct pmu_slice {
	uint64_t from;  /* ns of the event's own enabled time */
	uint64_t ns;    /* ns of counting */
	uint64_t count; /* occurrences in that time */
};

/* The recorded slices of an event and of all that inherits from it. */
struct pmu_slice_log {
	struct pmu_slice *slot;
	uint32_t size;
	uint32_t n; /* number of slices; only the first `size` are stored */
};

/* Sums over the slices of one event, or of several events that the user sees as one. */
struct pmu_slice_sums {
	uint64_t n, pairs;       /* slices; slices with a predecessor */
	uint64_t count, running; /* occurrences and ns in them */
	uint64_t enabled,
		blind; /* ns enabled; of events with slices, and of events that never counted */
	unsigned __int128 filled;  /* occurrences in the gaps between slices, times 2^32 */
	unsigned __int128 weights; /* ns: the first factor of the variance */
	unsigned __int128 changes; /* squared changes of the rate from slice to slice, times 2^64 */
};

/* The previous slice. */
struct pmu_edge {
	uint64_t count, ns; /* its occurrences and length; ns 0: there is no previous slice */
	uint64_t rate;      /* occurrences per ns, times 2^32 */
	uint64_t stands;    /* its part of the gap in front of it, in ns */
};

/* The course of an event's rate, over the slices in which it counted: see slices.c. */
struct pmu_slices {
	/*
	 * At the begin of the present slice: the event's count and running time, the time that it
	 * had waited, and the part of that since the slice before.
	 */
	uint64_t count, running, waited, gap;
	uint64_t series; /* the spans that its slices are: pmu/state/slices.h; 0: they are not */
	uint64_t since_count, since_running, since; /* count and times when recording began */
	struct pmu_edge last;
	struct pmu_slice_sums sums; /* pairs, count, running and enabled are set at the end only */
	struct pmu_slice_log *log;  /* NULL: slices are not recorded */
};

#define PMU_EXCHANGE_MOST 16 /* events of a context that can be exchanged with those of another */

/*
 * The events of one target: a task, or a CPU whatever runs on it. An active context belongs to the
 * CPU on which it is active. Any other context belongs to the CPU that holds its lock (remote.c).
 */
struct pmu_context {
	int cpu;          /* the CPU on which it is active; -1: none. pmu_where() reads it */
	struct lock lock; /* protects the context while it is active nowhere */
	struct pmu_event *leaders;    /* group leaders in the order of opening */
	struct pmu_tick_context tick; /* the groups as the scheduler sees them */
	struct pmu_task *task;        /* NULL: a CPU's context */
	bool active;                  /* its events may count now, and their time advances */
	uint8_t core; /* a CPU's context: core type of a hybrid CPU, by CPUID; 0: not hybrid */

	/* Numbers of its events, by which code skips work that no event needs. */
	unsigned nevents;
	unsigned nsoftware;   /* events that need no counter */
	unsigned nbound;      /* events that count for some tasks or on some CPUs only */
	unsigned nswitch;     /* events with records of switches */
	unsigned frequencies; /* events with a frequency */
	uint64_t throttled;   /* throttled events */

	/*
	 * pmu/core/exchange.c: contexts with equal events have equal numbers, 0: unknown; and these
	 * events.
	 */
	uint64_t shape;
	struct pmu_event *order[PMU_EXCHANGE_MOST];

	struct pmu_event *paged; /* events with a control page */
	int last_cpu;            /* the CPU on which it was active last; -1: none yet */
	uint64_t away;           /* pmu.away of that CPU, when the context was left */
	uint64_t slice_end;      /* end of the slice; 0: no group waits */
	uint64_t slice_left;     /* ns left of the slice in which the task stopped; 0: none */
};

/* The counts of ended tasks, which belong to the event that their events were inherited from. */
struct pmu_totals {
	uint64_t count, enabled, running;
	struct pmu_slice_sums slices;
	struct pmu_books books;
};

/* A part of an AUX area that no PERF_RECORD_AUX covers yet. */
struct pmu_aux_untold {
	bool pending;
	uint64_t offset, size, flags;
};

/* The relation of an inherited event to the opened one. Valid only within operations. */
struct pmu_family {
	struct pmu_event *ancestor; /* the opened event; NULL: this event was opened */
	struct pmu_event *children; /* opened events: all descendants */
	struct pmu_event *next_child;
	struct pmu_totals gone;
	struct pmu_value sum; /* scratch of the code that reads an event with its descendants */
	bool sum_failed;      /* the event was in error then */
};

/* The sample rate: core/rate.c, and the handler of its overflows. */
struct pmu_event_rate {
	uint64_t interval;   /* ns between samples at its frequency, or twice what a sample takes,
			      * if that is more; 0: it has a period */
	uint64_t overflowed; /* time of the last overflow, for a frequency */
	uint64_t tick_count; /* `count` and `times.running` at the last tick */
	uint64_t tick_running;
	uint64_t overflow_away, tick_away; /* pmu.away at both times: the clock includes pauses */
	uint32_t burst;                    /* overflows since burst_since */
	uint64_t burst_since;              /* start of the burst */
	uint64_t unthrottle_at;            /* time at which throttling ends */
	bool throttled;
};

/* Times in ns. The CPU that owns the context changes them, while paused. */
struct pmu_event_times {
	uint64_t enabled, running;
	uint64_t stamp; /* time of the last update */
};

/*
 * Output. Computed when the event is opened or redirected, while it is paused. The handler of its
 * overflows reads it, and changes only the books and the state of AUX records. An overflow with a
 * handler of its own makes no sample and is in no books.
 */
struct pmu_event_out {
	void (*on_overflow)(struct pmu_event *e, const struct pmu_regs *regs); /* NMI context */
	void (*notify)(struct pmu_event *opened, bool at_limit); /* pmu_event_set_notify() */
	struct rb *rb;
	uint8_t way;            /* enum pmu_way */
	uint8_t quick;          /* enum pmu_way, where its samples take the shortest path: see
				   record_sample.h; PMU_WAY_LONG: they do not */
	uint32_t wakeup_events; /* samples from one wakeup to the next; 0: by bytes */
	uint64_t sample_header; /* struct perf_event_header of a ring 0 sample without parts */
	uint64_t user_header;   /* the same of ring 3 */
	uint64_t fields;        /* PERF_SAMPLE_ bits of fields that the event's kind provides */
	uint16_t sample_size;   /* bytes of a SAMPLE record without the parts of varying size */
	uint32_t parts;         /* sample fields of more than a word: see sample_parts.c */
	uint16_t trailer_size;  /* bytes of sample_id at the end of other records */
	struct pmu_aux_untold aux_untold;
	bool aux_truncated;     /* the missing end of the area has been reported, or will be */
	bool itrace_told;       /* a PERF_RECORD_ITRACE_START has been written */
	uint64_t lost_reported; /* the part of books.lost that LOST_SAMPLES records contain */
};

struct pmu_event {
	struct perf_event_attr attr;
	const char *name; /* for messages; may be NULL */
	const struct pmu_class *class;
	const struct uarch *uarch;   /* hardware events: count on this type of CPU only */
	struct pmu_context *context; /* NULL: the event is closed */
	int cpu;                     /* task's event: counts on this CPU only; -1: on any */
	uint32_t set; /* CPU's event: counts for tasks of this set only; 0: for all */
	struct pmu_event *leader;
	struct pmu_event *next_sibling; /* leader: its first sibling */
	struct pmu_event *next_leader;  /* next in its context's list */
	struct pmu_event *next_timed;   /* list of clock events with a period that count now */
	enum pmu_state state;
	uint64_t id;        /* an inherited event has the id of its ancestor */
	uint64_t stream_id; /* always its own */

	struct pmu_family family;

	/* Tracepoint events. */
	const struct trace_event *tracepoint;
	const struct pmu_filter *filter; /* NULL: every hit counts */
	struct pmu_event
		*next_active; /* list of the events that count here now; also used by other kinds */

	struct pmu_meter meter;         /* events that an MSR counts */
	struct pmu_event *next_metered; /* list of meters that could wrap and count now */

	/*
	 * Hardware events: the value of the control register, and the places where the event may
	 * count.
	 */
	uint64_t config;
	/* The register that it needs beside its counter, and an alternative; NULL: none. */
	const struct uarch_extra *extra, *other_extra;
	uint8_t truth; /* enum truth: accuracy class of its count */
	uint8_t reg;   /* enum uarch_register: the register beside its counter, by the counter */
	const struct uarch_setting *setting; /* constraint on the counter's value; NULL: none */
	bool branches;                       /* its samples contain the last branches */
	bool pebs;                           /* precise: its samples come from PEBS records */
	uint8_t reads_plainly; /* true: on a counter it has no values but its count, which RDPMC
				  gives */
	uint8_t borrowed; /* number of the counter that the firmware took from it, plus 1; 0: none
			   */
	const struct pmu_place *place; /* its present or last place; NULL: none yet */

	/* State of the scheduler. */
	struct pmu_tick_group group; /* used by leaders */
	struct pmu_tick_event tick;

	/* The count. */
	uint64_t count;
	uint64_t prev;        /* value of the counter or clock at the last update of `count` */
	uint64_t period;      /* 0: counting only */
	uint64_t reload;      /* precise: the CPU sets the counter to this after each record */
	uint64_t this_period; /* the period that `left` counts down */
	uint64_t last_period; /* occurrences between the last two overflows */
	int64_t left;         /* occurrences until the next overflow */
	uint64_t limit;       /* overflows until it disables itself; 0: unlimited */

	struct pmu_event_rate rate;
	struct pmu_event_times times;
	bool hung_up;       /* it reached its limit and was not enabled since; any CPU reads it */
	uint64_t limit_hit; /* time when `limit` reached 0; 0: it did not. The event is off from
			       then on */

	struct pmu_slices slices;

	struct perf_event_mmap_page *page; /* control page; NULL: none */
	struct pmu_event *next_paged;      /* next with a page in its context */

	struct pmu_event_out out;
	struct pmu_books
		books; /* its own balance; pmu_event_books() adds that of inherited events */
};

#endif
