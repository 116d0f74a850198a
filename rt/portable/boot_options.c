// SPDX-License-Identifier: BSD-2-Clause
/* boot_options.c - boot options, as rows. Portable. */
#include "rt/portable/boot_options.h"

#include "include/perf0/there.h"
#include "lib/by_cpu.h"
#include "lib/string.h"
#include "pmu/own/watchdog.h"
#include "lib/words/number.h"

#include <linux/errno.h>
#include <stddef.h>

#define BAUD_MAX        115200
#define HOME_AFTER_MOST 10000000

static int set_text_on(struct boot_options *o, const char *value)
{
	o->framed = !strcmp(value, "framed");
	return o->framed || !strcmp(value, "plain") ? 0 : -EINVAL;
}

static int set_image_baud(struct boot_options *o, const char *value)
{
	uint64_t baud;

	if (number_parse(value, &baud) || !baud || baud > BAUD_MAX || BAUD_MAX % baud)
		return -EINVAL;
	o->baud = (uint32_t)baud;
	return 0;
}

static int set_image_flow(struct boot_options *o, const char *value)
{
	static const char *const names[] = {
		[UART_FLOW_NONE] = "none",
		[UART_FLOW_XONXOFF] = "xonxoff",
		[UART_FLOW_RTSCTS] = "rtscts",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(value, names[i]))
			continue;
		o->flow = (enum uart_flow)i;
		return 0;
	}
	return -EINVAL;
}

static int set_lines(struct boot_options *o, const char *value)
{
	o->firmware_lines = !strcmp(value, "firmware");
	return o->firmware_lines || !strcmp(value, "own") ? 0 : -EINVAL;
}

static int set_cpus(struct boot_options *o, const char *value)
{
	uint64_t n;

	if (number_parse(value, &n) || !n || n > CPUS_MOST)
		return -EINVAL;
	o->cpus = (unsigned)n;
	return 0;
}

static int set_image_await(struct boot_options *o, const char *value)
{
	o->await = !strcmp(value, "1");
	return o->await || !strcmp(value, "0") ? 0 : -EINVAL;
}

static int set_image_watchdog(struct boot_options *o, const char *value)
{
	o->nmi_watchdog = !strcmp(value, "1");
	return o->nmi_watchdog || !strcmp(value, "0") ? 0 : -EINVAL;
}

static int set_threshold(struct boot_options *o, const char *value)
{
	uint64_t seconds;

	if (number_parse(value, &seconds) || !seconds || seconds > PMU_WATCHDOG_SECONDS_MOST)
		return -EINVAL;
	o->watchdog_thresh = (uint32_t)seconds;
	return 0;
}

static int set_home_after(struct boot_options *o, const char *value)
{
	uint64_t seconds;

	if (number_parse(value, &seconds) || !seconds || seconds > HOME_AFTER_MOST)
		return -EINVAL;
	o->home_after = (uint32_t)seconds;
	return 0;
}

static int set_dma(struct boot_options *o, const char *value)
{
	o->quiet_dma = !strcmp(value, "quiet");
	return o->quiet_dma || !strcmp(value, "run") ? 0 : -EINVAL;
}

/* boot/ has used it, before the runtime. */
static int check_mode(struct boot_options *o, const char *value)
{
	(void)o;
	return !strcmp(value, "own") || !strcmp(value, "borrow") ? 0 : -EINVAL;
}

/* boot/ has used this, too. */
static int check_results(struct boot_options *o, const char *value)
{
	(void)o;
	return !strcmp(value, "memory") ? 0 : -EINVAL;
}

static int set_usb(struct boot_options *o, const char *value)
{
	o->halts_usb = !strcmp(value, "halt");
	return o->halts_usb || !strcmp(value, "run") ? 0 : -EINVAL;
}

static const struct {
	const char *prefix;
	int (*set)(struct boot_options *o, const char *value);
	const char *wanted;
} rows[] = {
	{"mode=", check_mode, "wants own or borrow"},
	{"results=", check_results, "wants memory"},
	{"usb=", set_usb, "wants halt or run"},
	{"text=", set_text_on, "wants plain or framed"},
	{"baud=", set_image_baud, "wants a divisor of 115200"},
	{"flow=", set_image_flow, "wants none, xonxoff or rtscts"},
	{"lines=", set_lines, "wants own or firmware"},
	{"cpus=", set_cpus, "wants a number of CPUs, 1 to 1024"},
	{"await=", set_image_await, "wants 0 or 1"},
	{"nmi_watchdog=", set_image_watchdog, "wants 0 or 1"},
	{"watchdog_thresh=", set_threshold, "wants a number of seconds, 1 to 60"},
	{THERE_DMA_OPTION, set_dma, "wants quiet or run"},
	{THERE_TIME_OPTION, set_home_after, "wants a number of seconds, 1 to 10000000"},
};

/* An option's word has a `=` before its first blank; a command's has not. */
static bool is_option(const char *word)
{
	while (*word && *word != ' ' && *word != '=')
		word++;
	return *word == '=';
}

static void apply_option(const char *word, struct boot_options *options,
			 struct options_error *error)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t n = strlen(rows[i].prefix);

		if (strncmp(word, rows[i].prefix, n))
			continue;
		if (rows[i].set(options, word + n)) {
			error->word = word;
			error->reason = rows[i].wanted;
		}
		return;
	}
	error->word = word;
	error->reason =
		"is no boot option; there are mode=, results=, usb=, text=, baud=, flow=, lines=, cpus=, await=, nmi_watchdog=, "
		"watchdog_thresh=, dma= and home_after=";
}

char *options_parse(char *args, struct boot_options *options, struct options_error *error)
{
	*options =
		(struct boot_options){.cpus = CPUS_MOST, .watchdog_thresh = PMU_WATCHDOG_SECONDS};
	*error = (struct options_error){0};
	for (;;) {
		char *end;

		while (*args == ' ')
			args++;
		if (!is_option(args))
			return args;
		end = strchr(args, ' ');
		if (end)
			*end = '\0';
		apply_option(args, options, error);
		if (!end)
			return args + strlen(args);
		args = end + 1;
	}
}
