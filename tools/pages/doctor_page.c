// SPDX-License-Identifier: BSD-2-Clause
/* doctor_page.c - see doctor_page.h. */
#include "tools/pages/doctor_page.h"

#include <ctype.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/picture/html_page.h"
#include "tools/picture/markup.h"

#define GROUP_MAX 32

/* --- A host --- */

static void add_host_check(struct buf *out, const struct said_line *line)
{
	buf_printf(out, "<tr>");
	page_cell(out, NULL, line->title);
	page_cell(out, line->verdict == FAILS ? "disturbed" : NULL, verdict_word(line->verdict));
	page_cell(out, "why", line->is);
	page_cell(out, "name", line->mend);
	buf_printf(out, "</tr>\n");
}

/* Adds the checks with that verdict; nothing where there are none. */
static void add_host_checks(struct buf *out, const struct said_list *list, enum verdict verdict,
			    const char *title, const char *sentence)
{
	static const char *const heads[] = {"check", "verdict", "what there is", "what mends it",
					    NULL};
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		n += list->line[i].verdict == verdict;
	if (!n)
		return;
	page_section(out, title, sentence);
	page_table_begin(out, heads);
	for (size_t i = 0; i < list->n; i++)
		if (list->line[i].verdict == verdict)
			add_host_check(out, &list->line[i]);
	page_table_end(out);
}

void doctor_host_page(struct buf *out, const struct said_list *list, const char *title,
		      const char *const *typed)
{
	page_begin(out, title, typed);
	add_host_checks(out, list, FAILS, "Fails", "Without these nothing counts.");
	add_host_checks(out, list, NOTED, "Noted",
			"What is noted costs time, accuracy, or a command.");
	add_host_checks(out, list, FINE, "Fine", NULL);
	page_end(out);
}

/* --- A machine --- */

static const char *check_text(json_object *object, const char *key)
{
	json_object *member;
	const char *text = json_object_object_get_ex(object, key, &member)
				   ? json_object_get_string(member)
				   : NULL;

	return text ? text : "";
}

static bool is_verdict(json_object *check, const char *verdict)
{
	return !strcmp(check_text(check, "verdict"), verdict);
}

/* Adds a row for each distance from an overflow to its NMI. */
static void add_skids(struct buf *out, json_object *check)
{
	static const char *const heads[] = {"counters", ">instructions", ">NMIs", NULL};
	json_object *skid;

	if (!json_object_object_get_ex(check, "skid", &skid) ||
	    !json_object_is_type(skid, json_type_object))
		return;
	buf_printf(out, "<details><summary>");
	markup_printf(out, "%s: instructions from an overflow to its NMI",
		      check_text(check, "name"));
	buf_printf(out, "</summary>\n");
	page_table_begin(out, heads);
	json_object_object_foreach(skid, kind, times)
	{
		if (!json_object_is_type(times, json_type_object))
			continue;
		json_object_object_foreach(times, distance, n)
		{
			buf_printf(out, "<tr>");
			page_cell(out, NULL, kind);
			page_cell(out, "v", distance);
			page_cell(out, "v", json_object_get_string(n));
			buf_printf(out, "</tr>\n");
		}
	}
	page_table_end(out);
	buf_printf(out, "</details>\n");
}

static void add_machine_check(struct buf *out, json_object *check)
{
	buf_printf(out, "<tr>");
	page_cell(out, NULL, check_text(check, "name"));
	page_cell(out, is_verdict(check, "wrong") ? "disturbed" : NULL,
		  check_text(check, "verdict"));
	page_cell(out, "v", check_text(check, "measured"));
	page_cell(out, "v", check_text(check, "expected"));
	page_cell(out, "why", check_text(check, "text"));
	page_cell(out, "why", check_text(check, "title"));
	buf_printf(out, "</tr>\n");
}

static void begin_checks(struct buf *out)
{
	static const char *const heads[] = {"check",     "verdict",        ">measured",
					    ">expected", "what was found", "what is compared",
					    NULL};

	page_table_begin(out, heads);
}

