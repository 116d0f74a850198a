// SPDX-License-Identifier: BSD-2-Clause
/* debuginfod.c - see debuginfod.h. The library is loaded on first use, because it loads curl. */
#include "tools/symbols/debuginfod.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/clock.h"
#include "tools/util/message.h"

#define WAIT_MOST   60000 /* ms, for all files together */
#define TELL_PERIOD 5000  /* ms */

static struct {
	bool is_loaded, is_over; /* the library was searched for; fetching has ended for good */
	__typeof__(&debuginfod_begin) begin;
	__typeof__(&debuginfod_find_debuginfo) find;
	__typeof__(&debuginfod_set_progressfn) set_progress;
	__typeof__(&debuginfod_end) end;
	const char *path;            /* the file whose debug file is fetched */
	uint64_t start, told, spent; /* ms */
} servers;

static void load_function(void *library, const char *name, void *to)
{
	void *found = dlsym(library, name);

	memcpy(to, &found, sizeof(found));
	servers.is_over |= !found;
}

static void load_library(void)
{
	void *library = dlopen(DEBUGINFOD_SONAME, RTLD_NOW | RTLD_LOCAL);

	servers.is_loaded = true;
	servers.is_over = !library;
	if (!library) {
		message("perf0: DEBUGINFOD_URLS is set, but there is no libdebuginfod here");
		return;
	}
	load_function(library, "debuginfod_begin", &servers.begin);
	load_function(library, "debuginfod_find_debuginfo", &servers.find);
	load_function(library, "debuginfod_set_progressfn", &servers.set_progress);
	load_function(library, "debuginfod_end", &servers.end);
}

/* The library calls this about once a second. A result other than 0 ends the transfer. */
static int on_progress(debuginfod_client *client, long done, long all)
{
	const uint64_t now = clock_now_ms();

	(void)client;
	if (now - servers.told >= TELL_PERIOD) {
		servers.told = now;
		message("perf0: debuginfod: %ld of %ld kB for %s", done / 1000,
			all > 0 ? all / 1000 : 0, servers.path);
	}
	return servers.spent + (now - servers.start) > WAIT_MOST;
}

static int ask_for(const uint8_t *id, size_t n)
{
	debuginfod_client *client = servers.begin();
	char *cached = NULL;
	int fd;

	if (!client)
		return -ENOMEM;
	servers.set_progress(client, on_progress);
	fd = servers.find(client, id, (int)n, &cached);
	free(cached);
	servers.end(client);
	return fd;
}

/* Ends fetching, unless the server only lacks this file: the next file may be there. */
static void give_up_on(int err, const char *path)
{
	const bool is_late = servers.spent > WAIT_MOST;

	if (err == -ENOENT && !is_late)
		return;
	servers.is_over = true;
	message("perf0: debuginfod: no debug file for %s (%s); no other is asked for", path,
		is_late ? "60 s are over" : strerror(-err));
}

int debuginfod_fetch(const uint8_t *id, size_t n, const char *path)
{
	const char *urls = getenv(DEBUGINFOD_URLS_ENV_VAR);
	int fd;

	if (!urls || !*urls || servers.is_over)
		return -1;
	if (!servers.is_loaded)
		load_library();
	if (servers.is_over)
		return -1;
	servers.path = path;
	servers.start = servers.told = clock_now_ms();
	fd = ask_for(id, n);
	servers.spent += clock_now_ms() - servers.start;
	if (fd < 0)
		give_up_on(fd, path);
	return fd < 0 ? -1 : fd;
}

void debuginfod_never(void)
{
	servers.is_over = servers.is_loaded = true;
}
