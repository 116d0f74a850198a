// SPDX-License-Identifier: BSD-2-Clause
/* auxtrace.c - see auxtrace.h. */
#include "tools/out/auxtrace.h"

#include <string.h>

#include "pmu/names/step_trace.h"

enum { RECORD_AUXTRACE_INFO = 70, RECORD_AUXTRACE = 71, RECORD_TIME_CONV = 79 };

#define AUXTRACE_INTEL_PT 1
#define TRACE_ALIGN       8 /* PAD packets, which are zeros, fill the rest */
#define ANY               UINT32_MAX

struct auxtrace_info {
	struct perf_event_header header;
	uint32_t type, reserved;
	/* The words from here on belong to Intel PT. */
	uint64_t pmu_type;
	uint64_t time_shift, time_mult, time_zero, cap_user_time_zero;
	uint64_t tsc_bits, noretcomp_bits; /* masks in attr.config */
	uint64_t have_sched_switch;        /* see switches_of() */
	uint64_t snapshot_mode;
	uint64_t per_cpu_mmaps; /* 0: each trace belongs to a thread, not to a CPU */
	uint64_t mtc_bits, mtc_freq_bits, tsc_ctc_n, tsc_ctc_d, cyc_bits; /* not written */
	uint64_t max_nonturbo_ratio;                                      /* no CBR packets */
	uint64_t filter_length;
};
_Static_assert(sizeof(struct auxtrace_info) == 16 + 17 * 8, "INTEL_PT_AUXTRACE_PRIV_MAX");

struct auxtrace {
	struct perf_event_header header;
	uint64_t size, offset;
	uint64_t reference; /* TSC whose upper bits complete the trace's 56 bits */
	uint32_t index, tid, cpu, reserved;
};
_Static_assert(sizeof(struct auxtrace) == 48, "as perf has it");

struct time_conv {
	struct perf_event_header header;
	uint64_t time_shift, time_mult, time_zero;
	uint64_t time_cycles, time_mask; /* for a clock that is narrower than 64 bits */
	uint8_t cap_user_time_zero, cap_user_time_short;
	uint8_t reserved[6];
};
_Static_assert(sizeof(struct time_conv) == 56, "as perf has it");

static const struct perf_event_attr *aux_event_attr(const struct stream_command *command,
						    uint64_t id)
{
	const struct stream_event *event = stream_event_of_id(command, id, NULL);

	return event ? &event->attr : &command->events[0].attr;
}

/* Returns the part's CPU. A frame numbers only the first CPUs. */
static uint32_t aux_part_cpu(const struct stream_command *command, const struct stream_aux *part)
{
	uint16_t cpu = WIRE_ANY_CPU;

	stream_event_of_id(command, part->head.id, &cpu);
	return cpu != WIRE_ANY_CPU ? cpu : part->cpu;
}

/*
 * How perf finds the task that occupies a CPU: by the SWITCH records of tasks and of CPUs. A trace
 * of a single task does not need them.
 */
enum { SWITCH_NONE = 0, SWITCH_RECORDS = 2 };

static uint64_t switches_of(const struct stream_command *command, const struct wire_aux *head)
{
	return !head->tid && aux_event_attr(command, head->id)->context_switch ? SWITCH_RECORDS
									       : SWITCH_NONE;
}

void auxtrace_add_info(struct buf *out, const struct stream_command *command)
{
	const struct wire_aux *head;

	if (!command->naux)
		return;
	head = &command->aux[0].last;
	const struct auxtrace_info info = {
		.header = {.type = RECORD_AUXTRACE_INFO, .size = sizeof(info)},
		.type = AUXTRACE_INTEL_PT,
		.pmu_type = aux_event_attr(command, head->id)->type,
		.time_shift = head->time_shift,
		.time_mult = head->time_mult,
		.time_zero = head->time_zero,
		.cap_user_time_zero = 1,
		.tsc_bits = 1u << STEP_TRACE_TSC_BIT,
		.noretcomp_bits = 1u << STEP_TRACE_NORETCOMP_BIT,
		.have_sched_switch = switches_of(command, head),
		.snapshot_mode = head->flags & WIRE_AUX_SNAPSHOT ? 1 : 0,
		.per_cpu_mmaps = !head->tid,
	};
	const struct time_conv time = {
		.header = {.type = RECORD_TIME_CONV, .size = sizeof(time)},
		.time_shift = head->time_shift,
		.time_mult = head->time_mult,
		.time_zero = head->time_zero,
		.time_mask = UINT64_MAX,
		.cap_user_time_zero = 1,
	};

	buf_add(out, &info, sizeof(info));
	buf_add(out, &time, sizeof(time));
}

static void add_part(struct buf *out, const struct stream_command *command,
		     const struct stream_aux *part)
{
	struct auxtrace record = {
		.header = {.type = RECORD_AUXTRACE, .size = sizeof(record)},
		.size = (part->bytes.size + TRACE_ALIGN - 1) & ~(uint64_t)(TRACE_ALIGN - 1),
		.offset = part->head.offset,
		.reference = part->head.tsc,
		.index = aux_part_cpu(command, part),
		.tid = part->head.tid ? part->head.tid : ANY,
		.cpu = part->head.tid ? ANY : aux_part_cpu(command, part),
	};
	size_t start;

	buf_add(out, &record, sizeof(record));
	start = out->size;
	buf_add(out, part->bytes.data, part->bytes.size);
	buf_pad(out, start, TRACE_ALIGN);
}

void auxtrace_add_data(struct buf *out, const struct stream_command *command)
{
	for (size_t i = 0; i < command->naux; i++)
		if (command->aux[i].bytes.size) {
			add_part(out, command, &command->aux[i]);
			buf_settle(out, false);
		}
}
