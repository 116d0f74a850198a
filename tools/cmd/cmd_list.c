// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_list.c - `perf0 list --json` and `--no-boot`: lists every event of a microarchitecture that
 * has a name, with the counters on which the scheduler may place it. `metrics` lists the metrics
 * that ship for it, `list uarchs` the microarchitectures that vpmu imitates. Without these options
 * the image lists the events that it knows.
 */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "include/perf0/personalities.h"
#include "lib/plain.h"
#include "lib/bits.h"
#include "pmu/sched/explain.h"
#include "tools/events/eventnames.h"
#include "tools/events/evfiles.h"
#include "tools/events/metric_names.h"
#include "tools/options/offline.h"
#include "tools/util/message.h"
#include "tools/util/plainbuf.h"
#include "tools/util/status.h"

struct list_options {
	const char *uarch;
	struct option_list event_files;
	bool no_ht, json, no_boot;
};

static struct list_options o;

static const struct option_target places[] = {
	{OPT_NAMES_UARCH, &o.uarch}, {OPT_NO_HT, &o.no_ht},     {OPT_EVENT_FILE, &o.event_files},
	{OPT_PLAN_JSON, &o.json},    {OPT_NO_BOOT, &o.no_boot},
};

static bool has_word(const char **words, const char *word)
{
	for (; *words && strcmp(*words, "--"); words++)
		if (!strncmp(*words, word, strlen(word)) &&
		    (!(*words)[strlen(word)] || (*words)[strlen(word)] == '='))
			return true;
	return false;
}

/* Returns whether the words are `list uarchs`. */
static bool is_list_of_uarchs(const char **words)
{
	return words[1] && !strcmp(words[1], "uarchs") && !words[2];
}

static void list_uarchs(void)
{
#define UARCH_NAME(id, vendor, pfm) #id,
	static const char *const names[] = {VPMU_PERSONALITIES(UARCH_NAME)};
#undef UARCH_NAME

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct uarch *uarch = uarch_by_name(names[i]);

		printf("  %-8s %s%s\n", names[i], uarch ? uarch->name : "",
		       strcmp(names[i], VPMU_DEFAULT) ? "" : " (default)");
	}
}

/* The tool knows the metrics of a microarchitecture without a machine. */
bool list_is_offline(const char **words)
{
	return is_list_of_uarchs(words) || has_word(words, "--json") ||
	       has_word(words, "--no-boot") ||
	       (has_word(words, "metrics") && has_word(words, "--uarch"));
}

/* Removes `metrics` and the substring to search for from `words`. */
static bool take_metrics(const char **words, const char **part)
{
	const char **to = words;
	bool metrics = false, is_value = false;

	*part = NULL;
	for (; *words; words++) {
		const bool is_word = **words != '-' && !is_value;

		is_value = !strcmp(*words, "--uarch") || !strcmp(*words, "--event-file");
		if (is_word && !metrics && !strcmp(*words, "metrics"))
			metrics = true;
		else if (is_word && metrics && !*part)
			*part = *words;
		else
			*to++ = *words;
	}
	*to = NULL;
	return metrics;
}

static void print_counters(uint64_t counters, const char *separator, const char *quote)
{
	const char *before = "";
	char name[16];

	for (; counters; counters &= counters - 1) {
		printf("%s%s%s%s", before, quote, pmu_counter_name(bits_first(counters), name),
		       quote);
		before = separator;
	}
}

struct printer {
	bool json, amd;
	int n;
};

/* Returns the event code above the unit mask. AMD's event code has 12 bits. */
static uint64_t code_of(const struct printer *p, uint64_t select)
{
	return (select & EVTSEL_EVENT) | (p->amd ? (select & EVTSEL_AMD_EVENT_HI) >> 24 : 0);
}

static void print_json(const struct printer *p, const struct event_name *e)
{
	struct buf name = {0};

	plain_add_json(&name, e->name);
	printf("%s{\"name\":%s,\"code\":\"0x%02" PRIx64 "\",\"umask\":\"0x%02" PRIx64 "\"",
	       p->n ? ",\n" : "\n", buf_text(&name), code_of(p, e->select),
	       (uint64_t)(e->select & EVTSEL_UMASK) >> 8);
	buf_free(&name);
	printf(",\"config\":\"0x%" PRIx64 "\",\"counters\":[", e->select);
	print_counters(e->counters, ",", "\"");
	if (e->msr)
		printf("],\"msr\":\"0x%" PRIx32 "\"}", e->msr);
	else
		printf("],\"msr\":null}");
}

static void print_event_name(const struct event_name *e)
{
	printf("%-56s 0x%-10" PRIx64 " ", PLAIN(e->name), e->select);
	print_counters(e->counters, " ", "");
	if (e->msr)
		printf("  MSR 0x%" PRIx32, e->msr);
	printf("\n");
}

static void on_listed_name(void *ctx, const struct event_name *e)
{
	struct printer *p = ctx;

	if (p->json)
		print_json(p, e);
	else
		print_event_name(e);
	p->n++;
}

static int complain_of_list(const char *what)
{
	message("perf0 list: %s", what);
	return STATUS_USAGE;
}

static int list_events(const struct uarch *uarch, const struct evfile *file)
{
	struct printer p = {.json = o.json, .amd = uarch->vendor == CPU_VENDOR_AMD};
	struct reason why;

	if (!*uarch->pfm && !file) {
		refuse(&why, EINVAL, "libpfm4 does not know %s: --event-file is needed",
		       uarch->name);
		return complain_of_list(why.text);
	}
	printf("%s", o.json ? "[" : "");
	if (event_names_each(uarch, !o.no_ht && uarch_general(uarch, true), file, on_listed_name,
			     &p, &why) < 0)
		return complain_of_list(why.text);
	printf("%s", o.json ? "\n]\n" : "");
	return 0;
}

static int list_metrics(const struct uarch *uarch, const char *part)
{
	struct reason why;
	const int n = metrics_print_list(uarch, part, o.json, &why);

	if (!n)
		refuse(&why, EINVAL, "no metric for %s has '%s' in its name, group or text",
		       uarch->name, part ? part : "");
	return n > 0 ? 0 : complain_of_list(why.text);
}

int list_offline(const char **words)
{
	const struct uarch *uarch;
	struct evfiles files;
	const char *part;
	const bool metrics = take_metrics(words + 1, &part);
	struct reason why;
	int status;

	if (is_list_of_uarchs(words)) {
		list_uarchs();
		return 0;
	}
	if (offline_options_read(TAKER_NAMES, &OPTION_TARGETS(places), words + 1, &why))
		return complain_of_list(why.text);
	uarch = uarch_by_name(o.uarch);
	if (!uarch) {
		char like[64];

		uarch_suggest(o.uarch, like, sizeof(like));
		refuse(&why, EINVAL, "--uarch: there is no microarchitecture '%s'%s%s", o.uarch,
		       *like ? "; maybe " : "", like);
		return complain_of_list(why.text);
	}
	if (metrics)
		return list_metrics(uarch, part);
	if (evfiles_read_planned(&files, o.event_files.text, o.event_files.n, uarch, &why))
		return complain_of_list(why.text);
	status = list_events(uarch, evfiles_planned(&files, uarch));
	evfiles_free(&files);
	return status;
}
