/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * option_rules.h - the valid combinations of options. The host tool and the image apply these rows
 * in order. A file that includes this one defines RULE(takers, relation, option, why, others...)
 * first.
 *
 *      EXCLUDES   `option` and any of the others cannot be given together
 *      NEEDS      with `option`, at least one of the others has to be given
 *
 * Facts of enum option_fact may stand in place of options. A rule with FACT_TRACES is applied only
 * when the events are known.
 */
#ifndef RULE
#define RULE(...)
#endif
// clang-format off

/* --- Host tool only --- */

RULE(TAKER_STAT, NEEDS, OPT_APPEND, "that is the file to add to", OPT_REPORT)
RULE(TAKERS_FORMS, EXCLUDES, OPT_FOLDED, "one form at a time",
	OPT_SPEEDSCOPE, OPT_TEXT, OPT_CSV, OPT_DECODE_JSON, OPT_SEPARATOR)
RULE(TAKERS_FORMS, EXCLUDES, OPT_SPEEDSCOPE, "one form at a time",
	OPT_TEXT, OPT_CSV, OPT_DECODE_JSON, OPT_SEPARATOR)
RULE(TAKERS_FORMS, EXCLUDES, OPT_TEXT, "one form at a time",
	OPT_CSV, OPT_DECODE_JSON, OPT_SEPARATOR)
RULE(TAKER_DECODE, EXCLUDES, OPT_DECODE_JSON, "one form at a time", OPT_CSV, OPT_SEPARATOR)

RULE(TAKER_USB, NEEDS, OPT_STICK_YES, "that is what would be asked", OPT_STICK_WRITE)

RULE(TAKERS_PROGRAMS, EXCLUDES, OPT_PROGRAM_PREFAULT, "one way or the other",
	OPT_PROGRAM_NO_PREFAULT)

RULE(TAKER_LINUX, EXCLUDES, OPT_LINUX_INITRD, "what programs find is in the one that is made",
	OPT_LINUX_SHARE, OPT_LINUX_MODULES, OPT_PROGRAM_FILE, OPT_PROGRAM_ROOT, OPT_PROGRAM_ENV,
	OPT_PROGRAM_KEEP_ENV, OPT_PROGRAM_CWD)
RULE(TAKER_LINUX, EXCLUDES, OPT_LINUX_SHARE, "COMMAND starts in that folder", OPT_PROGRAM_CWD)

RULE(TAKER_GATE, EXCLUDES, OPT_GATE_SHARD, "a baseline is of all benchmarks: `gate merge --update`",
	OPT_GATE_UPDATE)
RULE(TAKER_GATE, EXCLUDES, OPT_GATE_SHARD, "results of a commit are of all benchmarks: `gate merge --save`",
	OPT_GATE_SAVE)
RULE(TAKERS_GATE, EXCLUDES, OPT_GATE_AGAINST, "one or the other is compared with",
	OPT_GATE_BASELINE, OPT_GATE_UPDATE)
RULE(TAKERS_GATE, NEEDS, OPT_GATE_COMMIT_URL, "the links are in that page", OPT_HTML)
RULE(TAKERS_GATE, NEEDS, OPT_GATE_FOLDER, "they use it", OPT_GATE_AGAINST, OPT_GATE_SAVE)

/* --- Pictures --- */

RULE(TAKER_STAT | IMAGE_STAT, NEEDS, OPT_PLOT, "it draws counts over time; --html has all others", OPT_INTERVAL)
RULE(TAKER_BENCH, EXCLUDES, OPT_HTML, "what is only made is not measured", OPT_BENCH_FILE)
RULE(TAKER_BENCH, EXCLUDES, OPT_PLOT, "what is only made is not measured", OPT_BENCH_FILE)

/* --- bench --- */

RULE(TAKER_BENCH, EXCLUDES, OPT_BENCH_ASM, "one or the other", OPT_BENCH_CODE)
RULE(TAKER_BENCH, EXCLUDES, OPT_BENCH_ASM_INIT, "one or the other", OPT_BENCH_CODE_INIT)
RULE(TAKER_BENCH, EXCLUDES, OPT_BENCH_ASM_LATE, "one or the other", OPT_BENCH_CODE_LATE)
RULE(TAKER_BENCH, EXCLUDES, OPT_BENCH_ASM_ONCE, "one or the other", OPT_BENCH_CODE_ONCE)

RULE(TAKER_BENCH, EXCLUDES, OPT_BENCH_C, "one source", OPT_BENCH_CXX)
RULE(IMAGE_BENCH, EXCLUDES, OPT_BENCH_TABLE, "a table has figures of its own", OPT_BENCH_MIN,
	OPT_BENCH_MEDIAN, OPT_BENCH_AVG, OPT_BENCH_MAX, OPT_BENCH_HISTOGRAM, OPT_BENCH_NO_NORM,
	OPT_EVENT, OPT_METRICS)
