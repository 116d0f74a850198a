// SPDX-License-Identifier: BSD-2-Clause
/* cmd_guest.c - commands for guests of vpmu other than the image: boot, linux, qemu-args. */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "include/perf0/events_page.h"
#include "include/perf0/handoff.h"
#include "tools/guest/guest_file.h"
#include "tools/guest/guest.h"
#include "tools/guest/guest_args.h"
#include "tools/guest/initrd.h"
#include "tools/machine/counting.h"
#include "tools/util/artifact.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

/*
 * Kernel options in front of --append; Linux takes the last word of each name. They name the
 * console, end the kernel on a panic, and keep the NMI watchdog off the counters. They also skip
 * the check of the 8254's interrupt: it fails with several CPUs on a busy host.
 */
#define KERNEL_OPTIONS "console=ttyS0 panic=-1 nmi_watchdog=0 no_timer_check"
#define TRUSTS_TSC     " tsc=reliable"

static int complain_of_guest(int status, const char *command, const char *what)
{
	message("perf0: %s: %s", command, what);
	return status;
}

/* Checks that the guest's arguments are printable ASCII, which vpmu requires. */
static int check_arguments(const char *text, struct reason *why)
{
	for (const char *c = text; *c; c++)
		if (*c < ' ' || *c > '~')
			return refuse(why, EINVAL,
				      "argument %s: character %zu: firmware hands over printable "
				      "ASCII alone",
				      text, (size_t)(c - text) + 1);
	return 0;
}

static int add_arguments(struct buf *out, const char *const *words, struct reason *why)
{
	for (; *words; words++) {
		if (check_arguments(*words, why))
			return -EINVAL;
		buf_printf(out, "%s%s", out->size ? " " : "", *words);
	}
	if (strlen(buf_text(out)) < COMMAND_LINE_MAX)
		return 0;
	return refuse(why, E2BIG, "the arguments are %zu bytes, more than %d", out->size,
		      COMMAND_LINE_MAX - 1);
}

static void close_guest(const struct guest *guest)
{
	if (guest->program >= 0)
		close(guest->program);
	if (guest->initrd >= 0)
		close(guest->initrd);
}

typedef int prepare_fn(struct guest *guest, const char *const *words, struct buf *arguments,
		       struct reason *why);

/* Starts the guest named by the second word. `prepare` opens the guest and its files. */
static int start_guest(struct guest *guest, const char **words, const char *needed,
		       prepare_fn *prepare)
{
	struct buf arguments = {0};
	struct reason why;
	int status = STATUS_USAGE;

	guest->command = words[0];
	guest->name = words[1];
	guest->program = guest->initrd = -1;
	if (!guest->name)
		return complain_of_guest(status, guest->command, needed);
	if (prepare(guest, words + 2, &arguments, &why)) {
		complain_of_guest(status, guest->command, why.text);
	} else {
		guest->arguments = buf_text(&arguments);
		status = guest_run(guest);
	}
	close_guest(guest);
	buf_free(&arguments);
	return status;
}

static int prepare_program(struct guest *guest, const char *const *words, struct buf *arguments,
			   struct reason *why)
{
	guest->program = guest_program_open(guest->name, why);
	return guest->program < 0 ? guest->program : add_arguments(arguments, words, why);
}

int cmd_boot(const struct options *options, const char **words)
{
	struct guest guest = {.options = options, .kind = GUEST_PROGRAM};

	return start_guest(&guest, words, "a program of UEFI is needed: perf0 boot FILE.efi",
			   prepare_program);
}

/* --- Linux --- */

static int open_initrd(const char *path, struct reason *why)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd >= 0 ? fd : refuse(why, errno, "--initrd %s: %s", path, strerror(errno));
}

static int find_initrd(struct guest *guest, const char *version, const char *const *command,
		       struct reason *why)
{
	const struct options *o = guest->options;

	if (!o->guest.initrd)
		guest->initrd = initrd_make(o, guest->name, version, command, why);
	else if (*command)
		return refuse(why, EINVAL,
			      "--initrd and a COMMAND exclude each other: what runs a "
			      "command is in the initrd that is made");
	else
		guest->initrd = open_initrd(o->guest.initrd, why);
	return guest->initrd < 0 ? guest->initrd : 0;
}

/* Adds the kernel's options. If no person watches the console, a quiet kernel saves time. */
static int add_kernel_options(struct buf *out, const struct guest *guest, struct reason *why)
{
	const char *append = guest->options->guest.append;
	const char *const words[] = {
		"initrd=\\" GUEST_INITRD,
		guest_has_own_clock(guest) ? KERNEL_OPTIONS TRUSTS_TSC : KERNEL_OPTIONS,
		guest->kind == GUEST_COMMAND && !guest->options->output.verbose ? "quiet"
										: "loglevel=7",
		append, NULL};

	return add_arguments(out, words, why);
}

static int prepare_linux(struct guest *guest, const char *const *words, struct buf *arguments,
			 struct reason *why)
{
	char version[KERNEL_VERSION_MOST];

	guest->kind = *words ? GUEST_COMMAND : GUEST_CONSOLE;
	guest->program = guest_kernel_open(guest->name, version, why);
	if (guest->program < 0)
		return guest->program;
	return find_initrd(guest, version, words, why) ? -EINVAL
						       : add_kernel_options(arguments, guest, why);
}

int cmd_linux(const struct options *options, const char **words)
{
	struct guest guest = {.options = options, .has_own_initrd = options->guest.initrd};

	return start_guest(&guest, words, "a kernel is needed: perf0 linux KERNEL -- COMMAND",
			   prepare_linux);
}

/* --- Machines of one's own --- */

/* Creates the file, because QEMU's plugin only opens it. */
static int make_page(const char *path, struct reason *why)
{
	const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	int err = fd < 0 || ftruncate(fd, 0) || ftruncate(fd, EVENTS_PAGE_BYTES) ? errno : 0;

	if (fd >= 0)
		close(fd);
	return err ? refuse(why, err, "--page %s: %s", path, strerror(err)) : 0;
}

static int tell_args(const struct options *options, const char *const *words, struct reason *why)
{
	struct counting counting = {.fd = -1, .models = true, .prefetches = true};
	struct args args = {0};
	struct buf line = {0};
	int err = 0;

	for (const char *const *word = words; *word && !err; word++)
		err = check_arguments(*word, why);
	if (!err && options->guest.page) {
		err = artifact_path(counting.plugin, sizeof(counting.plugin), ARTIFACT_PLUGIN, why);
		if (!err)
			err = make_page(options->guest.page, why);
	}
	if (!err)
		err = guest_args_bare(&args, options, &counting, words, why);
	if (!err) {
		qemu_args_line(&line, &args);
		puts(buf_text(&line));
	}
	qemu_args_free(&args);
	buf_free(&line);
	return err;
}

int cmd_qemu_args(const struct options *options, const char **words)
{
	struct reason why;
	const int err = tell_args(options, words + 1, &why);

	if (!err)
		return 0;
	return complain_of_guest(err == -EINVAL ? STATUS_USAGE : STATUS_FAILED, "qemu-args",
				 why.text);
}
