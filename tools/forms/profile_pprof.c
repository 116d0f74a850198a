// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_pprof.c - writes pprof's profile.proto (github.com/google/pprof, proto/profile.proto). A
 * sample is a calling context. Each function is one location, because contexts have no lines.
 */
#include "tools/forms/profile_out.h"

#include <string.h>

#include "tools/forms/gzip.h"
#include "tools/forms/profile_stack.h"
#include "tools/forms/protobuf.h"
#include "tools/util/index.h"

/* Numbers of fields. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE,
	PROFILE_MAPPING,
	PROFILE_LOCATION,
	PROFILE_FUNCTION,
	PROFILE_STRING,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_TYPE
};
enum { TYPE_NAME = 1, TYPE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES };
enum { MAPPING_ID = 1, MAPPING_LIMIT = 3, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_NUMBER };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_LINE };

struct pprof {
	const struct profile_source *source;
	const struct profile *profile;
	struct buf out, message, part;
	struct buf strings;   /* the fields of the table of strings */
	struct index by_text; /* number of a string */
	size_t nstrings;
	struct index by_object; /* number of a mapping, by the address of its struct code_object */
	size_t nmappings;
};

static size_t string_number(struct pprof *p, const char *text)
{
	const size_t known = index_find_text(&p->by_text, text);

	if (known != INDEX_NONE)
		return known;
	index_add_text(&p->by_text, text, p->nstrings);
	protobuf_bytes(&p->strings, PROFILE_STRING, text, strlen(text));
	return p->nstrings++;
}

/* Identifiers begin with 1. Behind the rows are unknown code, and the end of a cut stack. */
static uint64_t frame_id(const struct pprof *p, uint32_t row)
{
	if (row == PROFILE_NO_ROW)
		return p->profile->nrows + 1;
	return row == PROFILE_CUT_ROW ? p->profile->nrows + 2 : row + 1ull;
}

static void add_types(struct pprof *p)
{
	for (size_t i = 0; i < p->profile->nevents; i++) {
		protobuf_number(&p->message, TYPE_NAME,
				string_number(p, p->profile->event[i].name));
		protobuf_number(&p->message, TYPE_UNIT, string_number(p, "count"));
		protobuf_message(&p->out, PROFILE_SAMPLE_TYPE, &p->message);
	}
}

static void add_sample(struct pprof *p, size_t i)
{
	const struct profile_context *context = &p->profile->context[i];
	uint32_t row[PROFILE_STACK_MOST];
	const size_t n = profile_stack(p->profile, i, row);

	if (profile_is_zero(&context->self))
		return;
	for (size_t k = 0; k < n; k++)
		protobuf_varint(&p->part, frame_id(p, row[k]));
	protobuf_message(&p->message, SAMPLE_LOCATIONS, &p->part);
	for (size_t k = 0; k < p->profile->nevents; k++)
		protobuf_varint(&p->part, context->self.of[k]);
	protobuf_message(&p->message, SAMPLE_VALUES, &p->part);
	protobuf_message(&p->out, PROFILE_SAMPLE, &p->message);
}

static size_t mapping_id(struct pprof *p, const struct code_object *object)
{
	const size_t known = index_find(&p->by_object, (uintptr_t)object, 0);

	if (known != INDEX_NONE)
		return known;
	index_set(&p->by_object, (uintptr_t)object, 0, ++p->nmappings);
	protobuf_number(&p->message, MAPPING_ID, p->nmappings);
	protobuf_number(&p->message, MAPPING_LIMIT, UINT64_MAX);
	protobuf_number(&p->message, MAPPING_FILE, string_number(p, profile_object_name(object)));
	protobuf_number(&p->message, MAPPING_HAS_FUNCTIONS, 1);
	protobuf_message(&p->out, PROFILE_MAPPING, &p->message);
	return p->nmappings;
}

static void add_pprof_function(struct pprof *p, uint64_t id, const char *name,
			       const struct source_place *at)
{
	protobuf_number(&p->message, FUNCTION_ID, id);
	protobuf_number(&p->message, FUNCTION_NAME, string_number(p, name));
	protobuf_number(&p->message, FUNCTION_SYSTEM_NAME, string_number(p, name));
	if (at->file) {
		protobuf_number(&p->message, FUNCTION_FILE, string_number(p, at->file));
		protobuf_number(&p->message, FUNCTION_LINE, at->line);
	}
	protobuf_message(&p->out, PROFILE_FUNCTION, &p->message);
}

static void add_location(struct pprof *p, uint64_t id, size_t mapping, uint64_t address,
			 unsigned line)
{
	protobuf_number(&p->message, LOCATION_ID, id);
	protobuf_number(&p->message, LOCATION_MAPPING, mapping);
	protobuf_number(&p->message, LOCATION_ADDRESS, address);
	protobuf_number(&p->part, LINE_FUNCTION, id);
	protobuf_number(&p->part, LINE_NUMBER, line);
	protobuf_message(&p->message, LOCATION_LINE, &p->part);
	protobuf_message(&p->out, PROFILE_LOCATION, &p->message);
}

static void add_pprof_row(struct pprof *p, size_t i)
{
	const struct profile_row *row = &p->profile->row[i];
	const struct source_place *at = &p->source->lines->of_row[i];

	add_pprof_function(p, i + 1, row->name, at);
	add_location(p, i + 1, mapping_id(p, row->object), row->address, at->line);
}

static void add_nameless(struct pprof *p, uint32_t row)
{
	add_pprof_function(p, frame_id(p, row), profile_frame_name(p->profile, row),
			   &(struct source_place){0});
	add_location(p, frame_id(p, row), 0, 0, 0);
}

static void add_remarks(struct pprof *p)
{
	struct buf command = {0};

	profile_add_command(&command, p->source);
	protobuf_number(&p->out, PROFILE_COMMENT, string_number(p, buf_text(&command)));
	protobuf_number(&p->out, PROFILE_DEFAULT_TYPE, string_number(p, p->profile->event[0].name));
	buf_free(&command);
}

void profile_pprof(struct buf *out, const struct profile_source *source)
{
	struct pprof p = {.source = source, .profile = source->profile};

	string_number(&p, "");
	add_types(&p);
	for (size_t i = 0; i < p.profile->ncontexts; i++)
		add_sample(&p, i);
	for (size_t i = 0; i < p.profile->nrows; i++)
		add_pprof_row(&p, i);
	add_nameless(&p, PROFILE_NO_ROW);
	add_nameless(&p, PROFILE_CUT_ROW);
	add_remarks(&p);
	buf_add(&p.out, p.strings.data, p.strings.size);
	gzip_stored(out, &p.out);
	index_free(&p.by_text);
	index_free(&p.by_object);
	buf_free(&p.out);
	buf_free(&p.message);
	buf_free(&p.part);
	buf_free(&p.strings);
}
