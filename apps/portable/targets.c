// SPDX-License-Identifier: BSD-2-Clause
/* targets.c - see targets.h. */
#include "apps/portable/targets.h"

#include "lib/words/cpulist.h"

int targets_choose(struct targets *t, const struct targets_options *options,
		   const struct targets_machine *machine, struct reason *why)
{
	*t = (struct targets){
		.tasks = options->per_thread || (!options->all_cpus && !options->cpus),
	};
	t->is_default = t->tasks && !options->per_thread;
	t->inherit = t->is_default && !options->no_inherit;
	if (options->cpus)
		return cpulist_read(options->cpus, machine->ncpus, &t->cpus, why);
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
				/*
				 * The event of number 0 that was opened first for this CPU or task.
				 */
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
