// SPDX-License-Identifier: BSD-2-Clause
/* lineedit.c - see lineedit.h. */
#include "tools/cmd/lineedit.h"

#include <errno.h>
#include <histedit.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/cmd/candidates.h"
#include "tools/machine/history.h"
#include "tools/util/buf.h"
#include "tools/util/message.h"

#define SHOWN_MOST 200 /* a longer list of candidates is counted, not listed */

static struct {
	EditLine *el;
	History *history;
	FILE *out; /* the terminal */
	const struct guest_uarch *guest;
	const char *prompt;
	char file[PATH_MAX]; /* file of the history; "": the history is not saved */
	struct buf line;
} edit;

static char *get_prompt(EditLine *el)
{
	(void)el;
	return (char *)edit.prompt;
}

static unsigned terminal_columns(void)
{
	struct winsize size;

	return !ioctl(fileno(edit.out), TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
}

static void list_candidates(const struct candidates *c)
{
	size_t width = 1, per_line;

	for (size_t i = 0; i < c->n; i++)
		width = strlen(c->text[i]) + 2 > width ? strlen(c->text[i]) + 2 : width;
	per_line = terminal_columns() / width;
	per_line += !per_line;
	for (size_t i = 0; i < c->n; i++) {
		const bool ends = i + 1 == c->n || (i + 1) % per_line == 0;

		fprintf(edit.out, "%-*s%s", ends ? 0 : (int)width, c->text[i], ends ? "\n" : "");
	}
}

static void show_candidates(const struct candidates *c)
{
	fputc('\n', edit.out);
	if (c->n > SHOWN_MOST)
		fprintf(edit.out, "%zu of them\n", c->n);
	else
		list_candidates(c);
	fflush(edit.out);
}

/* A blank follows a single complete candidate. */
static bool is_completed(const struct candidates *c)
{
	const size_t n = c->n == 1 ? strlen(c->text[0]) : 0;

	return n && !c->goes_on && c->text[0][n - 1] != '/';
}

/* Inserts the common prefix of all candidates. Returns false if it adds nothing. */
static bool insert_common(EditLine *el, const struct candidates *c, size_t typed)
{
	const size_t n = candidates_common(c);
	struct buf text = {0};
	bool inserts;

	if (n > typed)
		buf_add(&text, c->text[0] + typed, n - typed);
	if (is_completed(c))
		buf_add(&text, " ", 1);
	inserts = text.size > 0;
	if (inserts)
		el_insertstr(el, buf_text(&text));
	buf_free(&text);
	return inserts;
}

static unsigned char complete_word(EditLine *el, int key)
{
	const LineInfo *info = el_line(el);
	const size_t n = (size_t)(info->cursor - info->buffer);
	char *line = copy_text(info->buffer, n);
	unsigned char result = CC_REFRESH;
	struct candidates c;

	(void)key;
	candidates_find(&c, line, edit.guest);
	if (!c.n) {
		result = CC_REFRESH_BEEP;
	} else if (!insert_common(el, &c, n - c.begin)) {
		show_candidates(&c);
		result = CC_REDISPLAY;
	}
	candidates_free(&c);
	free(line);
	return result;
}

/* Handles ^C: the line stays on the screen and is discarded. */
static unsigned char give_up_line(EditLine *el, int key)
{
	const LineInfo *info = el_line(el);

	(void)key;
	fputs("^C\n", edit.out);
	fflush(edit.out);
	el_cursor(el, (int)(info->lastchar - info->cursor));
	el_deletestr(el, (int)(info->lastchar - info->buffer));
	return CC_REDISPLAY;
}

static void remember_here(void *ctx, const char *line)
{
	HistEvent event;

	(void)ctx;
	history(edit.history, &event, H_ENTER, line);
}

/* Reads the history. Without a file the shell remembers its own lines. */
static void read_history(void)
{
	struct reason why;
	HistEvent event;

	history(edit.history, &event, H_SETSIZE, HISTORY_LINES);
	history(edit.history, &event, H_SETUNIQUE, 1);
	if (history_path(edit.file, &why) || history_read(edit.file, remember_here, NULL, &why)) {
		message("perf0 shell: the history is not kept: %s", why.text);
		edit.file[0] = '\0';
	}
}

static void set_up_editor(void)
{
	el_set(edit.el, EL_EDITOR, "emacs");
	el_source(edit.el, NULL);
	el_set(edit.el, EL_PROMPT, get_prompt);
	el_set(edit.el, EL_SIGNAL, 1);
	el_set(edit.el, EL_HIST, history, edit.history);
	el_set(edit.el, EL_ADDFN, "perf0-complete", "Complete the word", complete_word);
	el_set(edit.el, EL_ADDFN, "perf0-give-up", "Begin another line", give_up_line);
	el_set(edit.el, EL_BIND, "^I", "perf0-complete", NULL);
	/* ^C is a key while a line is edited, and a signal while a command runs. */
	el_set(edit.el, EL_SETTY, "-d", "-isig", NULL);
	el_set(edit.el, EL_BIND, "^C", "perf0-give-up", NULL);
}

int lineedit_open(const struct guest_uarch *guest, struct reason *why)
{
	edit.guest = guest;
	edit.out = isatty(STDOUT_FILENO) ? stdout : stderr;
	edit.history = history_init();
	edit.el = edit.history ? el_init("perf0", stdin, edit.out, stderr) : NULL;
	if (!edit.el)
		return refuse(why, ENODEV, "libedit does not work with this terminal");
	set_up_editor();
	read_history();
	return 0;
}

void lineedit_close(void)
{
	if (edit.el)
		el_end(edit.el);
	if (edit.history)
		history_end(edit.history);
	buf_free(&edit.line);
}

const char *lineedit_read(const char *prompt)
{
	const char *line;
	int n;

	edit.prompt = prompt;
	line = el_gets(edit.el, &n);
	if (!line || n <= 0) {
		fputc('\n', edit.out);
		return NULL;
	}
	edit.line.size = 0;
	buf_add(&edit.line, line, strcspn(line, "\r\n"));
	return buf_text(&edit.line);
}

void lineedit_remember(const char *line)
{
	struct reason why;

	remember_here(NULL, line);
	if (!edit.file[0] || !history_add(edit.file, line, &why))
		return;
	message("perf0 shell: the history is not kept: %s", why.text);
	edit.file[0] = '\0';
}
