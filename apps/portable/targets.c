// SPDX-License-Identifier: BSD-2-Clause
/* targets.c - see targets.h. */
#include "apps/portable/targets.h"

#include "lib/printf.h"

#include <linux/errno.h>

static int refuse_target(struct targets_reason *why, const char *format, const char *text,
			 unsigned cpu)
{
	fmt_print(why->text, sizeof(why->text), format, text, cpu);
	return -EINVAL;
}

/* Up to three digits; -1: none stand there. */
static int read_cpu(const char **p)
{
	int cpu = 0;

	if (**p < '0' || **p > '9')
		return -1;
	while (**p >= '0' && **p <= '9') {
		if (cpu < 1000)
			cpu = cpu * 10 + (**p - '0');
		(*p)++;
	}
	return cpu;
}

/* N or N-M, of which there must be all. */
static int read_range(const char **p, const char *list, unsigned ncpus, struct cpumask *cpus,
		      struct targets_reason *why)
{
	int first = read_cpu(p), last = first;

	if (first >= 0 && **p == '-') {
		(*p)++;
		last = read_cpu(p);
	}
	if (first < 0 || last < first)
		return refuse_target(why, "'%s' is no list of CPUs, as 0-2,4", list, 0);
	if ((unsigned)last >= ncpus)
		return refuse_target(why, "'%s': there is no CPU %u", list,
				     (unsigned)first < ncpus ? ncpus : (unsigned)first);
	cpumask_add_range(cpus, (unsigned)first, (unsigned)last);
	return 0;
}

static int read_list(const char *list, unsigned ncpus, struct cpumask *cpus,
		     struct targets_reason *why)
{
	const char *p = list;
	int bad;

	for (*cpus = (struct cpumask){{0}};; p++) {
		bad = read_range(&p, list, ncpus, cpus, why);
		if (bad)
			return bad;
		if (!*p)
			return 0;
		if (*p != ',')
			return refuse_target(why, "'%s' is no list of CPUs, as 0-2,4", list, 0);
	}
}

int targets_choose(struct targets *t, const struct targets_options *options,
		   const struct targets_machine *machine, struct targets_reason *why)
{
	*t = (struct targets){
		.tasks = options->per_thread || (!options->all_cpus && !options->cpus),
	};
	t->is_default = t->tasks && !options->per_thread;
	t->inherit = t->is_default && !options->no_inherit;
	if (options->all_cpus && options->per_thread)
		return refuse_target(why, "-a is for all tasks, and --per-thread for one%s", "", 0);
	if (options->all_cpus && options->cpus)
		return refuse_target(why, "-a is all CPUs, and -C %s is not", options->cpus, 0);
	if (options->cpus)
		return read_list(options->cpus, machine->ncpus, &t->cpus, why);
	if (!t->tasks || (t->is_default && !options->counts_only))
		cpumask_add_range(&t->cpus, 0, machine->ncpus - 1);
	return 0;
}

size_t targets_events(const struct targets *t, const struct targets_machine *machine,
		      unsigned nevents, struct targets_event *out, size_t most, unsigned *nrings)
{
	const bool per_cpu = !cpumask_is_empty(&t->cpus);
	const unsigned ncpus = per_cpu ? cpumask_count(&t->cpus) : 1;
	const unsigned ntasks = t->tasks ? machine->ntasks : 1;
	size_t n = 0;

	*nrings = per_cpu ? ncpus : ntasks;
	for (unsigned event = 0; event < nevents; event++) {
		unsigned cpu = cpumask_next(&t->cpus, 0);

		for (unsigned c = 0; c < ncpus; c++, cpu = cpumask_next(&t->cpus, cpu + 1))
			for (unsigned k = 0; k < ntasks; k++, n++) {
				const unsigned ring = per_cpu ? c : k;
				/* Of event 0, what came first for this CPU or task. */
				const size_t owner = per_cpu ? c * ntasks : k;

				if (n >= most)
					continue;
				out[n] = (struct targets_event){
					.event = event,
					.task = t->tasks ? machine->tasks[k] : -1,
					.cpu = per_cpu ? (int)cpu : -1,
					.ring = ring,
					.output = n == owner ? -1 : (int)owner,
				};
			}
	}
	return n;
}
