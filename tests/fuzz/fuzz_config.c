// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_config.c - any bytes as perf0.cfg: the file is accepted, or refused with a sentence and a
 * place inside of it. No command of a refused file runs.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/reason.h"
#include "rt/portable/config_file.h"

#include <linux/errno.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int know_command(void *ctx, int argc, char **argv, struct reason *why)
{
	(void)ctx;
	if (argc < 1 || argv[argc])
		abort();
	return argv[0][0] == '!' ? refuse(why, EINVAL, "'%s' is no command", argv[0]) : 0;
}

static unsigned config_lines(const uint8_t *data, size_t size)
{
	unsigned n = 1;

	for (size_t i = 0; i < size; i++)
		n += data[i] == '\n';
	return n;
}

static void check_taken(const struct config *config, const char *text, size_t size)
{
	if (config->settings.timeout > CONFIG_TIMEOUT_MOST || config->n > CONFIG_COMMANDS_MAX)
		abort();
	for (unsigned i = 0; i < config->n; i++) {
		const char *line = config->commands[i].text;

		if (line < text || line + strlen(line) > text + size || !line[0])
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct config_machine machine = {.name = {"b", "p", "v", "m", "bm"}};
	static const struct config_checks checks = {know_command, NULL};
	static struct config config;
	struct config_error error = {0};
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	if (!config_parse(&config, text, size, &machine, &checks, &error))
		check_taken(&config, text, size);
	else if (config.n || !error.why.text[0] || !error.line || !error.column ||
		 error.line > config_lines(data, size))
		abort();
	free(text);
	return 0;
}
