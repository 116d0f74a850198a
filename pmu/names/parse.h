/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse.h - perf's event syntax:
 *
 *   list      = item { "," item }
 *   item      = event | [ name ] "{" event { "," event } "}" [ ":" modifiers ]
 *   event     = base [ ":" modifiers | "/" [ setting { "," setting } ] "/" [ modifiers ] ]
 *             | pmu "/" term { "," term } "/" [ modifiers ]
 *             | dynamic "/" [ field { "," field } ] "/" [ modifiers ]
 *             | "mem:" n [ "/" n ] [ ":" { "r" | "w" | "x" } ] [ ":" modifiers ]
 *   base      = name of an event (generic, or of Intel: intel_names.h) | "r" [ "0x" ] hex
 *             | type ":" config | system ":" tracepoint
 *             | system ":" pattern (* ? [...]; not in groups)
 *   pmu       = "cpu", and on hybrids "cpu_core" | "cpu_atom"
 *   dynamic   = name of a PMU of dynamic.h
 *   field     = name of one of its fields [ "=" n ] | "config=" n
 *   setting   = "config1=" n | "config2=" n | "offcore_rsp=" n | "ldlat=" n | "frontend=" n
 *             | "name=" ( word | "'" text "'" ) | "period=" n | "freq=" n
 *             | "inherit" | "no-inherit"
 *   term      = setting | "event=" n | "umask=" n | "cmask=" n | "inv" | "edge" | "any" | "pc"
 *             | "in_tx" | "in_tx_cp" (also with "=0" and "=1") | "config=" n
 *             | "r" [ "0x" ] hex | name of a hardware event
 *             | "mem-loads" | "mem-stores" (Intel)
 *   modifiers = { "u" | "k" | "h" | "G" | "H" | "p" | "P" | "D" | "e" | "S" | "W" | "I" }
 *
 * The name of an event that ends in a slash takes modifiers behind it without a colon. Numbers are
 * decimal or 0x hexadecimal. Blanks may stand around events, braces, terms and colons before
 * modifiers. A field beside the name of an event replaces the event's own value. Portable and pure:
 * no machine, no state, any context. pmu_event_open() decides whether a machine can count the
 * event.
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
	char name[PMU_SPEC_NAME_MAX]; /* as written, with modifiers: "instructions:u" */
	/*
	 * type, config*, bp_*, exclude_*, precise_ip, pinned, exclusive; sample_period or
	 * sample_freq; PERF_SAMPLE_READ for S
	 */
	struct perf_event_attr attr;
	uint8_t core; /* UARCH_CORE, UARCH_ATOM: named by its PMU; 0: any core */
	/*
	 * On a hybrid, an event that was given by a name, which core types have one by one. With
	 * `is_beside` the other core type has it, too, with these config* values.
	 */
	bool by_name, is_beside;
	uint64_t beside_config, beside_config1;
	bool of_each; /* made from an event of any core: evset_kinds_split() */
	int group; /* number of the braces, from 0; events of a group are neighbours, leader first
		    */
	char group_name[PMU_GROUP_NAME_MAX]; /* "": no name */
	bool more;                           /* another match of the pattern of the event before */
	bool weak;         /* W: if the group does not fit, its events count alone */
	bool most_precise; /* P: precise_ip is the maximum; less is acceptable */
};

struct pmu_parse_error {
	size_t column;  /* counted from 1 */
	char text[320]; /* one sentence, no full stop */
};

/*
 * pmu_parse_events() - writes up to `max` events to `out` and returns their number. -EINVAL: `err`
 * has the reason and the column; -E2BIG: more than `max` events. `out` is undefined then.
 */
int pmu_parse_events(const char *text, struct pmu_event_spec *out, size_t max,
		     struct pmu_parse_error *err);

/*
 * The names beside the generic ones; zeros: none.
 *
 * find() is called for a name that is neither generic nor raw, with the core type of a hybrid
 * (`core`; 0: any). `text` has `n` characters, up to the next comma, brace, slash or blank. 1:
 * found; it sets type and config* of `attr`, exclude_user and exclude_kernel if the name implies
 * them, and the length of the name in `*taken`. The rest of the text must be ":" and modifiers. 0:
 * unknown; -EINVAL: wrong, with the reason in `err->text`.
 *
 * tracepoint() is called for the `n` characters "system:name" if no other event has that name. It
 * returns whether there is such a tracepoint, and its id for attr.config.
 *
 * matching() is called for names with * ? or [...]. It returns whether there is a match number
 * `index`, in order, with its id and its name, which is valid until the next call. (NULL: patterns
 * are refused)
 */
struct pmu_namer {
	int (*find)(void *ctx, uint8_t core, const char *text, size_t n,
		    struct perf_event_attr *attr, size_t *taken, struct pmu_parse_error *err);
	void *ctx;
	bool (*tracepoint)(void *ctx, const char *text, size_t n, uint64_t *id);
	bool (*matching)(void *ctx, const char *text, size_t n, size_t index, const char **name,
			 uint64_t *id);
	const struct uarch
		*uarch; /* has the events: for fields beside generic events, and for hybrids */
	uint8_t core;   /* set by the parser */
	bool one_kind;  /* only the cores of `uarch` of a hybrid count */
};

/* pmu_parse_events_named() - the same with the names of `namer`; NULL: none. */
int pmu_parse_events_named(const char *text, const struct pmu_namer *namer,
			   struct pmu_event_spec *out, size_t max, struct pmu_parse_error *err);

/* pmu_list_excerpt() - the part of a long list around `column` (from 1), for an error message. */
#define PMU_EXCERPT_MAX 120
void pmu_list_excerpt(char text[PMU_EXCERPT_MAX], const char *list, size_t column);

/*
 * Times of the run, which perf has beside the events of PMUs: duration_time, user_time and
 * system_time, in ns. Their attr is that of a dummy event with the number of the time in config1;
 * the command that measures the run sets the value. pmu_run_time() - the time that the attr means.
 */
enum pmu_run_time { PMU_RUN_NONE, PMU_RUN_ELAPSED, PMU_RUN_USER, PMU_RUN_SYSTEM, PMU_RUN_TIMES };
enum pmu_run_time pmu_run_time(const struct perf_event_attr *attr);

/* pmu_run_time_name() - for example "duration_time"; NULL: `time` is not valid. */
const char *pmu_run_time_name(enum pmu_run_time time);

/* A name that the parser knows. */
struct pmu_event_name {
	const char *name;
	const char *alias; /* NULL: none */
	uint32_t type;     /* PERF_TYPE_HARDWARE, PERF_TYPE_SOFTWARE or PERF_TYPE_HW_CACHE */
	uint64_t config;
};

/* pmu_event_names() - name number `index`, for lists; NULL past the last one. */
const struct pmu_event_name *pmu_event_names(size_t index);

/*
 * pmu_event_name_find() - the generic event that the `n` characters at `text` name: a name of the
 * list, its alias, or a cache event composed of words ("L1-dcache-load-misses", "l1d-loads",
 * "LLC-write-miss"). False: there is none.
 */
bool pmu_event_name_find(const char *text, size_t n, uint32_t *type, uint64_t *config);

#endif
