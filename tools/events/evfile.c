// SPDX-License-Identifier: BSD-2-Clause
/* evfile.c - see evfile.h. */
#include "tools/events/evfile.h"

#include "pmu/uarch/uarch.h"
#include "tools/util/buf.h"
#include "tools/util/wholefile.h"

#include <ctype.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_SIZE     (256u << 20)
#define MAX_COUNTER  31 /* highest number of each kind */
#define UMASK2_SHIFT 40

/* The state of reading an event, with its place for messages. */
struct reader {
	const char *path;
	size_t index;
	struct json_object *object;
	struct evfile_event *event;
	struct evfile *file;
	struct reason *why;
};

static int refuse_field(const struct reader *r, const char *what, const char *key,
			const char *value)
{
	const char *name = r->event->name ? r->event->name : "";

	return refuse(r->why, EINVAL, "%s: event %zu%s%s%s: %s%s%s%s%s", r->path, r->index + 1,
		      *name ? " (" : "", name, *name ? ")" : "", key, value ? " '" : "",
		      value ? value : "", value ? "' " : " ", what);
}

/* Returns a member's text; NULL: it is missing, or is neither text nor a number. */
static const char *member_text(const struct reader *r, const char *key)
{
	struct json_object *member;

	if (!json_object_object_get_ex(r->object, key, &member) ||
	    (!json_object_is_type(member, json_type_string) &&
	     !json_object_is_type(member, json_type_int)))
		return NULL;
	return json_object_get_string(member);
}

static bool has_json_value(const struct reader *r, const char *key)
{
	struct json_object *member;

	return json_object_object_get_ex(r->object, key, &member) && member;
}

static const char *after_blanks(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/*
 * Reads a decimal or 0x number at `*text`. Returns false if there is none, or if it exceeds `max`.
 */
static bool read_unsigned(const char **text, uint64_t max, uint64_t *value)
{
	char *end;

	*text = after_blanks(*text);
	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	*value = strtoull(*text, &end, strncasecmp(*text, "0x", 2) ? 10 : 16);
	if (errno || *value > max)
		return false;
	*text = after_blanks(end);
	return true;
}

/* Reads a member with one number; a missing or empty one is 0. */
static int read_number_field(const struct reader *r, const char *key, uint64_t max, uint64_t *value)
{
	const char *text = member_text(r, key), *at = text;

	*value = 0;
	if (!has_json_value(r, key) || (text && !*after_blanks(text)))
		return 0;
	if (!text || !read_unsigned(&at, max, value) || *at)
		return refuse_field(r, "is not a number that fits", key, text);
	return 0;
}

/* Reads a member with numbers separated by commas; a missing or empty one has none. */
static int read_number_list(const struct reader *r, const char *key, uint64_t max, uint64_t *value,
			    unsigned *n)
{
	const char *text = member_text(r, key), *at = text;

	*n = 0;
	if (!has_json_value(r, key) || (text && !*after_blanks(text)))
		return 0;
	do {
		if (!text || *n == EVFILE_WAYS || !read_unsigned(&at, max, &value[*n]))
			return refuse_field(r, "is not a list of up to 4 numbers that fit", key,
					    text);
		++*n;
	} while (*at == ',' && at++);
	return *at ? refuse_field(r, "is not a list of up to 4 numbers that fit", key, text) : 0;
}

/* Parses "0,1,2,3", or "Fixed counter 1" with or without blanks. */
static bool read_counters(const char *text, uint64_t *mask)
{
	bool fixed = false;
	uint64_t n;

	*mask = 0;
	text = after_blanks(text);
	if (!strncasecmp(text, "fixed", 5)) {
		fixed = true;
		text = after_blanks(text + 5);
		if (!strncasecmp(text, "counter", 7))
			text += 7;
	}
	do {
		if (!read_unsigned(&text, MAX_COUNTER, &n))
			return false;
		*mask |= fixed ? UARCH_FIXED(n) : 1ull << n;
	} while (*text == ',' && text++);
	return !*text;
}

static int read_counter_field(const struct reader *r, const char *key, uint64_t *mask)
{
	const char *text = member_text(r, key);

	if (!text || !read_counters(text, mask))
		return refuse_field(r, "is not a list of counters", key, text);
	return 0;
}

static int all_counters(const struct reader *r)
{
	uint64_t *mask = r->event->counters;
	const char *off = member_text(r, "CounterHTOff");
	int err = read_counter_field(r, "Counter", &mask[true]);

	mask[false] = mask[true];
	if (err || !has_json_value(r, "CounterHTOff") || (off && !*after_blanks(off)))
		return err;
	return read_counter_field(r, "CounterHTOff", &mask[false]);
}

/* Reads the part of `select` that all encodings share. */
static int common_select(const struct reader *r, uint64_t *select)
{
	static const struct {
		const char *key;
		uint64_t max;
		unsigned shift;
	} parts[] = {
		{"CounterMask", 0xff, 24},
		{"Invert", 1, 23},
		{"EdgeDetect", 1, 18},
		{"AnyThread", 1, 21},
		{"UMaskExt", 0xff, UMASK2_SHIFT},
	};

	*select = 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		uint64_t value;
		int err = read_number_field(r, parts[i].key, parts[i].max, &value);

		if (err)
			return err;
		*select |= value << parts[i].shift;
	}
	return 0;
}

