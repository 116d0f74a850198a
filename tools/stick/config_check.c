// SPDX-License-Identifier: BSD-2-Clause
/* config_check.c - see config_check.h. */
#include "tools/stick/config_check.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/by_cpu.h"
#include "lib/path.h"
#include "rt/portable/config_file.h"
#include "tools/machine/mistakes.h"
#include "tools/util/wholefile.h"

struct check {
	const struct registered *image;
	const char *const *programs;
	size_t nprograms;
};

/* Returns whether the word is a path, which may exist on the stick. */
static bool is_path(const char *word)
{
	return *word == '/' || *word == '\\';
}

/* Returns whether the word is a program of the stick. */
static bool has_file(const void *files, const char *word)
{
	const struct check *c = files;

	if (is_path(word))
		return true;
	for (size_t i = 0; i < c->nprograms; i++)
		if (!strcmp(path_name(c->programs[i]), word))
			return true;
	return false;
}

static int check_config_line(void *ctx, int argc, char **argv, struct reason *why)
{
	const struct check *c = ctx;
	const struct command_machine machine = {.events = {.image = c->image},
						.ncpus = CPUS_MOST,
						.has_file = has_file,
						.files = c};

	int err;

	(void)argc;

	if (has_file(c, argv[0]))
		return 0;
	if (!registered_command(c->image, argv[0]))
		return refuse(why, EINVAL, "there is no command '%s'", argv[0]);
	err = command_mistakes((const char *const *)argv, &machine, why);
	return err ? err : events_check_anywhere((const char *const *)argv, c->image, why);
}

int config_check(struct buf *text, const char *path, const char *const *programs, size_t nprograms,
		 struct reason *why)
{
	static struct config config;
	struct check check = {.programs = programs, .nprograms = nprograms};
	const struct config_checks checks = {check_config_line, &check};
	struct config_error bad;
	struct buf copy = {0};
	int err = whole_file_read(text, path, CONFIG_FILE_MAX, why);

	if (!err)
		err = registered_read(&check.image, why);
	if (err)
		return err;
	buf_add(&copy, text->data, text->size);
	buf_extend(&copy, 1);
	err = config_parse(&config, (char *)copy.data, text->size, NULL, &checks, &bad);
	buf_free(&copy);
	return err ? refuse(why, EINVAL, "%s:%u:%u: %s", path, bad.line, bad.column, bad.why.text)
		   : 0;
}
