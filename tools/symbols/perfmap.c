// SPDX-License-Identifier: BSD-2-Clause
/* perfmap.c - see perfmap.h. */
#include "tools/symbols/perfmap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/buf.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"

struct perfmap {
	uint32_t pid;
	char *path; /* NULL: it was read already */
	struct symbols *symbols;
};

static struct {
	struct perfmap *one;
	size_t n;
} noted;

static const char *const perfmap_names[] = {"perf-%u.map", "jit-%u.dump"};

/* Parses the names of perf maps and jitdumps, and no other. */
static bool read_pid(const char *guest, uint32_t *pid)
{
	const char *slash = strrchr(guest, '/'), *name = slash ? slash + 1 : guest;
	const char *digits = strchr(name, '-');
	char wanted[32];

	if (!digits || sscanf(digits, "-%9u", pid) != 1)
		return false;
	for (size_t i = 0; i < sizeof(perfmap_names) / sizeof(perfmap_names[0]); i++) {
		snprintf(wanted, sizeof(wanted), perfmap_names[i], *pid);
		if (!strcmp(name, wanted))
			return true;
	}
	return false;
}

static struct perfmap *find_noted(uint32_t pid)
{
	for (size_t i = 0; i < noted.n; i++)
		if (noted.one[i].pid == pid)
			return &noted.one[i];
	return NULL;
}

bool perfmap_note(const char *guest, const char *path)
{
	struct perfmap *map;
	uint32_t pid;

	if (!read_pid(guest, &pid))
		return false;
	map = find_noted(pid);
	if (!map) {
		noted.one = memory_grow(noted.one, noted.n, sizeof(*noted.one));
		map = &noted.one[noted.n++];
		*map = (struct perfmap){.pid = pid};
	}
	free(map->path);
	symbols_close(map->symbols);
	map->symbols = NULL;
	map->path = copy_text(path, strlen(path));
	return true;
}

/* The map is read for the first sample of its process. */
const struct symbols *perfmap_symbols(uint32_t pid)
{
	struct perfmap *map = find_noted(pid);
	struct reason why;

	if (map && map->path) {
		map->symbols = symbols_open_perfmap(map->path, &why);
		if (!map->symbols)
			message("perf0: %s", why.text);
		free(map->path);
		map->path = NULL;
	}
	return map ? map->symbols : NULL;
}

size_t perfmap_all(const struct symbols **map, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < noted.n && n < most; i++)
		if ((map[n] = perfmap_symbols(noted.one[i].pid)))
			n++;
	return n;
}
