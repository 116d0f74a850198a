// SPDX-License-Identifier: BSD-2-Clause
/* cmd_there.c - `perf0 there-and-back`: leaves Linux for perf0.bz, which comes home to it. */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/perf0/there.h"
#include "lib/words/number.h"
#include "tools/events/own_uarch.h"
#include "tools/machine/boot.h"
#include "tools/there/came_home.h"
#include "tools/there/handover.h"
#include "tools/there/there_checks.h"
#include "tools/util/message.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

#define MS_PER_S 1000

static int complain_of_journey(const struct reason *why)
{
	message("perf0 there-and-back: %s", why->text);
	return STATUS_FAILED;
}

/* --- The commands --- */

/* The milliseconds that a word gives as `--timeout`; 0: it does not. */
static uint64_t timeout_of(const char *const *word)
{
	static const char name[] = "--timeout";
	const size_t n = sizeof(name) - 1;
	uint64_t ms = 0;

	if (!strcmp(*word, name) && word[1])
		number_parse(word[1], &ms);
	else if (!strncmp(*word, name, n) && (*word)[n] == '=')
		number_parse(*word + n + 1, &ms);
	return ms;
}

static uint64_t seconds_of_commands(const char *const *words)
{
	uint64_t ms = 0;

	for (; *words; words++)
		ms += timeout_of(words);
	return (ms + MS_PER_S - 1) / MS_PER_S;
}

/* --- The journey --- */

static int split_certificate(const struct options *options, const char ***words, const char **cert,
			     struct reason *why)
{
	*cert = NULL;
	if (!options->there.key)
		return 0;
	*cert = **words;
	if (!*cert || !strcmp(*cert, "--"))
		return refuse(why, EINVAL, "--sign wants a key and a certificate: --sign KEY CERT");
	*words += 1 + ((*words)[1] && !strcmp((*words)[1], "--"));
	return 0;
}

static uint64_t file_bytes(const char *path)
{
	struct stat st;

	return *path && !stat(path, &st) ? (uint64_t)st.st_size : 0;
}

/* While both are in memory, the kernel that comes home needs its own room, too. */
static int check_journey_room(const struct running_kernel *home, struct reason *why)
{
	return there_check_memory("",
				  file_bytes(home->kernel) + file_bytes(home->initrd) +
					  home->init_bytes + 2 * boot_loaded(),
				  why);
}

static int check_journey(const struct options *options, struct reason *why)
{
	int err = there_check_root(why);

	if (!err)
		err = there_check_machine("", options->there.key, why);
	if (!err)
		err = handover_check_way(options->there.fast, why);
	return err ? err : there_lock(THERE_LOCK, why);
}

static int load_all(const struct options *options, const struct running_kernel *home,
		    const char *cert, const char *line, struct reason *why)
{
	struct handover handover = {.home = home,
				    .command_line = line,
				    .key = options->there.key,
				    .cert = cert,
				    .programs = boot_pack(why)};
	int err;

	if (handover.programs < 0 && handover.programs != -ENOENT)
		return handover.programs;
	err = handover_load(&handover, why);
	if (handover.programs >= 0)
		close(handover.programs);
	return err;
}

/* Old folders make room for the new one before the journey. */
static int leave_linux(const struct options *options, const struct running_kernel *home,
		       const char *cert, const char *line, struct reason *why)
{
	int err = check_journey_room(home, why);

	if (!err)
		err = came_home_trim(CAME_HOME_FOLDER, options->there.keep - 1, why);
	if (!err)
		err = load_all(options, home, cert, line, why);
	if (err)
		return err;
	err = handover_go(options->there.fast, why);
	handover_drop();
	return err;
}

static int make_journey(const struct options *options, const char *cert, uint64_t seconds,
			struct reason *why)
{
	const struct kernel_choice choice = {.root = "",
					     .kernel = options->there.kernel,
					     .initrd = options->there.initrd,
					     .command_line = options->there.append};
	struct running_kernel home = {0};
	struct buf line = {0};
	int err = check_journey(options, why);

	buf_printf(&line, THERE_TIME_OPTION "%llu %s%s", (unsigned long long)seconds,
		   options->there.quiet_dma ? THERE_DMA_OPTION "quiet " : "", boot_commands());
	if (!err)
		err = running_kernel_find(&home, &choice, why);
	if (!err)
		err = leave_linux(options, &home, cert, buf_text(&line), why);
	running_kernel_free(&home);
	buf_free(&line);
	return err;
}

int cmd_there(const struct options *options, const char **words)
{
	const struct guest_uarch uarch = uarch_of_host();
	struct options here = *options;
	const char **commands = words + 1;
	const char *cert;
	struct reason why;
	uint64_t seconds;
	int status;

	here.machine.has_vpmu = true;
	here.machine.vpmu.uarch = &uarch;
	here.machine.memory = OPTION_MEMORY_MIB;
	here.machine.smp = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
	if (split_certificate(options, &commands, &cert, &why)) {
		complain_of_journey(&why);
		return STATUS_USAGE;
	}
	if (!*commands) {
		message("perf0 there-and-back: no command; `perf0 run -- help` lists them");
		return STATUS_USAGE;
	}
	split_at_semicolons(commands);
	seconds = options->there.timeout + seconds_of_commands(commands);
	status = boot_check(&here, commands);
	if (status)
		return status;
	make_journey(options, cert, seconds, &why);
	return complain_of_journey(&why);
}
