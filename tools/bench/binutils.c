// SPDX-License-Identifier: BSD-2-Clause
/* binutils.c - see binutils.h. */
#include "tools/bench/binutils.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/util/helper.h"
#include "tools/util/wholefile.h"

int binutils_assemble(const char *text, const char *object, struct buf *output, struct reason *why)
{
	const char *const words[] = {"as", "--64", "-o", object, text, NULL};

	return helper_output(words, "binutils", output, why);
}

/* Parses "FILE:LINE: Error: MESSAGE". */
char *binutils_error(const char **at, size_t *line)
{
	static const char mark[] = ": Error: ";

	while (**at) {
		const size_t n = strcspn(*at, "\n");
		const char *error = strstr(*at, mark), *number = error;
		const char *const begin = *at;

		*at += n + (begin[n] == '\n');
		if (!error || error > begin + n)
			continue;
		while (number > begin && number[-1] != ':')
			number--;
		error += strlen(mark);
		*line = strtoul(number, NULL, 10);
		return copy_text(error, strcspn(error, "\n"));
	}
	return NULL;
}

/* Recognises messages such as "undefined reference to `x'". */
static int refuse_link(const char *output, struct reason *why)
{
	static const char no_output[] = "cannot open output file ", own[] = "code_";
	const char *symbol = strstr(output, "undefined reference to `"),
		   *path = strstr(output, no_output);

	if (path)
		return refuse(why, EINVAL, "--output: %.*s",
			      (int)strcspn(path, "\n") - (int)strlen(no_output),
			      path + strlen(no_output));
	if (!symbol)
		return refuse(why, EINVAL, "ld: %.*s", (int)strcspn(output, "\n"), output);
	symbol = strchr(symbol, '`') + 1;
	if (!strncmp(symbol, own, strlen(own)) && strstr(symbol, "_end'"))
		return refuse(why, EINVAL, "the code does not end: there is no */ behind its /*");
	return refuse(why, EINVAL, "the code uses '%.*s', which it does not define",
		      (int)strcspn(symbol, "'\n"), symbol);
}

int binutils_link(const char *object, const char *harness, const char *program, struct reason *why)
{
	const char *const words[] = {"ld", "-static", "-z",   "noexecstack", "--build-id=none",
				     "-o", program,   object, harness,       NULL};
	struct buf output = {0};
	int status = helper_output(words, "binutils", &output, why);

	if (status > 0)
		status = refuse_link(buf_text(&output), why);
	buf_free(&output);
	return status;
}

int binutils_code(const char *object, const char *plain, struct buf *code, struct reason *why)
{
	const char *const words[] = {"objcopy", "-O", "binary", "-j", ".text", object, plain, NULL};
	int err = helper_run(words, "binutils", why);

	if (!err)
		err = whole_file_read(code, plain, SIZE_MAX, why);
	unlink(plain);
	return err;
}
