/* SPDX-License-Identifier: BSD-2-Clause */
/* quiet_mode.h - quiet mode for commands that measure: their options, a quiet machine during the
 * measurement, and its certificate afterwards. Task context. */
#ifndef APPS_MEASURE_QUIET_MODE_H
#define APPS_MEASURE_QUIET_MODE_H

#include "apps/measure/command_options.h"
#include "rt/run/quiet.h"

#include <stdbool.h>
#include <stddef.h>

/* The quiet mode of one run of a command. */
struct hush {
	/* The values of the options. */
	bool quiet, no_quiet, tells, requires;
	const char *prefetchers; /* NULL: not given */

	const char *command;
	struct knob_choice choice;
	bool is_on; /* a certificate will follow */
	bool has_certificate;
	struct noise_certificate certificate;
};

/* The targets of a command's options. */
#define HUSH_TARGETS(hush)                                                               \
	{OPT_QUIET_MACHINE, &(hush).quiet}, {OPT_NO_QUIET, &(hush).no_quiet},            \
		{OPT_CERTIFICATE, &(hush).tells}, {OPT_REQUIRE_QUIET, &(hush).requires}, \
	{                                                                                \
		OPT_PREFETCHERS, &(hush).prefetchers                                     \
	}

/* hush_check() - after the options were read: whether they make sense on this CPU. -EINVAL, with a
 * line. */
int hush_check(struct hush *hush, const char *command);

/* hush_begin() - makes the machine quiet, if options say so. -ENOMEM, with a line. */
int hush_begin(struct hush *hush);

/* hush_end() - the measurement is over: collects the noise, restores everything, and sends the
 * certificate. Harmless where hush_begin() was not called. */
void hush_end(struct hush *hush);

/* hush_restore() - quiet_end(), with a line for each register that is not as before, and -EIO. */
int hush_restore(const char *command);

enum hush_form { HUSH_TEXT, HUSH_JSON, HUSH_COMMENT, HUSH_SILENT };

/*
 * hush_tell() - prints the certificate, if there is one: as a block, an object of JSON in one line,
 * or a comment of one line. Returns the command's status: `status`, or STATUS_FAILED, with a line,
 * where that is 0 and quiet was required.
 */
int hush_tell(const struct hush *hush, enum hush_form form, int status);

/* hush_report() - sends the host the certificate, if there is one, as JSON; see print_to_host(). */
void hush_report(const struct hush *hush);

/* hush_print() - a certificate as a block; hush_print_json() - its members, without brackets. */
void hush_print(const struct noise_certificate *certificate);
void hush_print_json(const struct noise_certificate *certificate);

#endif
