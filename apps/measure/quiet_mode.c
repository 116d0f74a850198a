// SPDX-License-Identifier: BSD-2-Clause
/* quiet_mode.c - see quiet_mode.h. */
#include "apps/measure/quiet_mode.h"

#include "lib/bits.h"
#include "rt/console/command.h"
#include "rt/print/print.h"
#include "rt/base/machine.h"
#include "rt/wire/wire.h"

#include <linux/errno.h>

#define LINE_MAX    1536
#define REASONS_MAX (NOISE_REASONS * (NOISE_REASON_MAX + 2))

int hush_check(struct hush *hush, const char *command)
{
	const uint64_t has = knob_prefetchers(machine_caps());
	struct reason why;

	hush->command = command;
	if (!hush->prefetchers)
		return 0;
	if (knob_choose(hush->prefetchers, &hush->choice, &why)) {
		err("%s: --prefetchers: %s\n", command, why.text);
		return -EINVAL;
	}
	if (!has) {
		err("%s: --prefetchers: perf0 knows no register for them on this CPU\n", command);
		return -EINVAL;
	}
	if (hush->choice.mask & ~has) {
		err("%s: --prefetchers: '%s' has bits beside 0x%llx, which this CPU has\n", command,
		    hush->prefetchers, (unsigned long long)has);
		return -EINVAL;
	}
	return 0;
}

static bool is_to_be_quiet(const struct hush *hush)
{
	return hush->quiet || hush->prefetchers || (quiet_is_default() && !hush->no_quiet);
}

int hush_begin(struct hush *hush)
{
	const bool set = is_to_be_quiet(hush);
	struct reason why;

	hush->is_on = hush->has_certificate = false;
	if (!set && !hush->tells && !hush->requires)
		return 0;
	if (quiet_begin(set, &hush->choice, &why)) {
		err("%s: %s\n", hush->command, why.text);
		return -ENOMEM;
	}
	hush->is_on = true;
	return 0;
}

int hush_restore(const char *command)
{
	const uint32_t failed = quiet_end();

	for (uint32_t left = failed; left; left &= left - 1)
		err("%s: %s is not as it was before\n", command, knob_row(bits_first(left))->title);
	return failed ? -EIO : 0;
}

void hush_end(struct hush *hush)
{
	const struct noise_certificate *c = &hush->certificate;
	char line[LINE_MAX];

	if (!hush->is_on)
		return;
	quiet_look(&hush->certificate);
	hush_restore(hush->command);
	hush->is_on = false;
	hush->has_certificate = true;
	wire_noise((c->pass ? WIRE_NOISE_PASS : 0) | (c->quiet ? WIRE_NOISE_QUIET : 0),
		   noise_line(c, line, sizeof(line)));
}

void hush_print(const struct noise_certificate *c)
{
	char reasons[REASONS_MAX];
	struct noise_figure f;
	unsigned line = UINT32_MAX;

	if (c->pass)
		out(" noise: PASS%s", c->quiet ? "" : " (the machine was left as it is)");
	else
		out(" noise: disturbed by %s", noise_reasons(c, reasons, sizeof(reasons)));
	for (size_t i = 0; noise_row(c, i, false, &f); i++) {
		out("%s%s %s", f.line == line ? ", " : "\n   ", f.title, f.text);
		line = f.line;
	}
	out("\n");
	if (c->knobs[0])
		out("   %s\n", c->knobs);
	out("\n");
}

void hush_print_json(const struct noise_certificate *c)
{
	struct noise_figure f;

	out("\"verdict\" : \"%s\", \"quiet\" : %s, \"disturbed_by\" : [",
	    c->pass ? "PASS" : "DISTURBED", c->quiet ? "true" : "false");
	for (unsigned i = 0; i < c->nreasons; i++) {
		out("%s", i ? ", " : "");
		print_json_text(c->reason[i]);
	}
	out("]");
	for (size_t i = 0; noise_row(c, i, true, &f); i++)
		out(", \"%s\" : %s", f.key, f.text);
	out(", \"knobs\" : ");
	print_json_text(c->knobs);
}

static void print_as(const struct noise_certificate *c, enum hush_form form)
{
	char line[LINE_MAX];

	if (form == HUSH_TEXT) {
		hush_print(c);
	} else if (form == HUSH_COMMENT) {
		out("# %s\n", noise_line(c, line, sizeof(line)));
	} else if (form == HUSH_JSON) {
		out("{\"noise\" : {");
		hush_print_json(c);
		out("}}\n");
	}
}

void hush_report(const struct hush *hush)
{
	if (!hush->has_certificate)
		return;
	print_to_host(true);
	print_as(&hush->certificate, HUSH_JSON);
	print_to_host(false);
}

int hush_tell(const struct hush *hush, enum hush_form form, int status)
{
	const struct noise_certificate *c = &hush->certificate;
	char reasons[REASONS_MAX];

	if (!hush->has_certificate)
		return status;
	print_as(c, form);
	if (!hush->requires || c->pass)
		return status;
	err("%s: --require-quiet: disturbed by %s\n", hush->command,
	    noise_reasons(c, reasons, sizeof(reasons)));
	return status ? status : STATUS_FAILED;
}
