/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mistakes.h - finds before the boot all mistakes that the image would refuse. It checks boot
 * options, options and operands, workloads with their arguments, program files, CPUs and filters.
 * It also checks whether options go together and fit the events. tools/events/events.h describes
 * the syntax of events.
 */
#ifndef TOOLS_MACHINE_MISTAKES_H
#define TOOLS_MACHINE_MISTAKES_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/events/events.h"
#include "tools/machine/line_programs.h"

/* The machine that will run the command. */
struct command_machine {
	struct events_machine events;
	unsigned ncpus;
	struct programs *programs; /* of the run; NULL: names are no programs */
	/* Whether the machine has a program of that name itself; NULL: it has none. */
	bool (*has_file)(const void *files, const char *word);
	const void *files;
};

/* boot_option_is() - returns whether a word in front of a command is a boot option: name=value. */
bool boot_option_is(const char *word);

/*
 * boot_option_mistakes() - checks the boot options in front of the first command. Moves `*words`
 * behind them, and lowers machine->ncpus to the CPUs that they leave. -EINVAL with the reason.
 */
int boot_option_mistakes(const char ***words, struct command_machine *machine, struct reason *why);

/*
 * command_workload() - returns the index of the program in one command, `words` (NULL-terminated).
 * The program replaces the workload, as a path, or as a name that only PATH has; or it replaces the
 * command. PROGRAMS_NO_WORKLOAD: the command has no program.
 */
size_t command_workload(const char *const *words, const struct command_machine *machine);

/*
 * workload_near() - returns the image's workload whose name is one typing mistake away from
 * `typed`; NULL: there is none.
 */
const char *workload_near(const struct registered *image, const char *typed);

/*
 * command_mistakes() - checks one command, `words` (NULL-terminated) with its name in front.
 * -ENOENT: there is no such command; -EINVAL: the image would refuse it; both with the reason. 0 if
 * machine->events.image is not known: then the image checks.
 */
int command_mistakes(const char *const *words, const struct command_machine *machine,
		     struct reason *why);

/*
 * plan_mistakes() - checks a `plan`, with its events encoded for the image; accepts any other
 * command.
 */
int plan_mistakes(const char *const *words, struct reason *why);

#endif
