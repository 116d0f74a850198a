/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mistakes.h - what the image would refuse, found before it is booted: boot options, options and
 * their operands, which do not go together, operands of commands, workloads with their arguments,
 * program files, CPUs, filters, and what options have to do with events. How events are written is
 * tools/events/events.h's.
 */
#ifndef TOOLS_MACHINE_MISTAKES_H
#define TOOLS_MACHINE_MISTAKES_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/events/events.h"
#include "tools/machine/programs.h"

/* The machine that is to run the command. */
struct command_machine {
	struct events_machine events;
	unsigned ncpus;
	struct programs *programs; /* of the run; NULL: names are no programs */
};

/* boot_option_is() - whether a word in front of a command is a boot option: name=value. */
bool boot_option_is(const char *word);

/*
 * boot_option_mistakes() - the boot options in front of the first command: moves `*words` behind
 * them, and takes what they leave of machine->ncpus. -EINVAL with the reason.
 */
int boot_option_mistakes(const char ***words, struct command_machine *machine, struct reason *why);

/*
 * command_workload() - which of the words (NULL-terminated) of one command is a program of the
 * user's: where a workload stands a path, or a name that is none of the image's and that PATH has;
 * or in the place of a command. PROGRAMS_NO_WORKLOAD: none is.
 */
size_t command_workload(const char *const *words, const struct command_machine *machine);

/*
 * command_mistakes() - the one command that `words` (NULL-terminated) are, with its name in front.
 * -ENOENT: there is no such command; -EINVAL: it would be refused; both with the reason. Where
 * machine->events.image is not known the image has the word, and this is 0.
 */
int command_mistakes(const char *const *words, const struct command_machine *machine,
		     struct reason *why);

/*
 * plan_mistakes() - the same of a `plan`, with the events as the image gets them; anything else is
 * right.
 */
int plan_mistakes(const char *const *words, struct reason *why);

#endif
