/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tool_options.h - parses the host tool's own options. They stand before `--`. In front of a
 * command of the image or a device, they end at the first word that is neither an option nor its
 * value. Options of the image's commands are checked, and kept for the image.
 */
#ifndef TOOLS_OPTIONS_TOOL_OPTIONS_H
#define TOOLS_OPTIONS_TOOL_OPTIONS_H

#include "include/perf0/options.h"
#include "lib/reason.h"
#include "tools/bench/bench_options.h"
#include "tools/explain/explain_options.h"
#include "tools/options/gate_options.h"
#include "tools/options/guest_options.h"
#include "tools/options/machine_options.h"
#include "tools/options/there_options.h"
#include "tools/out/output_options.h"
#include "tools/pgo/pgo_options.h"
#include "tools/profile/profile_options.h"
#include "tools/program/program_options.h"
#include "tools/stream/stream_options.h"

struct options {
	struct machine_options machine;
	struct program_options program;
	struct stream_options stream;
	struct output_options output;
	struct {
		bool host;        /* examines what this host has for perf0 */
		bool report;      /* the same, for a bug report */
		bool kvm;         /* examines the host for guests of KVM */
		const char *root; /* the folder of its files; NULL: this host */
	} doctor;
	struct bench_options bench;
	struct gate_options gate;
	struct profile_options profile;
	struct pgo_options pgo;
	struct explain_options explain;
	struct guest_options guest;
	struct there_options there;
	bool stops;               /* a script stops at the first command that fails */
	bool keep_going;          /* the image refuses wrong commands and runs the rest */
	size_t nkept;             /* number of first words that are options for the image */
	const char *const *typed; /* the whole command line as typed */
};

/*
 * tool_options_parse() - takes `taker`'s options out of `words`, a NULL-terminated array that it
 * changes. The other words remain, with `--` for a command of the image, and without it for others.
 * Fills `options`, defaults first, and checks them against each other. Returns 0, or -EINVAL with
 * the reason. The caller calls tool_options_free() in both cases.
 */
int tool_options_parse(struct options *options, enum option_taker taker, const char **words,
		       struct reason *why);

void tool_options_free(struct options *options);

/*
 * tool_options_parse_beside() - like tool_options_parse(), with `base` for defaults; NULL: the
 * usual defaults.
 */
int tool_options_parse_beside(struct options *options, const struct options *base,
			      enum option_taker taker, const char **words, struct reason *why);

/*
 * tool_options_takers() - returns `taker`, and the image's command that gets the options that
 * `taker` does not take.
 */
uint64_t tool_options_takers(enum option_taker taker);

#endif