/*
 * Keeps the encoding of one off-core register; the others cannot use it. In general, several codes
 * or unit masks are as many encodings. A single one of the other kind, or a single register,
 * belongs to all of them.
 */
static void keep_way_of(struct evfile_event *e, uint32_t msr)
{
	unsigned way = msr - MSR_OFFCORE_RSP_0 < e->ways ? msr - MSR_OFFCORE_RSP_0 : 0;

	e->select[0] = e->select[way];
	for (unsigned i = 1; i < e->ways; i++)
		e->select[i] = e->msr[i] = 0;
	e->ways = 1;
}

/* Returns number `i` of a list. A list of one number has it for all. */
static uint64_t pick_number(const uint64_t *list, unsigned n, unsigned i)
{
	return list[i < n ? i : n - 1];
}

static int read_ways(const struct reader *r)
{
	uint64_t code[EVFILE_WAYS], umask[EVFILE_WAYS], msr[EVFILE_WAYS], common;
	struct evfile_event *e = r->event;
	unsigned ncodes, numasks, nmsrs;
	int err = read_number_list(r, "EventCode", 0xff, code, &ncodes);

	if (!err && !ncodes)
		err = refuse_field(r, "is missing", "EventCode", NULL);
	if (!err)
		err = read_number_list(r, "UMask", 0xff, umask, &numasks);
	if (!err)
		err = read_number_list(r, "MSRIndex", UINT32_MAX, msr, &nmsrs);
	if (!err)
		err = common_select(r, &common);
	if (err)
		return err;
	if (!numasks)
		umask[numasks++] = 0;
	e->ways = ncodes > numasks ? ncodes : numasks;
	for (unsigned i = 0; i < e->ways; i++) {
		e->select[i] = common | UARCH_SELECT(pick_number(code, ncodes, i),
						     pick_number(umask, numasks, i));
		e->msr[i] = nmsrs ? (uint32_t)pick_number(msr, nmsrs, i) : 0;
	}
	if (nmsrs == 1 && msr[0])
		keep_way_of(e, e->msr[0]);
	return read_number_field(r, "MSRValue", UINT64_MAX, &e->msr_value);
}

static int read_flag_fields(const struct reader *r)
{
	uint64_t pebs, alone, deprecated;
	int err = read_number_field(r, "PEBS", EVFILE_ONLY_PRECISE, &pebs);

	if (!err)
		err = read_number_field(r, "TakenAlone", 1, &alone);
	if (!err)
		err = read_number_field(r, "Deprecated", 1, &deprecated);
	if (err)
		return err;
	r->event->pebs = (enum evfile_pebs)pebs;
	r->event->taken_alone = alone;
	r->event->deprecated = deprecated;
	return 0;
}

/* Refuses files of the uncore. They have the same format, but other counters. */
static int check_event_unit(const struct reader *r)
{
	static const struct {
		const char *unit;
		uint8_t core;
	} units[] = {{"cpu", 0}, {"core", 0}, {"cpu_core", UARCH_CORE}, {"cpu_atom", UARCH_ATOM}};
	const char *unit = member_text(r, "Unit");

	if (!has_json_value(r, "Unit"))
		return 0;
	for (size_t i = 0; unit && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcasecmp(unit, units[i].unit))
			continue;
		if (units[i].core)
			r->file->core = units[i].core;
		return 0;
	}
	return refuse_field(r, "is not the core", "Unit", unit);
}

static int read_event(struct reader *r)
{
	const char *name, *description;
	int err;

	if (!json_object_is_type(r->object, json_type_object))
		return refuse_field(r, "is not an object", "it", NULL);
	name = member_text(r, "EventName");
	if (!name || !*name)
		return refuse_field(r, "is missing", "EventName", NULL);
	description = member_text(r, "BriefDescription");
	r->event->name = copy_text(name, strlen(name));
	r->event->description =
		copy_text(description ? description : "", description ? strlen(description) : 0);
	err = check_event_unit(r);
	if (!err)
		err = read_ways(r);
	if (!err)
		err = all_counters(r);
	return err ? err : read_flag_fields(r);
}

