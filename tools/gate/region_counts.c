// SPDX-License-Identifier: BSD-2-Clause
/* region_counts.c - see region_counts.h. */
#include "tools/gate/region_counts.h"

#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "tools/gate/gate_events.h"
#include "tools/util/memory.h"

#define BETWEEN ": " /* of a region and an event, which has no blank */

static const char *text_at_key(struct json_object *object, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(object, key, &value) ? json_object_get_string(value)
							      : NULL;
}

/* The rows of this benchmark are the last ones. */
static bool has_region_row(const struct gate_results *results, const char *benchmark,
			   const char *name)
{
	for (size_t i = results->n; i-- && !strcmp(results->row[i].benchmark, benchmark);)
		if (results->row[i].kind == RESULT_INSIDE && !strcmp(results->row[i].name, name))
			return true;
	return false;
}

static bool add_region_count(struct gate_results *results, const char *benchmark,
			     struct json_object *object, const char *uarch)
{
	const char *region = text_at_key(object, "region"), *event = text_at_key(object, "event"),
		   *value = text_at_key(object, "counter-value");
	struct buf name = {0}, scratch = {0};

	if (!region || !event || !value || *value == '<')
		return false;
	buf_printf(&name, "%s" BETWEEN "%s", region, gate_events_name(event, uarch, &scratch));
	if (!has_region_row(results, benchmark, buf_text(&name)))
		gate_results_add(results, benchmark, RESULT_INSIDE, buf_text(&name),
				 strtoull(value, NULL, 10));
	buf_free(&scratch);
	buf_free(&name);
	return true;
}

bool region_counts_add(struct gate_results *results, const char *benchmark, const struct buf *lines,
		       const char *uarch)
{
	char *copy = copy_text((const char *)lines->data, lines->size), *rest = copy, *line;
	bool found = false;

	while ((line = strsep(&rest, "\n"))) {
		struct json_object *object = *line == '{' ? json_tokener_parse(line) : NULL;

		if (json_object_is_type(object, json_type_object))
			found |= add_region_count(results, benchmark, object, uarch);
		json_object_put(object);
	}
	free(copy);
	return found;
}

const char *region_counts_event(const char *name)
{
	const char *event = name;

	for (const char *at = name; (at = strstr(at, BETWEEN)); at += strlen(BETWEEN))
		event = at + strlen(BETWEEN);
	return event;
}
