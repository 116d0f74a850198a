/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evfile.h - reads the event files that Intel publishes for its CPUs, as they are: JSON, an array
 * of events or an object with one under "Events". Values are text even where they are numbers, and
 * numbers are taken, too; what a file says beyond the members below is left alone.
 *
 * An event may have several ways to it, each with a register of its own (off-core response):
 * `select` and `msr` then have as many entries, which belong together. Counter masks are those of
 * pmu/uarch/uarch.h: general counters from bit 0, fixed ones from bit 32.
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
	char *description; /* one sentence; "" when there is none */
	/* As in IA32_PERFEVTSELx: code, umask, edge, any, inv, cmask, umask2 in 47:40. */
	uint64_t select[EVFILE_WAYS];
	uint32_t msr[EVFILE_WAYS]; /* 0: needs no register */
	unsigned ways;             /* 1 to EVFILE_WAYS */
	uint64_t msr_value;
	uint64_t counters[2]; /* with hyper-threading off, on; never 0 */
	enum evfile_pebs pebs;
	bool taken_alone; /* no other event beside it */
	bool deprecated;
};

struct evfile {
	struct evfile_event *events; /* in the file's order */
	size_t n;
	char *info;   /* of its header: what it is for; NULL: it has none */
	uint8_t core; /* UARCH_CORE, UARCH_ATOM by its events' units; 0: they name neither */
};

/*
 * evfile_read() - the events of the file at `path`; evfile_parse() - of `size` bytes of text, which
 * `path` names in the reason. Returns 0, or with the reason and nothing to free: -errno of opening
 * and reading, -EFBIG (over 256 MiB), -EINVAL (not JSON, or not an event file of a core's PMU;
 * the reason names the event).
 */
int evfile_read(struct evfile *file, const char *path, struct reason *why);
int evfile_parse(struct evfile *file, const char *path, const char *text, size_t size,
		 struct reason *why);

void evfile_free(struct evfile *file);

/*
 * evfile_config() - perf_event_attr.config of it: `select`, and for what files give the code of a
 * fixed counter, the event that counts the same: INST_RETIRED.ANY 0xc0, CPU_CLK_UNHALTED.THREAD
 * and .CORE 0x3c.
 */
uint64_t evfile_config(const struct evfile_event *event);

/* evfile_find() - the first event with that name, in any case of letters, or NULL. */
const struct evfile_event *evfile_find(const struct evfile *file, const char *name);

#endif
