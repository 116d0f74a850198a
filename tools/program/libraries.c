// SPDX-License-Identifier: BSD-2-Clause
/* libraries.c - see libraries.h. */
#include "tools/program/libraries.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/util/buf.h"
#include "tools/util/child.h"
#include "tools/util/memory.h"

static const char arrow[] = " => ", address[] = " (0x";

/* Makes a path absolute. A relative path begins at the tool's current folder. */
static char *absolute_path(const char *path)
{
	char here[PATH_MAX];
	struct buf text = {0};

	if (*path != '/' && getcwd(here, sizeof(here)))
		buf_printf(&text, "%s/", here);
	buf_printf(&text, "%s", path);
	buf_text(&text);
	return (char *)text.data;
}

static void add_library(struct libraries *libraries, const char *name, const char *path)
{
	struct library *library;

	libraries->library =
		memory_grow(libraries->library, libraries->n, sizeof(*libraries->library));
	library = &libraries->library[libraries->n++];
	library->name = copy_text(name, strlen(name));
	library->path = absolute_path(path);
}

/* Parses "\tNAME => PATH (0x7f...)" or "\tPATH (0x7f...)". The vDSO has no file. */
static void read_library(struct libraries *libraries, char *line)
{
	char *path, *end = NULL;

	for (char *at = line; (at = strstr(at, address)); at++)
		end = at;
	if (*line != '\t' || !end)
		return;
	*end = '\0';
	path = strstr(++line, arrow);
	if (path) {
		*path = '\0';
		path += sizeof(arrow) - 1;
	} else {
		path = line;
	}
	if (strchr(path, '/'))
		add_library(libraries, line, path);
}

void libraries_read(struct libraries *libraries, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")))
		read_library(libraries, line);
}

void libraries_free(struct libraries *libraries)
{
	for (size_t i = 0; i < libraries->n; i++) {
		free(libraries->library[i].name);
		free(libraries->library[i].path);
	}
	free(libraries->library);
	*libraries = (struct libraries){0};
}

/* --- Messages about missing libraries --- */

/* Adds the default folders from glibc's help, which lists them as "  /lib (system search path)". */
static void add_default_places(struct buf *places, const char *interpreter,
			       char *const *environment)
{
	static const char mark[] = " (system search path)";
	char *const words[] = {(char *)interpreter, (char *)"--help", NULL};
	struct buf said = {0};
	struct reason ignored;
	char *rest, *line, *end;

	if (child_output(words, environment, &said, &ignored) >= 0) {
		buf_text(&said);
		rest = (char *)said.data;
		while ((line = strsep(&rest, "\n")))
			if ((end = strstr(line, mark)))
				buf_printf(places, ", %.*s", (int)(end - line) - 2, line + 2);
	}
	buf_free(&said);
}

static void add_library_path(struct buf *places, char *const *environment)
{
	static const char name[] = "LD_LIBRARY_PATH=";

	for (; *environment; environment++)
		if (!strncmp(*environment, name, sizeof(name) - 1))
			buf_printf(places, ", %s", *environment);
}

static int refuse_missing(const char *said, const char *run_path, const char *interpreter,
			  char *const *environment, struct reason *why)
{
	struct buf places = {0};
	int err;

	if (*run_path)
		buf_printf(&places, ", RUNPATH=%s", run_path);
	add_library_path(&places, environment);
	add_default_places(&places, interpreter, environment);
	err = refuse(why, ENOENT, "%s; looked for in /etc/ld.so.cache%s", said, buf_text(&places));
	buf_free(&places);
	return err;
}

/* Returns the line of an error message. Lines of the list begin with a tab. */
static const char *find_complaint(char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")))
		if (*line && *line != '\t')
			return line;
	return NULL;
}

/*
 * Recognises glibc's "PROG: error while loading shared libraries: NAME: cannot open ...", and
 * musl's message.
 */
static int refuse_listing(char *said, const char *run_path, const char *interpreter,
			  char *const *environment, struct reason *why)
{
	static const char glibc[] = "error while loading shared libraries: ";
	static const char musl[] = "Error loading shared library ";
	const char *line = find_complaint(said), *at;

	if (!line)
		return refuse(why, ENOEXEC, "%s can not list its libraries", interpreter);
	at = strstr(line, glibc);
	if (at)
		return refuse_missing(at + sizeof(glibc) - 1, run_path, interpreter, environment,
				      why);
	at = strstr(line, musl);
	return refuse(why, ENOENT, "%s", at ? at + sizeof(musl) - 1 : line);
}

/* Refuses to run a file of another user. */
static int check_owner(const char *interpreter, struct reason *why)
{
	struct stat st;

	if (stat(interpreter, &st))
		return refuse(why, errno, "its interpreter %s: %s", interpreter, strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_mode & S_IWOTH || (st.st_uid && st.st_uid != geteuid()))
		return refuse(why, EPERM,
			      "its interpreter %s is not run to list libraries: it belongs neither "
			      "to root nor to you",
			      interpreter);
	return 0;
}

int libraries_find(struct libraries *libraries, const char *path, const char *run_path,
		   const char *interpreter, char *const *environment, struct reason *why)
{
	struct buf said = {0}, file = {0};
	char *words[] = {(char *)interpreter, (char *)"--list", NULL, NULL};
	int status;

	if (check_owner(interpreter, why))
		return -EPERM;
	/* the interpreter would search a name without a slash like a library */
	buf_printf(&file, "%s%s", strchr(path, '/') ? "" : "./", path);
	words[2] = (char *)buf_text(&file);
	status = child_output(words, environment, &said, why);
	buf_text(&said);
	if (status > 0)
		status = refuse_listing((char *)said.data, run_path, interpreter, environment, why);
	else if (!status)
		libraries_read(libraries, (char *)said.data);
	buf_free(&file);
	buf_free(&said);
	return status;
}