static struct json_object *find_json_events(struct json_object *root)
{
	struct json_object *events = root;

	if (json_object_is_type(root, json_type_object) &&
	    !json_object_object_get_ex(root, "Events", &events))
		return NULL;
	return json_object_is_type(events, json_type_array) ? events : NULL;
}

/* Returns the machine's name in the file's header, allocated; NULL: none. */
static char *copy_info(struct json_object *root)
{
	struct json_object *header, *info;

	if (!json_object_is_type(root, json_type_object) ||
	    !json_object_object_get_ex(root, "Header", &header) ||
	    !json_object_is_type(header, json_type_object) ||
	    !json_object_object_get_ex(header, "Info", &info) ||
	    !json_object_is_type(info, json_type_string))
		return NULL;
	return copy_text(json_object_get_string(info), (size_t)json_object_get_string_len(info));
}

static int read_events(struct evfile *file, const char *path, struct json_object *root,
		       struct reason *why)
{
	struct json_object *events = find_json_events(root);
	size_t n = events ? json_object_array_length(events) : 0;
	int err = 0;

	if (!n)
		return refuse(why, EINVAL, "%s: there is no list of events in it", path);
	file->events = calloc(n, sizeof(*file->events));
	file->info = file->events ? copy_info(root) : NULL;
	if (!file->events)
		return refuse(why, ENOMEM, "%s: not enough memory for %zu events", path, n);
	for (; file->n < n && !err; file->n++) {
		struct reader r = {path,
				   file->n,
				   json_object_array_get_idx(events, file->n),
				   &file->events[file->n],
				   file,
				   why};

		err = read_event(&r);
	}
	if (err)
		evfile_free(file);
	return err;
}

/* Returns the single JSON value in `text`; NULL with the reason. */
static struct json_object *parse_json(const char *path, const char *text, size_t size,
				      struct reason *why)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *root;
	enum json_tokener_error err;
	size_t end;

	if (!tokener) {
		refuse(why, ENOMEM, "%s: not enough memory", path);
		return NULL;
	}
	root = json_tokener_parse_ex(tokener, text, (int)size);
	err = json_tokener_get_error(tokener);
	end = json_tokener_get_parse_end(tokener);
	json_tokener_free(tokener);
	while (end < size && isspace((unsigned char)text[end]))
		end++;
	if (root && end == size)
		return root;
	json_object_put(root);
	refuse(why, EINVAL, "%s: byte %zu: %s", path, end,
	       err == json_tokener_continue ? "the JSON text ends too early"
	       : err                        ? json_tokener_error_desc(err)
					    : "something follows the JSON text");
	return NULL;
}

int evfile_parse(struct evfile *file, const char *path, const char *text, size_t size,
		 struct reason *why)
{
	struct json_object *root;
	int err;

	*file = (struct evfile){0};
	if (size > MAX_SIZE)
		return refuse(why, EFBIG, "%s: larger than any event file", path);
	/* some files begin with UTF-8's byte order mark */
	if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
		text += 3;
		size -= 3;
	}
	root = parse_json(path, text, size, why);
	if (!root)
		return -EINVAL;
	err = read_events(file, path, root, why);
	json_object_put(root);
	return err;
}

int evfile_read(struct evfile *file, const char *path, struct reason *why)
{
	struct buf text = {0};
	int err = whole_file_read(&text, path, MAX_SIZE, why);

	*file = (struct evfile){0};
	if (!err)
		err = evfile_parse(file, path, buf_text(&text), text.size, why);
	buf_free(&text);
	return err;
}

void evfile_free(struct evfile *file)
{
	for (size_t i = 0; i < file->n; i++) {
		free(file->events[i].name);
		free(file->events[i].description);
	}
	free(file->events);
	free(file->info);
	*file = (struct evfile){0};
}

const struct evfile_event *evfile_find(const struct evfile *file, const char *name)
{
	for (size_t i = 0; i < file->n; i++)
		if (!strcasecmp(file->events[i].name, name))
			return &file->events[i];
	return NULL;
}

#define FIXED_INSTRUCTIONS UARCH_SELECT(0x00, 0x01)
#define FIXED_CYCLES       UARCH_SELECT(0x00, 0x02)

uint64_t evfile_config(const struct evfile_event *event)
{
	const uint64_t select = event->select[0];

	/* INST_RETIRED.PREC_DIST has the same code, but is another event */
	if (select == FIXED_INSTRUCTIONS && !strcasestr(event->name, "PREC_DIST"))
		return UARCH_SELECT(0xc0, 0x00);
	return select == FIXED_CYCLES ? UARCH_SELECT(0x3c, 0x00) : select;
}
