/* SPDX-License-Identifier: BSD-2-Clause */
/* tool_help.h - the topics of `perf0 help` beside the host tool's commands. They need no boot. */
#ifndef TOOLS_HELP_TOOL_HELP_H
#define TOOLS_HELP_TOOL_HELP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "include/perf0/options.h"

/* help_put() - the callback of options_help(); `ctx` is a FILE. */
void help_put(void *ctx, const char *text);

/*
 * help_begin() - prints the first page of a command's help: its sentence, examples, and the options
 * that people use most. help_options() - prints all other options of `takers`; one line stands for
 * those of the machine.
 */
void help_begin(const char *name, const char *summary, uint64_t takers);
void help_options(const char *name, uint64_t takers);

/*
 * help_overview() - prints what `perf0` alone tells: a sentence, examples, the commands and options
 * that people use most; `summary` returns the summary of a command.
 */
void help_overview(FILE *to, const char *(*summary)(const char *name));

/* help_of_image() - prints the help of the image's command of `taker`, without its options. */
void help_of_image(enum option_taker taker);

/*
 * help_topic() - prints a topic: workloads, events, machine, or a command of the image by name.
 * Returns the exit status. STATUS_NOT_FOUND: no such topic, and nothing was printed.
 */
int help_topic(const char *name);

/* help_topic_name() - returns topic number `index`, commands excluded; NULL past the last one. */
const char *help_topic_name(size_t index);

/* help_registered() - returns the image's registered commands; NULL after a message: the image
 * cannot be read. */
struct registered;
const struct registered *help_registered(void);

#endif