RULE(IMAGE_BENCH, EXCLUDES, OPT_BENCH_TABLE, "a table has figures of its own", OPT_BENCH_PERCENTILES)
RULE(IMAGE_BENCH, EXCLUDES, OPT_STAT_JSON, "one form at a time", OPT_SEPARATOR, OPT_BENCH_MIN,
	OPT_BENCH_MEDIAN, OPT_BENCH_AVG, OPT_BENCH_MAX)
RULE(IMAGE_BENCH, EXCLUDES, OPT_SEPARATOR, "one form at a time", OPT_BENCH_MIN, OPT_BENCH_MEDIAN,
	OPT_BENCH_AVG, OPT_BENCH_MAX)
RULE(IMAGE_BENCH, EXCLUDES, OPT_BENCH_MIN, "one figure of an event", OPT_BENCH_MEDIAN,
	OPT_BENCH_AVG, OPT_BENCH_MAX)
RULE(IMAGE_BENCH, EXCLUDES, OPT_BENCH_MEDIAN, "one figure of an event", OPT_BENCH_AVG,
	OPT_BENCH_MAX)
RULE(IMAGE_BENCH, EXCLUDES, OPT_BENCH_AVG, "one figure of an event", OPT_BENCH_MAX)
RULE(IMAGE_BENCH, NEEDS, OPT_BENCH_WHOLE, "it is of a trace", OPT_BENCH_TRACE,
	OPT_BENCH_CYCLE_BY_CYCLE)
RULE(IMAGE_BENCH, NEEDS, OPT_BENCH_NO_FREEZE, "it is of a trace", OPT_BENCH_TRACE,
	OPT_BENCH_CYCLE_BY_CYCLE)
RULE(IMAGE_BENCH, EXCLUDES, OPT_BENCH_HISTOGRAM, "it is of what all copies count",
	OPT_BENCH_TRACE, OPT_BENCH_CYCLE_BY_CYCLE)
RULE(IMAGE_BENCH, EXCLUDES, OPT_BENCH_PERCENTILES, "a trace has figures of its own", OPT_BENCH_TRACE,
	OPT_BENCH_CYCLE_BY_CYCLE)
RULE(IMAGE_BENCH, EXCLUDES, OPT_METRICS, "a trace is of events", OPT_BENCH_TRACE,
	OPT_BENCH_CYCLE_BY_CYCLE)
RULE(IMAGE_BENCH, EXCLUDES, OPT_BENCH_PERCENTILES, "one figure of an event", OPT_BENCH_MIN,
	OPT_BENCH_MEDIAN, OPT_BENCH_AVG, OPT_BENCH_MAX)
RULE(IMAGE_BENCH, EXCLUDES, OPT_BENCH_BASIC, "a trace is of one run of the copies",
	OPT_BENCH_TRACE, OPT_BENCH_CYCLE_BY_CYCLE)

/* --- Measuring --- */

RULE(IMAGE_MEASURES, EXCLUDES, OPT_ALL_CPUS, "-a is all CPUs", OPT_CPUS)
RULE(IMAGE_MEASURES, EXCLUDES, OPT_ALL_CPUS, "-a is for all tasks, and --per-thread for one",
	OPT_PER_THREAD)
RULE(IMAGE_STAT, EXCLUDES, OPT_NO_AGGR, "each says what a line is of", OPT_PER_CORE, OPT_PER_SOCKET)
RULE(IMAGE_STAT, EXCLUDES, OPT_PER_CORE, "each says what a line is of", OPT_PER_SOCKET)
RULE(IMAGE_STAT, NEEDS, OPT_NO_AGGR, "it is for events of CPUs", OPT_ALL_CPUS, OPT_CPUS)
RULE(IMAGE_STAT, NEEDS, OPT_PER_CORE, "it is for events of CPUs", OPT_ALL_CPUS, OPT_CPUS)
RULE(IMAGE_STAT, NEEDS, OPT_PER_SOCKET, "it is for events of CPUs", OPT_ALL_CPUS, OPT_CPUS)
RULE(IMAGE_STAT | IMAGE_RECORD, EXCLUDES, OPT_CGROUP, "a group's events are of all its tasks",
	OPT_PER_THREAD)
RULE(IMAGE_STAT, EXCLUDES, OPT_FOR_EACH_CGROUP, "a group's events are of all its tasks",
	OPT_PER_THREAD)
RULE(IMAGE_STAT, EXCLUDES, OPT_CGROUP, "a group for each event, or each event for each group",
	OPT_FOR_EACH_CGROUP)
RULE(IMAGE_STAT, EXCLUDES, OPT_METRICS, "a metric is of all that runs", OPT_CGROUP,
	OPT_FOR_EACH_CGROUP)
RULE(IMAGE_STAT, EXCLUDES, OPT_TOPDOWN, "a metric is of all that runs", OPT_CGROUP,
	OPT_FOR_EACH_CGROUP)
