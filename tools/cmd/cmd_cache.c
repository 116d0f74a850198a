// SPDX-License-Identifier: BSD-2-Clause
/* cmd_cache.c - `perf0 cache`: manages the saved machines from which runs start. */
#include "tools/cmd/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/words/near.h"
#include "tools/saved/cache.h"
#include "tools/machine/session.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

#define MIB (UINT64_C(1) << 20)

static uint64_t in_mib(uint64_t bytes)
{
	return (bytes + MIB - 1) / MIB;
}

static int complain_cache(const struct reason *why)
{
	message("perf0 cache: %s", why->text);
	return STATUS_FAILED;
}

static void print_entry(const struct cache_entry *entry)
{
	char used[sizeof("2026-01-01 00:00:00")] = "";
	struct tm tm;

	if (localtime_r(&entry->used.tv_sec, &tm))
		strftime(used, sizeof(used), "%F %T", &tm);
	printf("%6" PRIu64 " MiB  %s  %s\n", in_mib(entry->bytes), used,
	       entry->title[0] ? entry->title : "(damaged, or saved with another key)");
}

static int list_machines(const struct options *options)
{
	struct cache_entries entries;
	char folder[PATH_MAX];
	struct reason why;
	uint64_t limit;

	(void)options;
	if (cache_folder(folder, &why) || cache_limit(&limit, &why) || cache_list(&entries, &why))
		return complain_cache(&why);
	if (entries.n)
		puts("      size  last used            machine");
	for (size_t i = entries.n; i--;)
		print_entry(&entries.entry[i]);
	printf("%zu machine%s, %" PRIu64 " of %" PRIu64 " MiB, in %s\n", entries.n,
	       entries.n == 1 ? "" : "s", in_mib(entries.bytes), in_mib(limit), folder);
	free(entries.entry);
	return 0;
}

static int remove_machines(const struct options *options)
{
	struct cache_entries entries;
	struct reason why;

	(void)options;
	if (cache_clean(&entries, &why)) {
		free(entries.entry);
		return complain_cache(&why);
	}
	printf("%zu machine%s removed, %" PRIu64 " MiB\n", entries.n, entries.n == 1 ? "" : "s",
	       in_mib(entries.bytes));
	free(entries.entry);
	return 0;
}

/* Prints the key of a machine, which names the file of its saved state. */
static int print_key(const struct options *options)
{
	char key[CACHE_KEY_MAX];
	struct reason why;

	if (session_key(&options->machine, key, &why))
		return complain_cache(&why);
	puts(key);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(const struct options *options);
} actions[] = {
	{"list", list_machines},
	{"clean", remove_machines},
	{"warm", session_save},
	{"key", print_key},
};

static int refuse_action(const char *word)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (!near_word(word, strlen(word), actions[i].name))
			continue;
		message("perf0 cache: '%s' is not list, clean, warm or key; did you mean '%s'?",
			word, actions[i].name);
		return STATUS_USAGE;
	}
	message("perf0 cache: '%s' is not list, clean, warm or key", word);
	return STATUS_USAGE;
}

int cmd_cache(const struct options *options, const char **words)
{
	const char *action = words[1];

	if (!action) {
		message("perf0 cache: list, clean, warm or key is needed; see `perf0 help cache`");
		return STATUS_USAGE;
	}
	if (words[2]) {
		message("perf0 cache %s: there is a word too many: '%s'", action, words[2]);
		return STATUS_USAGE;
	}
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (!strcmp(action, actions[i].name))
			return actions[i].run(options);
	return refuse_action(action);
}
