// SPDX-License-Identifier: BSD-2-Clause
/* keep.c - see keep.h. */
#include "rt/console/keep.h"

#include "arch/x86/mem/paging.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "rt/console/command.h"
#include "rt/print/print.h"
#include "rt/portable/result_json.h"
#include "rt/wire/kept.h"

#define SHARE_OF_FREE 4 /* each kind of results may take this part of free memory */
#define SHARE_OF_ALL  4 /* results that cannot be written may take this part of all memory */

static struct {
	bool started;
	unsigned number; /* number of commands so far */
	struct results results;
	struct result_json room;
} keep;

static uint64_t room_of_memory(void)
{
	return page_free_count() / SHARE_OF_FREE * PAGE_SIZE;
}

/* The reserve of one first piece for each file covers its partly filled piece of memory. */
static bool is_too_much(const struct pieces *content)
{
	const struct results *r = &keep.results;

	return r->kept_bytes + content->bytes + (r->nkept + 1) * PIECE_FIRST >
	       page_total_count() / SHARE_OF_ALL * PAGE_SIZE;
}

/* A file without room is reported and dropped; the others are kept. */
static void add_file(const char *name, struct pieces *content)
{
	const uint64_t lost = content->lost;

	if (is_too_much(content) || results_add(&keep.results, name, content)) {
		err("perf0: no memory for the file %s\n", name);
		pieces_free(content);
	} else if (lost) {
		err("perf0: %s lacks %llu bytes, for which there was no memory\n", name,
		    (unsigned long long)lost);
	}
}

static void add_form(enum results_form form, const char *word, struct pieces *content)
{
	char name[RESULTS_NAME_MAX];

	add_file(results_name(name, keep.number, word, form), content);
}

static void keep_caps(void)
{
	struct pieces stream, text;
	char line[] = "caps";

	kept_begin(room_of_memory(), true);
	keep.started = false; /* `caps` here is no command of the user */
	command_line(line);
	keep.started = true;
	kept_end(&stream, &text);
	pieces_free(&stream);
	add_file("caps.txt", &text);
}

void keep_start(const struct results_disk *disk, const char *board, const char *date)
{
	results_init(&keep.results, disk, board, date);
	keep_caps();
}

void keep_disk(const struct results_disk *disk)
{
	keep.results.disk = disk;
}

const struct results *keep_results(void)
{
	return keep.started ? &keep.results : NULL;
}

int keep_write(struct reason *why)
{
	int err;

	if (!keep.started)
		return 0;
	err = results_write(&keep.results, why);
	results_note_unwritten(&keep.results);
	return err;
}

void keep_file(const char *name, const void *bytes, size_t n)
{
	struct pieces content = {.most = room_of_memory()};
	char path[RESULTS_NAME_MAX];

	if (!keep.started)
		return;
	pieces_add(&content, bytes, n);
	fmt_print(path, sizeof(path), "%03u-report-%s", keep.number, name);
	add_file(path, &content);
}

void keep_command_begins(const char *title)
{
	static const char prompt[] = "perf0> ";

	if (!keep.started)
		return;
	keep.number++;
	kept_begin(room_of_memory(), false);
	kept_text(prompt, sizeof(prompt) - 1);
	kept_text(title, strlen(title));
	kept_text("\n", 1);
}

void keep_command_dropped(void)
{
	struct pieces stream, text;

	if (!keep.started)
		return;
	kept_end(&stream, &text);
	pieces_free(&stream);
	pieces_free(&text);
	keep.number--;
}

void keep_command_ended(const char *word)
{
	struct pieces stream, text, json = {0};

	if (!keep.started)
		return;
	kept_end(&stream, &text);
	result_json(&keep.room, &json, &stream);
	add_form(RESULTS_TEXT, word, &text);
	add_form(RESULTS_JSON, word, &json);
	add_form(RESULTS_STREAM, word, &stream);
}
