// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_evfile.c - any bytes as an event file (`--event-file`): its events are in range and are
 * found by their names, or a sentence that begins with the file's name says what is wrong.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/events/evfile.h"

#define PATH "events.json"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_event(const struct evfile *file, const struct evfile_event *event)
{
	const struct evfile_event *found = evfile_find(file, event->name);

	if (!event->ways || event->ways > EVFILE_WAYS || !found ||
	    strcasecmp(found->name, event->name) != 0)
		abort();
	evfile_config(event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reason why = {""};
	struct evfile file;

	if (!evfile_parse(&file, PATH, (const char *)data, size, &why))
		for (size_t i = 0; i < file.n; i++)
			check_event(&file, &file.events[i]);
	else if (strncmp(why.text, PATH, strlen(PATH)) != 0)
		abort();
	evfile_free(&file);
	return 0;
}
