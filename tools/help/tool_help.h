/* SPDX-License-Identifier: BSD-2-Clause */
/* tool_help.h - what `perf0 help` tells beside the host tool's commands: without a boot. */
#ifndef TOOLS_HELP_TOOL_HELP_H
#define TOOLS_HELP_TOOL_HELP_H

#include <stddef.h>
#include <stdint.h>

#include "include/perf0/options.h"

/* help_put() - for options_help(); `ctx` is a FILE. */
void help_put(void *ctx, const char *text);

/*
 * help_begin() - the first page of a command's help: its sentence, examples, and the options that
 * people use most. help_options() - all others of `takers`; one line stands for those of the
 * machine.
 */
void help_begin(const char *name, const char *summary, uint64_t takers);
void help_options(const char *name, uint64_t takers);

/* help_of_image() - what the image's command of `taker` says beside its options. */
void help_of_image(enum option_taker taker);

/*
 * help_topic() - workloads, events, machine, or a command of the image by name. Returns the exit
 * status; STATUS_NOT_FOUND: there is no such topic, and nothing was printed.
 */
int help_topic(const char *name);

/* help_topic_name() - its topics, beside commands, one by one; NULL past the last one. */
const char *help_topic_name(size_t index);

/* help_registered() - what is registered in the image; NULL, and a line says why, where it can not
 * be read. */
struct registered;
const struct registered *help_registered(void);

#endif
