// SPDX-License-Identifier: BSD-2-Clause
/* vpmu_options.c - see vpmu_options.h. */
#include "boot/vpmu_options.h"

#include "include/perf0/personalities.h"
#include "lib/string.h"
#include "lib/words/fault_words.h"
#include "lib/words/isa_level.h"
#include "lib/words/shape_words.h"

#include <linux/errno.h>

static char *next_boot_word(char **rest)
{
	char *word = *rest, *end;

	while (*word == ' ')
		word++;
	end = strchr(word, ' ');
	*rest = end ? end + 1 : word + strlen(word);
	if (end)
		*end = 0;
	return word;
}

static const char *boot_word_value(const char *word, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(word, name, n) && word[n] == '=' ? word + n + 1 : NULL;
}

/* The value is one of two words; false: neither. */
static bool set_one_of_two(const char *value, const char *off, const char *on, bool *is_on)
{
	*is_on = !strcmp(value, on);
	return *is_on || !strcmp(value, off);
}

static bool set_clock(const char *value, struct vpmu_config *config)
{
	config->model_clock = !strcmp(value, "model");
	return set_one_of_two(value, "machine", "own", &config->own_clock) || config->model_clock;
}

static bool set_level(const char *name, struct vpmu_config *config)
{
	config->program_level = isa_level_find(name);
	return config->program_level && config->program_level < ISA_LEVELS;
}

/* `err` is the result of parsing the list of option `name`, and `what` its reason. */
static int refuse_list(const char *name, int err, const struct reason *what, struct reason *why)
{
	return err ? refuse(why, ERANGE, "%s=: %s", name, what->text) : 0;
}

static int parse_setting(const char *word, struct vpmu_boot *o, struct reason *why)
{
	struct vpmu_config *config = &o->config;
	const char *uarch = boot_word_value(word, "uarch"), *ht = boot_word_value(word, "ht"),
		   *threads = boot_word_value(word, "threads"),
		   *timing = boot_word_value(word, "timing"),
		   *hypervisor = boot_word_value(word, "hypervisor"),
		   *clock = boot_word_value(word, "clock"),
		   *features = boot_word_value(word, "features"),
		   *counters = boot_word_value(word, "counters"),
		   *fault = boot_word_value(word, "fault");
	struct reason what;

	if (uarch) {
		config->uarch = uarch;
		return 0;
	}
	if (!strcmp(word, "text=marked")) {
		o->config.marked = true;
		return 0;
	}
	if (counters)
		return refuse_list("counters", shape_parse(counters, &config->shape, &what), &what,
				   why);
	if (fault)
		return refuse_list("fault", faults_parse(fault, &config->faults, &what), &what,
				   why);
	if (ht && set_one_of_two(ht, "off", "on", &config->ht_on))
		return 0;
	if (threads && set_one_of_two(threads, "2", "1", &config->one_thread))
		return 0;
	if (timing && set_one_of_two(timing, "model", "ipc1", &config->ipc1))
		return 0;
	if (hypervisor && set_one_of_two(hypervisor, "on", "off", &config->hides_hypervisor))
		return 0;
	if (features && set_level(features, config))
		return 0;
	if (clock && set_clock(clock, config))
		return 0;
	return refuse(why, EINVAL, "bad option '%s'", word);
}

int vpmu_boot_options(char *text, struct vpmu_boot *o, struct reason *why)
{
	char *word, *rest = text;
	int err;

	*o = (struct vpmu_boot){.config = {.uarch = VPMU_DEFAULT, .ht_on = true}};
	for (word = next_boot_word(&rest); strchr(word, '='); word = next_boot_word(&rest)) {
		err = parse_setting(word, o, why);
		if (err)
			return err;
	}
	if (!*word)
		return refuse(why, EINVAL, "no image to start");
	while (*rest == ' ')
		rest++;
	o->path = word;
	o->args = rest;
	return 0;
}
