/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mistakes.h - what the image would refuse, found before it is booted: options and their operands,
 * operands that are missing or too many, workloads, their arguments and program files. Events are
 * tools/events/events.h's.
 */
#ifndef TOOLS_MACHINE_MISTAKES_H
#define TOOLS_MACHINE_MISTAKES_H

#include "lib/reason.h"

/*
 * command_mistakes() - the one command that `words` (NULL-terminated) are, with its name in front.
 * -ENOENT: there is no such command; -EINVAL: it would be refused; both with the reason. Where
 * perf0.elf cannot be read the image has the word, and this is 0.
 */
int command_mistakes(const char *const *words, struct reason *why);

#endif
