// SPDX-License-Identifier: BSD-2-Clause
/* test_targets.c - each mode on one to four CPUs: its events, targets and rings. */
#include "apps/portable/targets.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

static const int tasks[] = {11, 12};

static struct targets_machine machine(unsigned ncpus, unsigned ntasks)
{
	return (struct targets_machine){.ncpus = ncpus, .tasks = tasks, .ntasks = ntasks};
}

/* Writes each event as "event:task:cpu>ring", with "+" if the ring is its own. */
static void describe(char *text, const struct targets_event *e, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		text += sprintf(text, "%s%u:%d:%d>%u%s", i ? " " : "", e[i].event, e[i].task,
				e[i].cpu, e[i].ring, e[i].output < 0 ? "+" : "");
		if (e[i].output >= 0)
			assert_int_equal(e[e[i].output].ring, e[i].ring);
		if (e[i].output >= 0)
			assert_int_equal(e[e[i].output].output, -1);
	}
}

TEST(test_modes)
{
	static const struct {
		struct targets_options options;
		unsigned ncpus, ntasks, nevents;
		unsigned nrings;
		bool inherit;
		const char *events;
	} rows[] = {
		/* Default: the task's events on each CPU, a ring for each CPU. */
		{{0}, 1, 1, 1, 1, true, "0:11:0>0+"},
		{{0}, 4, 1, 1, 4, true, "0:11:0>0+ 0:11:1>1+ 0:11:2>2+ 0:11:3>3+"},
		{{0}, 2, 1, 2, 2, true, "0:11:0>0+ 0:11:1>1+ 1:11:0>0 1:11:1>1"},
		{{0}, 2, 2, 1, 2, true, "0:11:0>0+ 0:12:0>0 0:11:1>1+ 0:12:1>1"},
		{{.no_inherit = true}, 2, 1, 1, 2, false, "0:11:0>0+ 0:11:1>1+"},
		/* Without the option, one event on any CPU. */
		{{.counts_only = true}, 4, 1, 2, 1, true, "0:11:-1>0+ 1:11:-1>0"},
		{{.counts_only = true, .no_inherit = true}, 4, 1, 1, 1, false, "0:11:-1>0+"},
		{{.counts_only = true, .all_cpus = true}, 2, 1, 1, 2, false, "0:-1:0>0+ 0:-1:1>1+"},
		/* --per-thread: one event and one ring for each task, wherever it runs. */
		{{.per_thread = true}, 4, 1, 1, 1, false, "0:11:-1>0+"},
		{{.per_thread = true}, 4, 1, 2, 1, false, "0:11:-1>0+ 1:11:-1>0"},
		{{.per_thread = true},
		 4,
		 2,
		 2,
		 2,
		 false,
		 "0:11:-1>0+ 0:12:-1>1+ 1:11:-1>0 1:12:-1>1"},
		/* -C: every task on these CPUs; nothing of other CPUs. */
		{{.cpus = "0,2"}, 4, 1, 1, 2, false, "0:-1:0>0+ 0:-1:2>1+"},
		{{.cpus = "2-3,0"},
		 4,
		 2,
		 2,
		 3,
		 false,
		 "0:-1:0>0+ 0:-1:2>1+ 0:-1:3>2+ 1:-1:0>0 1:-1:2>1 1:-1:3>2"},
		{{.cpus = "1,1-1"}, 3, 1, 1, 1, false, "0:-1:1>0+"},
		/* -a: the same for all CPUs. */
		{{.all_cpus = true}, 1, 1, 2, 1, false, "0:-1:0>0+ 1:-1:0>0"},
		{{.all_cpus = true}, 4, 1, 1, 4, false, "0:-1:0>0+ 0:-1:1>1+ 0:-1:2>2+ 0:-1:3>3+"},
		{{.all_cpus = true}, 3, 2, 1, 3, false, "0:-1:0>0+ 0:-1:1>1+ 0:-1:2>2+"},
		/* Both a task and CPUs: the task counts while it is on one of these CPUs. */
		{{.per_thread = true, .cpus = "0,2"},
		 4,
		 1,
		 2,
		 2,
		 false,
		 "0:11:0>0+ 0:11:2>1+ 1:11:0>0 1:11:2>1"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct targets_machine m = machine(rows[i].ncpus, rows[i].ntasks);
		struct targets_event events[16];
		struct reason why;
		char text[400] = "";
		struct targets t;
		unsigned nrings;
		size_t n;

		assert_int_equal(targets_choose(&t, &rows[i].options, &m, &why), 0);
		n = targets_events(&t, &m, rows[i].nevents, events, 16, &nrings);
		assert_true(n <= 16);
		describe(text, events, n);
		assert_string_equal(text, rows[i].events);
		assert_int_equal(nrings, rows[i].nrings);
		assert_int_equal(t.inherit, rows[i].inherit);
		assert_int_equal(targets_events(&t, &m, rows[i].nevents, events, 1, &nrings), n);
	}
}

TEST(test_refusals)
{
	static const struct {
		struct targets_options options;
		unsigned ncpus;
		const char *why;
	} rows[] = {
		{{.cpus = "256"}, 256, "there is no CPU 256"},
		{{.cpus = "1"}, 1, "'1': there is no CPU 1"},
		{{.cpus = "0-3"}, 2, "'0-3': there is no CPU 2"},
		{{.cpus = "0,7"}, 4, "'0,7': there is no CPU 7"},
		{{.cpus = "99999999999999999999"}, 64, "there is no CPU"},
		{{.cpus = ""}, 4, "no list of CPUs"},
		{{.cpus = "a"}, 4, "no list of CPUs"},
		{{.cpus = "0,"}, 4, "no list of CPUs"},
		{{.cpus = ",0"}, 4, "no list of CPUs"},
		{{.cpus = "2-1"}, 4, "no list of CPUs"},
		{{.cpus = "1-"}, 4, "no list of CPUs"},
		{{.cpus = "0 1"}, 4, "no list of CPUs"},
		{{.cpus = "-1"}, 4, "no list of CPUs"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct targets_machine m = machine(rows[i].ncpus, 1);
		struct reason why = {""};
		struct targets t;

		assert_int_equal(targets_choose(&t, &rows[i].options, &m, &why), -EINVAL);
		if (!strstr(why.text, rows[i].why))
			fail_msg("'%s': %s", rows[i].options.cpus, why.text);
	}
}

/* The largest number of CPUs, some far apart. Each ring of a trace has an AUX area. */
TEST(test_many_cpus)
{
	static struct targets_event events[2 * 256];
	const struct targets_machine m = machine(256, 1);
	static const struct {
		struct targets_options options;
		unsigned ncpus, last;
	} rows[] = {
		{{.all_cpus = true}, 256, 255},
		{{.cpus = "0-255"}, 256, 255},
		{{.cpus = "255,0,64,127-128"}, 5, 255},
		{{.cpus = "63-64"}, 2, 64},
		{{.per_thread = true, .cpus = "200"}, 1, 200},
		{{0}, 256, 255},
	};
	struct reason why;
	struct targets t;
	unsigned nrings;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const unsigned n = rows[i].ncpus;

		assert_int_equal(targets_choose(&t, &rows[i].options, &m, &why), 0);
		assert_int_equal(targets_events(&t, &m, 2, events, 2 * 256, &nrings), 2 * n);
		assert_int_equal(nrings, n);
		assert_int_equal(events[n - 1].cpu, rows[i].last);
		assert_int_equal(events[n - 1].ring, n - 1);
		for (unsigned k = 0; k < n; k++) {
			assert_int_equal(events[n + k].cpu, events[k].cpu);
			assert_int_equal(events[n + k].ring, k);
			assert_int_equal(events[n + k].output, k);
		}
	}
}
