/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evfile.h - reads the event files that Intel publishes for its CPUs, unchanged. A file is JSON: an
 * array of events, or an object with such an array under "Events". Values are text, even for
 * numbers; JSON numbers are accepted, too. Members other than those below are ignored.
 *
 * An event may have several encodings, each with a register of its own (off-core response).
 * `select` and `msr` then have one entry for each. Counter masks are those of pmu/uarch/uarch.h:
 * general counters from bit 0, fixed ones from bit 32.
 */
#ifndef TOOLS_EVENTS_EVFILE_H
#define TOOLS_EVENTS_EVFILE_H

#include "lib/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVFILE_WAYS 4

enum evfile_pebs { EVFILE_NOT_PRECISE, EVFILE_CAN_BE_PRECISE, EVFILE_ONLY_PRECISE };

struct evfile_event {
	char *name;        /* "L1D_PEND_MISS.PENDING" */
	char *description; /* one sentence; "" if the file has none */
	/* Layout of IA32_PERFEVTSELx: code, umask, edge, any, inv, cmask, and umask2 in 47:40. */
	uint64_t select[EVFILE_WAYS];
	uint32_t msr[EVFILE_WAYS]; /* 0: no register is needed */
	unsigned ways;             /* 1 to EVFILE_WAYS */
	uint64_t msr_value;
	uint64_t counters[2]; /* with hyper-threading off, and on; never 0 */
	enum evfile_pebs pebs;
	bool taken_alone; /* no other event may count at the same time */
	bool deprecated;
};

struct evfile {
	struct evfile_event *events; /* in the file's order */
	size_t n;
	char *info;   /* target in the file's header; NULL: none */
	uint8_t core; /* UARCH_CORE or UARCH_ATOM, from its events' units; 0: unknown */
};

/*
 * evfile_read() - reads the events of the file at `path`. evfile_parse() - reads them from `size`
 * bytes of text; `path` is its name in the reason. Both return 0, or an error with the reason and
 * nothing to free. Errors are -errno of opening and reading, -EFBIG (over 256 MiB), and -EINVAL.
 * -EINVAL means no JSON, or no event file of a core's PMU; the reason names the event.
 */
int evfile_read(struct evfile *file, const char *path, struct reason *why);
int evfile_parse(struct evfile *file, const char *path, const char *text, size_t size,
		 struct reason *why);

void evfile_free(struct evfile *file);

/*
 * evfile_config() - returns perf_event_attr.config of the event. That is `select`, except for the
 * codes that files give to fixed counters. Those become general events that count the same:
 * INST_RETIRED.ANY 0xc0, CPU_CLK_UNHALTED.THREAD and .CORE 0x3c.
 */
uint64_t evfile_config(const struct evfile_event *event);

/* evfile_find() - returns the first event with that name, regardless of case; NULL: none. */
const struct evfile_event *evfile_find(const struct evfile *file, const char *name);

#endif
