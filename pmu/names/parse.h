/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse.h - perf's event syntax:
 *
 *      list     = item { "," item }
 *      item     = event | [ name ] "{" event { "," event } "}" [ ":" modifiers ]
 *      event    = base [ ":" modifiers | "/" [ setting { "," setting } ] "/" [ modifiers ] ]
 *               | pmu "/" term { "," term } "/" [ modifiers ]
 *               | dynamic "/" [ field { "," field } ] "/" [ modifiers ]
 *               | "mem:" n [ "/" n ] [ ":" { "r" | "w" | "x" } ] [ ":" modifiers ]
 *      base     = name of an event, one of Intel's (intel.h) among them | "r" [ "0x" ] hex | type
 * ":" config | system ":" tracepoint | system ":" pattern (* ? [...]; not in groups) pmu      =
 * "cpu", and on hybrids "cpu_core" | "cpu_atom" dynamic  = name of a PMU of dynamic.h; field = name
 * of one of its fields [ "=" n ] | "config=" n setting  = "config1=" n | "config2=" n |
 * "offcore_rsp=" n | "ldlat=" n | "frontend=" n | "name=" ( word | "'" text "'" ) | "period=" n |
 * "freq=" n | "inherit" | "no-inherit" term     = setting | "event=" n | "umask=" n | "cmask=" n |
 * "inv" | "edge" | "any" | "pc" | "in_tx" | "in_tx_cp" (also with "=0" and "=1") | "config=" n |
 * "r" [ "0x" ] hex | name of a hardware event | "mem-loads" | "mem-stores" (of Intel's) modifiers =
 * { "u" | "k" | "h" | "G" | "H" | "p" | "P" | "D" | "e" | "S" | "W" | "I" }
 *
 * A name of an event that ends in a slash takes modifiers behind it without a colon.
 * Numbers are decimal or 0x hexadecimal. Blanks may stand around events, braces, terms and colons
 * before modifiers. A field beside the name of an event replaces what the event has there. Portable
 * and pure: no machine, no state, any context. Whether a machine can count what was parsed is
 * pmu_event_open()'s to say.
 */
#ifndef PMU_NAMES_PARSE_H
#define PMU_NAMES_PARSE_H

#include "pmu/uarch/uarch.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PMU_SPEC_NAME_MAX  96
#define PMU_GROUP_NAME_MAX 32
#define PMU_NO_GROUP       (-1)

struct pmu_event_spec {
	char name[PMU_SPEC_NAME_MAX]; /* as written, with its modifiers: "instructions:u" */
	/* type, config*, bp_*, exclude_*, precise_ip, pinned, exclusive; sample_period or
	 * sample_freq; PERF_SAMPLE_READ for S */
	struct perf_event_attr attr;
	uint8_t core; /* UARCH_CORE, UARCH_ATOM: its PMU was named so; 0: of whichever core */
	/* Of a hybrid, an event by its name, which the kinds of cores have one by one: with what
	 * config*, where those beside the first have it. */
	bool by_name, is_beside;
	uint64_t beside_config, beside_config1;
	bool of_each; /* made of one that named none: evset_kinds_split() */
	int group; /* from 0, counting braces; events of one group are neighbours, leader first */
	char group_name[PMU_GROUP_NAME_MAX]; /* "": it has none */
	bool more;                           /* named by the same pattern as the one before it */
	bool weak;         /* W: where the group does not fit, its events count alone */
	bool most_precise; /* P: precise_ip is the most that there is; less will do */
};

struct pmu_parse_error {
	size_t column;  /* from 1 */
	char text[320]; /* one sentence, no full stop */
};

/*
 * pmu_parse_events() - fills `out`, room for `max`, and returns how many. -EINVAL: `err` tells what
 * is wrong, and in which column; -E2BIG: more than `max` events. `out` is undefined then.
 */
int pmu_parse_events(const char *text, struct pmu_event_spec *out, size_t max,
		     struct pmu_parse_error *err);

/*
 * What is known beside the generic names; zero: nothing.
 *
 * find() is asked for what is no generic and no raw event, and of which cores of a hybrid it is to
 * be (`core`; 0: none were named). `text` has `n` characters, as far as the
 * next comma, brace, slash or blank. Returns 1 and fills in type, config* and, where the name
 * itself says so, exclude_user and exclude_kernel of `attr`, and in `*taken` how many characters
 * are the name (the rest must be ":" and modifiers); 0: not mine; -EINVAL: mine, but wrong, and why
 * in `err->text`.
 *
 * tracepoint() is asked for the `n` characters "system:name" when no other kind of event has that
 * name: returns whether there is such a tracepoint, and its id for attr.config. matching() is asked
 * for names with * ? or [...] among them: returns whether there is a tracepoint `index` among those
 * that match, in order, its name, which stays until it is asked again, and its id. (NULL: patterns
 * are refused)
 */
struct pmu_namer {
	int (*find)(void *ctx, uint8_t core, const char *text, size_t n,
		    struct perf_event_attr *attr, size_t *taken, struct pmu_parse_error *err);
	void *ctx;
	bool (*tracepoint)(void *ctx, const char *text, size_t n, uint64_t *id);
	bool (*matching)(void *ctx, const char *text, size_t n, size_t index, const char **name,
			 uint64_t *id);
	const struct uarch *uarch; /* has the events: for fields beside generic ones, and hybrids */
	uint8_t core;              /* the parser's own */
	bool one_kind;             /* of a hybrid the cores of `uarch` alone are meant */
};

/* pmu_parse_events_named() - the same, with the names that `namer` knows; NULL: none. */
int pmu_parse_events_named(const char *text, const struct pmu_namer *namer,
			   struct pmu_event_spec *out, size_t max, struct pmu_parse_error *err);

/* pmu_list_excerpt() - of a list, what lies about `column` (from 1) where the list is long, for a
 * sentence that tells what is wrong there. */
#define PMU_EXCERPT_MAX 120
void pmu_list_excerpt(char text[PMU_EXCERPT_MAX], const char *list, size_t column);

/*
 * Times of the run, as perf has them beside events of PMUs: duration_time, user_time and
 * system_time, in ns. Their attr is that of a dummy, with the number of the time in config1; the
 * command that measures the run puts the value in. pmu_run_time() - which of them the attr means.
 */
enum pmu_run_time { PMU_RUN_NONE, PMU_RUN_ELAPSED, PMU_RUN_USER, PMU_RUN_SYSTEM, PMU_RUN_TIMES };
enum pmu_run_time pmu_run_time(const struct perf_event_attr *attr);

/* pmu_run_time_name() - "duration_time"; NULL: `time` is none. */
const char *pmu_run_time_name(enum pmu_run_time time);

/* A name that the parser knows. */
struct pmu_event_name {
	const char *name;
	const char *alias; /* NULL: none */
	uint32_t type;     /* PERF_TYPE_HARDWARE, PERF_TYPE_SOFTWARE or PERF_TYPE_HW_CACHE */
	uint64_t config;
};

/* pmu_event_names() - the names one by one, for lists; NULL past the last one. */
const struct pmu_event_name *pmu_event_names(size_t index);

/*
 * pmu_event_name_find() - the generic event that `n` characters at `text` name: one of the list,
 * its alias, or a cache event put together from words ("L1-dcache-load-misses", "l1d-loads",
 * "LLC-write-miss"). False: there is none.
 */
bool pmu_event_name_find(const char *text, size_t n, uint32_t *type, uint64_t *config);

#endif
