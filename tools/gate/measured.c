// SPDX-License-Identifier: BSD-2-Clause
/* measured.c - see measured.h. */
#include "tools/gate/measured.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "tools/gate/perffile.h"
#include "tools/gate/gate_results.h"
#include "tools/out/sample_walk.h"
#include "tools/util/memory.h"
#include "tools/util/wholefile.h"

static void add_row(struct measured *out, enum measured_kind kind, const char *name, uint64_t value)
{
	out->row = memory_grow(out->row, out->n, sizeof(*out->row));
	out->row[out->n++] = (struct measured_row){copy_text(name, strlen(name)), kind, value};
}

static int compare_rows(const void *a, const void *b)
{
	const struct measured_row *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Sorts the rows, and merges rows of the same name. */
static void settle_rows(struct measured *out)
{
	size_t n = 0;

	if (out->n)
		qsort(out->row, out->n, sizeof(*out->row), compare_rows);
	for (size_t i = 0; i < out->n; i++) {
		if (n && !compare_rows(&out->row[n - 1], &out->row[i])) {
			out->row[n - 1].value += out->row[i].value;
			free(out->row[i].name);
		} else {
			out->row[n++] = out->row[i];
		}
	}
	out->n = n;
}

void measured_free(struct measured *measured)
{
	for (size_t i = 0; i < measured->n; i++)
		free(measured->row[i].name);
	free(measured->row);
	*measured = (struct measured){0};
}

/* Adds a row "BENCHMARK: NAME", or NAME if there is no benchmark. */
static void add_named(struct measured *out, enum measured_kind kind, const char *of,
		      const char *name, uint64_t value)
{
	struct buf full = {0};

	buf_printf(&full, "%s%s%s", of, *of ? ": " : "", name);
	add_row(out, kind, buf_text(&full), value);
	buf_free(&full);
}

/* --- Results of the gate --- */

static int read_results(struct measured *out, const struct buf *text, struct reason *why)
{
	struct gate_results results = {0};
	int err = gate_results_parse(&results, (const char *)text->data, text->size, why);

	for (size_t i = 0; i < results.n && !err; i++) {
		const struct result *row = &results.row[i];

		if (row->kind == RESULT_EVENT || row->kind == RESULT_FUNCTION)
			add_named(out,
				  row->kind == RESULT_EVENT ? MEASURED_EVENT : MEASURED_FUNCTION,
				  row->benchmark, row->name, row->value);
	}
	gate_results_free(&results);
	return err;
}

/* --- Lines of stat -j --- */

static const char *json_text(struct json_object *object, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(object, key, &value) ? json_object_get_string(value)
							      : NULL;
}

/* Objects of stat -j that are no count. */
static bool is_about_run(struct json_object *object)
{
	return json_object_is_type(object, json_type_object) &&
	       (json_object_object_get_ex(object, "noise", NULL) ||
		json_object_object_get_ex(object, "measured-on", NULL) ||
		json_object_object_get_ex(object, "kvm_host", NULL));
}

/* Takes an event of stat -j. "<not counted>" has no number. */
static int take_json(struct measured *out, struct json_object *object)
{
	const bool is_object = json_object_is_type(object, json_type_object);
	const char *event = is_object ? json_text(object, "event") : NULL;
	const char *value = is_object ? json_text(object, "counter-value") : NULL;
	char *end;
	double number;

	if (!event || !value)
		return -EINVAL;
	if (*value == '<')
		return 0;
	number = strtod(value, &end);
	if (*end || end == value || !(number >= 0) || number >= 0x1p64)
		return -EINVAL;
	add_row(out, MEASURED_EVENT, event, (uint64_t)number);
	return 0;
}

/*
 * Reads lines of stat -j. perf's own file begins with a line "# started on ..." and an empty one.
 */
static int read_json_lines(struct measured *out, const struct buf *text, struct reason *why)
{
	char *copy = copy_text((const char *)text->data, text->size), *rest = copy, *line;
	size_t number = 0, found = 0;
	int err = 0;

	while (!err && (line = strsep(&rest, "\n"))) {
		struct json_object *object;

		number++;
		if (strncmp(line, "{\"", 2))
			continue;
		object = json_tokener_parse(line);
		if (!is_about_run(object)) {
			err = take_json(out, object);
			found++;
		}
		if (err)
			refuse(why, EINVAL, "line %zu: this is no count of stat -j", number);
		json_object_put(object);
	}
	free(copy);
	if (!err && !found)
		err = refuse(why, EINVAL, "there is no count in it");
	return err;
}

/* --- Recordings --- */

/* Returns the event's name if there are several events, which each have their own functions. */
static const char *sampled_event(const struct stream_command *command, const struct sample *sample)
{
	return command->nevents > 1 && sample->event ? sample->event->name : "";
}

static void add_place(struct measured *out, const struct place *place, const char *event,
		      uint64_t weight)
{
	const char *file = place->path ? strrchr(place->path, '/') : NULL, *source;
	const unsigned line = place_line(place, &source);
	struct buf name = {0};

	file = file ? file + 1 : place->path ? place->path : "unknown";
	if (place->symbol)
		add_named(out, MEASURED_FUNCTION, event, place->symbol->name, weight);
	else
		buf_printf(&name, "[%s]", file);
	if (name.size)
		add_named(out, MEASURED_FUNCTION, event, buf_text(&name), weight);
	name.size = 0;
	if (line) {
		buf_printf(&name, "%s:%u", source, line);
		add_named(out, MEASURED_LINE, event, buf_text(&name), weight);
	}
	buf_free(&name);
}

#define SETTLE_AT 65536 /* rows; a recording has millions of samples, but few functions */

static void add_recording(struct measured *out, const struct stream *stream,
			  const struct stream_command *command, struct elf_image *elf)
{
	struct sample sample;
	struct walk walk;

	walk_start(&walk, stream, command, elf);
	while (walk_next(&walk, &sample)) {
		const struct place place =
			places_find(&walk.places, sample.pid, sample.ip, sample.kernel);

		add_place(out, &place, sampled_event(command, &sample), sample_weight(&sample));
		if (out->n >= SETTLE_AT)
			settle_rows(out);
	}
	walk_end(&walk);
}

static size_t count_measured(const struct stream *stream)
{
	size_t n = 0;

	for (size_t i = 0; i < stream->ncommands; i++)
		n += stream->commands[i].ncounts || stream_is_recording(&stream->commands[i]);
	return n;
}

/* Names a command, such as "2 stat", if several commands measured; otherwise "". */
static void name_command(struct buf *out, const struct stream_command *command, size_t n)
{
	out->size = 0;
	if (n > 1)
		buf_printf(out, "%u %.*s", command->number, (int)strcspn(command->line, " "),
			   command->line);
}

static int take_stream(struct measured *out, const struct stream *stream, struct reason *why)
{
	const size_t n = count_measured(stream);
	static struct elf_image elf;
	struct buf of = {0};
	struct reason ignored;
	const bool has_elf = stream->has_hello && !elf_image_find(&elf, &stream->hello, &ignored);

	for (size_t i = 0; i < stream->ncommands; i++) {
		const struct stream_command *command = &stream->commands[i];

		name_command(&of, command, n);
		for (size_t k = 0; k < command->ncounts; k++)
			if (!command->counts[k].count.error)
				add_named(out, MEASURED_EVENT, buf_text(&of),
					  command->counts[k].name,
					  stream_scaled_count(&command->counts[k].count));
		if (stream_is_recording(command))
			add_recording(out, stream, command, has_elf ? &elf : NULL);
	}
	buf_free(&of);
	return n ? 0 : refuse(why, EINVAL, "nothing was counted or recorded in it");
}

static int read_recording(struct measured *out, const char *path, const struct buf *bytes,
			  measured_stored *stored, struct reason *why)
{
	struct stream stream;
	int err;

	stream_init(&stream);
	err = perffile_is(bytes->data, bytes->size)
		      ? perffile_read(&stream, bytes->data, bytes->size, why)
		      : stored(path, &stream, why);
	if (!err)
		err = take_stream(out, &stream, why);
	stream_free(&stream);
	return err;
}

static bool begins_with(const struct buf *bytes, const char *text)
{
	return bytes->size >= strlen(text) && !memcmp(bytes->data, text, strlen(text));
}

static bool has_json_line(const struct buf *bytes)
{
	return begins_with(bytes, "{\"") || (bytes->size && !memchr(bytes->data, 0, bytes->size) &&
					     memmem(bytes->data, bytes->size, "\n{\"", 3));
}

int measured_read(struct measured *out, const char *path, measured_stored *stored,
		  struct reason *why)
{
	struct buf bytes = {0};
	struct reason what;
	int err = text_file_read(&bytes, path, why);

	if (err)
		return err;
	if (begins_with(&bytes, "# perf0 gate"))
		err = read_results(out, &bytes, &what);
	else if (has_json_line(&bytes))
		err = read_json_lines(out, &bytes, &what);
	else
		err = read_recording(out, path, &bytes, stored, &what);
	buf_free(&bytes);
	settle_rows(out);
	return err ? refuse(why, -err, "%s: %s", path, what.text) : 0;
}
