// SPDX-License-Identifier: BSD-2-Clause
/* exec_open.c - opens the file to load a program from: for a script, the file of its
 * interpreter. */
#include "linux/program/exec.h"

#include "lib/script.h"
#include "lib/string.h"
#include "rt/base/heap.h"
#include "linux/program/file_map.h"

#include <linux/errno.h>

/* 1: it is a script; 0: it is not; -errno. */
static int read_script(const struct exec_file *file, struct script *script)
{
	const struct elf_source *source = &file->source;
	const size_t n = source->bytes < SCRIPT_HEAD ? source->bytes : SCRIPT_HEAD;
	char head[SCRIPT_HEAD];

	if (!source->read(source->arg, 0, head, n))
		return -EIO;
	if (!script_is(head, n))
		return 0;
	return script_read(script, head, n, NULL) ? -ENOEXEC : 1;
}

static void append_word(char **to, const char *word)
{
	const size_t n = strlen(word) + 1;

	memcpy(*to, word, n);
	*to += n;
}

/* Replaces the first word by up to three: the interpreter's path, the script's argument for it, and
 * the script's path. */
static int put_interpreter(struct exec *exec, const struct script *script, const char *path)
{
	const size_t first = exec->argc ? strlen(exec->strings) + 1 : 0, rest = exec->bytes - first;
	char *all = heap_alloc(sizeof(*script) + strlen(path) + 1 + rest), *at = all;

	if (!all)
		return -ENOMEM;
	append_word(&at, script->interpreter);
	if (*script->argument)
		append_word(&at, script->argument);
	append_word(&at, path);
	exec->argc += (*script->argument ? 3 : 2) - !!exec->argc;
	memcpy(at, exec->strings + first, rest);
	exec->strings = all;
	exec->bytes = (size_t)(at - all) + rest;
	heap_free(exec->own);
	exec->own = all;
	return 0;
}

static int open_one(struct exec *exec, const char *path, bool *is_script)
{
	struct script script;
	int err = file_map_exec(exec->view, path, &exec->file);

	if (err)
		return err;
	err = read_script(&exec->file, &script);
	*is_script = err == 1;
	if (*is_script)
		err = put_interpreter(exec, &script, path);
	if (err || *is_script) {
		mapped_put(exec->file.mapped);
		exec->file.mapped = NULL;
	}
	return err;
}

int exec_open(struct exec *exec)
{
	const char *path = exec->path;

	for (unsigned depth = 0; depth < SCRIPT_DEPTH; depth++) {
		bool is_script = false;
		int err = open_one(exec, path, &is_script);

		if (err || !is_script)
			return err;
		path = exec->strings;
	}
	return -ELOOP;
}

void exec_close(struct exec *exec)
{
	if (exec->file.mapped)
		mapped_put(exec->file.mapped);
	heap_free(exec->own);
}
