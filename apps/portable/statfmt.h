/* SPDX-License-Identifier: BSD-2-Clause */
/* statfmt.h - the layout of `perf stat`: counts, units, derived figures, spread over runs. Reads
 * results and prints text; does not know how events are opened. */
#ifndef APPS_PORTABLE_STATFMT_H
#define APPS_PORTABLE_STATFMT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/perf_event.h>

struct stat_metrics;

enum stat_state {
	STAT_COUNTED,
	STAT_NOT_COUNTED,
	STAT_NOT_SUPPORTED,
	STAT_NOT_HERE, /* another line has the count of these CPUs: not printed */
};

/* The CPUs that one line adds up: all (as perf by default), a package's, a core's, or, with -A,
 * none. */
enum stat_aggr { STAT_AGGR_ALL, STAT_AGGR_SOCKET, STAT_AGGR_CORE, STAT_AGGR_NONE };

struct stat_group {
	enum stat_aggr how;
	int cpu; /* STAT_AGGR_NONE, else -1 */
	unsigned package, core;
	unsigned ncpus; /* CPUs in the group */
};

/* One line: an event's mean over the runs. */
struct stat_line {
	const char *name; /* as the user wrote it */
	const struct perf_event_attr *attr;
	enum stat_state state;
	uint64_t mean;             /* scaled to the whole time; ns for the clocks */
	uint64_t ratio;            /* the same by running / enabled, as perf scales */
	uint64_t spread;           /* relative standard error of the mean, in 1/100 of a percent */
	bool identical;            /* in all of several runs */
	uint64_t enabled, running; /* ns, of all runs */
	uint32_t error;            /* of a scaled mean, 95 %, in 1/100 of a percent */
	bool has_error;            /* else it is not known */
	bool unseen;               /* ... for it counted in one slice, or never occurred in any */
	uint8_t pass;              /* from 0, or STAT_EACH_PASS; of a table of passes */
	/* The group that the line adds up, shared by all lines of that group. NULL: all CPUs. */
	const struct stat_group *group;
	const char *cgroup; /* its cgroup; "": none; NULL: no line of the table has one */
	uint8_t truth;      /* enum truth */
	uint16_t event;     /* its number in the command, from 0 */
};

/* stat_label() - writes perf's name of the line's CPUs to `text`: "CPU0", "S0-D0-C0", "S0". Returns
 * the width of that column in the table, 0 where there is none. */
#define STAT_LABEL_MAX 40
unsigned stat_label(char *text, const struct stat_line *l);

#define STAT_EACH_PASS 0xff

/* The times of one pass: the only one, or one of several. */
struct stat_time {
	uint64_t elapsed, spread; /* mean in ns; 1/100 of a percent */
	bool identical;           /* in all of several runs */
	uint64_t user, sys;       /* ns, one run */
};

/* Instructions that were executed while modelled time counted: those without a row in the tables of
 * the core, of all. */
struct stat_rowless {
	uint64_t count, instructions;
	const char *core, *mnemonics; /* the most executed mnemonics: "FNSTENV, VERR" */
};

struct stat_table {
	const char *title; /* the workload and its arguments, or a region of it */
	uint64_t calls;    /* of a region; 0: it is not one */
	const struct stat_line *lines;
	unsigned nlines, runs; /* of each pass */
	unsigned passes;       /* 0: the events were not split into passes */
	unsigned least;        /* a lower bound of the number of passes */
	const struct stat_time *times;
	unsigned ntimes;  /* 1 when not split; fewer than `passes` after a failure */
	bool watchdog;    /* the NMI watchdog has one of the counters */
	bool of_cpus;     /* of all tasks there: user and sys, a task's times, are not printed */
	bool of_host;     /* times are the host's: see truth.h */
	bool of_model;    /* times are those of modelled cycles */
	const char *core; /* the modelled core and its error; "": none, NULL: not told */
	/* Instructions that its tables do not have; NULL: not told. */
	const struct stat_rowless *rowless;
	bool plain;           /* numbers without commas */
	bool may_pass;        /* where events took turns, --passes and --no-mux are an answer */
	bool is_summary;      /* of the intervals that were printed before */
	const uint64_t *each; /* --table: ns of each run; NULL: not printed */
	/* For an interval: the ns from the begin of counting to its end, and whether a heading
	 * comes first. 0: the table is of the whole run. */
	uint64_t until;
	bool heading;
	/*
	 * The metrics that are computed from the lines (statmetrics.h); NULL: only stat_figure()'s.
	 */
	const struct stat_metrics *metrics;
	/* Prints more members of a line's JSON object; NULL: there are none. */
	void (*more)(const struct stat_line *line);
};

/* stat_print() - prints the whole table, or the lines of an interval. Task context, or an IRQ of
 * CPU 0 that came from ring 3. */
void stat_print(const struct stat_table *table);

/*
 * stat_print_csv(), stat_print_json() - the same for programs, a row for each event: as `perf stat
 * -x SEPARATOR` and `perf stat -j` print it. Contexts as stat_print().
 */
void stat_print_csv(const struct stat_table *table, const char *separator);
void stat_print_json(const struct stat_table *table);

/* A figure derived from counts: value / base. */
struct stat_figure {
	uint64_t value, base;
	unsigned decimals, width; /* in the table */
	const char *unit;         /* with the blank or % in front */
	unsigned alarm;           /* see out_alarm() */
};

/* stat_figure() - the figure beside a line's count; false: there is none. stat_rest_figure() - the
 * figure after that: the rest of the whole that the count is a part of. */
bool stat_figure(struct stat_figure *figure, const struct stat_table *table,
		 const struct stat_line *line);
bool stat_rest_figure(struct stat_figure *figure, const struct stat_table *table,
		      const struct stat_line *line);

/* stat_elapsed() - the table's elapsed time in ns: the mean over all passes. */
uint64_t stat_elapsed(const struct stat_table *table);

/* stat_has_spread() - whether the event was counted more than once. */
bool stat_has_spread(const struct stat_table *table, const struct stat_line *line);

/* stat_is_clock() - whether the event is shown as a clock, in ms. stat_unit() - the unit of its
 * counts, each of which is 1 / *per of it; NULL: counts are numbers of occurrences. */
const char *stat_unit(const struct perf_event_attr *attr, uint64_t *per);
bool stat_is_clock(const struct perf_event_attr *attr);

#endif