static void add_group_title(struct buf *out, const char *group)
{
	char title[GROUP_MAX];

	snprintf(title, sizeof(title), "%s", group);
	title[0] = (char)toupper((unsigned char)title[0]);
	page_section(out, title, NULL);
}

/* Adds the checks of the group that begins at `from`. Returns the first one behind it. */
static size_t add_check_group(struct buf *out, json_object *checks, size_t from)
{
	const size_t n = json_object_array_length(checks);
	const char *group = check_text(json_object_array_get_idx(checks, from), "group");
	size_t to = from;

	add_group_title(out, group);
	begin_checks(out);
	for (; to < n && !strcmp(check_text(json_object_array_get_idx(checks, to), "group"), group);
	     to++)
		add_machine_check(out, json_object_array_get_idx(checks, to));
	page_table_end(out);
	for (size_t i = from; i < to; i++)
		add_skids(out, json_object_array_get_idx(checks, i));
	return to;
}

static void add_wrong(struct buf *out, json_object *checks)
{
	const size_t n = json_object_array_length(checks);
	struct buf rows = {0};

	for (size_t i = 0; i < n; i++)
		if (is_verdict(json_object_array_get_idx(checks, i), "wrong"))
			add_machine_check(&rows, json_object_array_get_idx(checks, i));
	if (rows.size) {
		page_section(out, "Wrong", "perf0 refuses these until the next start.");
		begin_checks(out);
		buf_add(out, rows.data, rows.size);
		page_table_end(out);
	}
	buf_free(&rows);
}

static void add_doctor_title(struct buf *out, json_object *checks)
{
	static const char *const verdicts[] = {"right", "wrong", "not there", "skipped"};
	const char *before = "Doctor: ";

	for (size_t v = 0; v < sizeof(verdicts) / sizeof(verdicts[0]); v++) {
		size_t n = 0;

		for (size_t i = 0; i < json_object_array_length(checks); i++)
			n += is_verdict(json_object_array_get_idx(checks, i), verdicts[v]);
		buf_printf(out, "%s%zu %s", before, n, verdicts[v]);
		before = ", ";
	}
}

static void add_machine_facts(struct buf *out, json_object *whole)
{
	static const struct {
		const char *key, *name;
	} facts[] = {
		{"brand", "CPU"},
		{"uarch", "microarchitecture"},
		{"microcode", "microcode"},
		{"emulated", "emulated"},
		{"width", "bits of a counter"},
		{"watchdog", "watchdog"},
		{"watchdog_reason", "no watchdog, for"},
		{"manufacturer", "manufacturer"},
		{"product", "product"},
		{"board", "board"},
		{"firmware_vendor", "firmware of"},
		{"firmware_version", "firmware"},
		{"firmware_date", "date of the firmware"},
		{"perf0", "image"},
	};

	page_section(out, "Machine", NULL);
	page_facts_begin(out);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (*check_text(whole, facts[i].key))
			page_fact(out, facts[i].name, check_text(whole, facts[i].key));
	page_facts_end(out);
}

static void add_machine_page(struct buf *out, json_object *whole, json_object *checks,
			     const char *const *typed)
{
	struct buf title = {0};

	add_doctor_title(&title, checks);
	page_begin(out, buf_text(&title), typed);
	add_wrong(out, checks);
	for (size_t at = 0; at < json_object_array_length(checks);)
		at = add_check_group(out, checks, at);
	add_machine_facts(out, whole);
	page_end(out);
	buf_free(&title);
}

int doctor_machine_page(struct buf *out, const void *json, size_t n, const char *const *typed,
			struct reason *why)
{
	char *text = copy_text(json ? json : "", n);
	json_object *whole = json_tokener_parse(text), *checks;
	int err = 0;

	if (json_object_is_type(whole, json_type_object) &&
	    json_object_object_get_ex(whole, "checks", &checks) &&
	    json_object_is_type(checks, json_type_array) && json_object_array_length(checks))
		add_machine_page(out, whole, checks, typed);
	else
		err = refuse(why, EINVAL, "the machine told no checks");
	json_object_put(whole);
	free(text);
	return err;
}