RULE(IMAGE_STAT | IMAGE_RECORD, NEEDS, OPT_CGROUP, "it is for events of CPUs",
	OPT_ALL_CPUS, OPT_CPUS)
RULE(IMAGE_STAT, NEEDS, OPT_FOR_EACH_CGROUP, "it is for events of CPUs", OPT_ALL_CPUS, OPT_CPUS)
RULE(IMAGE_STAT, EXCLUDES, OPT_PASSES, "passes are for the workload's own events",
	OPT_ALL_CPUS, OPT_CPUS)
RULE(IMAGE_STAT, EXCLUDES, OPT_PASSES, "events that count in passes take no turns",
	OPT_STAT_POLICY, OPT_MUX_INTERVAL, OPT_ESTIMATE)
RULE(IMAGE_STAT, EXCLUDES, OPT_NO_SCALE, "counts are scaled, or as they are", OPT_ESTIMATE)
RULE(IMAGE_STAT, EXCLUDES, OPT_NO_MUX, "it is for the workload's own events, not for those of a CPU",
	OPT_ALL_CPUS, OPT_CPUS)
RULE(IMAGE_STAT, EXCLUDES, OPT_STAT_MARKER, "regions have no intervals", OPT_INTERVAL)
RULE(IMAGE_STAT, NEEDS, OPT_TD_LEVEL, "it is for top-down", OPT_TOPDOWN)
RULE(IMAGE_STAT, NEEDS, OPT_METRIC_NO_GROUP, "it is for metrics", OPT_METRICS, OPT_TOPDOWN)
RULE(IMAGE_STAT, EXCLUDES, OPT_NULL_RUN, "it counts nothing", OPT_METRICS, OPT_TOPDOWN)
RULE(IMAGE_STAT, EXCLUDES, OPT_NULL_RUN, "it counts nothing",
	OPT_EVENT, OPT_DETAILED, OPT_INTERVAL, OPT_ALL_CPUS, OPT_CPUS, OPT_PASSES, OPT_NO_MUX)
RULE(IMAGE_STAT | IMAGE_RECORD, EXCLUDES, OPT_ALL_USER, "each is for one ring alone",
	OPT_ALL_KERNEL)

RULE(IMAGE_RECORD, EXCLUDES, OPT_BRANCH_ANY, "-b is -j any", OPT_BRANCH_FILTER)

RULE(IMAGE_QUIETS, EXCLUDES, OPT_NO_QUIET, "the machine is made quiet, or it is not",
	OPT_QUIET_MACHINE, OPT_PREFETCHERS)

/* --- Output --- */

RULE(IMAGE_STAT, EXCLUDES, OPT_INTERVAL, "-I tells one run as it goes on", OPT_REPEAT, OPT_PASSES)
RULE(IMAGE_STAT, NEEDS, OPT_INTERVAL_COUNT, NULL, OPT_INTERVAL)
RULE(IMAGE_STAT, NEEDS, OPT_SUMMARY, "it is behind all intervals", OPT_INTERVAL)
RULE(IMAGE_STAT, EXCLUDES, OPT_TABLE, "it is of one pass", OPT_PASSES)
RULE(IMAGE_STAT, EXCLUDES, OPT_TABLE, "it is for people to read", OPT_SEPARATOR, OPT_STAT_JSON)
RULE(IMAGE_STAT, NEEDS, OPT_TABLE, "it is of several runs", OPT_REPEAT)
RULE(IMAGE_STAT, EXCLUDES, OPT_BIG_NUM, "with commas, or without", OPT_NO_BIG_NUM)
RULE(IMAGE_STAT, EXCLUDES, OPT_BIG_NUM, "commas are for people to read",
	OPT_SEPARATOR, OPT_STAT_JSON)
RULE(IMAGE_STAT, EXCLUDES, OPT_STAT_JSON, "one form at a time", OPT_SEPARATOR)
RULE(IMAGE_STAT, EXCLUDES, OPT_STAT_QUIET, "less is told, or more", OPT_STAT_VERBOSE)
RULE(IMAGE_RECORD, EXCLUDES, OPT_QUIET, "less is told, or more", OPT_RECORD_VERBOSE)

/* --- Recording --- */

RULE(IMAGE_RECORD, EXCLUDES, OPT_COUNT, "the period is fixed, or adjusts itself to the rate",
	OPT_FREQ)
RULE(IMAGE_RECORD, EXCLUDES, OPT_OVERWRITE, "what is sent at once is never overwritten", OPT_LIVE)
RULE(IMAGE_RECORD, EXCLUDES, OPT_OVERWRITE, "of a trace, --snapshot keeps the newest", FACT_TRACES)
RULE(IMAGE_RECORD, NEEDS, OPT_SNAPSHOT, NULL, FACT_TRACES)
RULE(IMAGE_RECORD, NEEDS, FACT_AUX_PAGES, NULL, FACT_TRACES)

// clang-format on
#undef RULE
