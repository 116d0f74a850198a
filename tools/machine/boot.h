/* SPDX-License-Identifier: BSD-2-Clause */
/* boot.h - passes a command line to a machine that runs it. */
#ifndef TOOLS_MACHINE_BOOT_H
#define TOOLS_MACHINE_BOOT_H

#include "tools/machine/line_programs.h"
#include "tools/options/tool_options.h"
#include "tools/machine/session.h"

/*
 * boot_check() - prepares `words` (terminated by NULL) as the image's command line: encodes event
 * names of libpfm4, and finds programs. Returns 0, or STATUS_USAGE or STATUS_NOT_FOUND after one
 * line of complaint: the image would not run the words.
 */
int boot_check(const struct options *options, const char **words);

/*
 * boot_programs() - adds the programs that the commands of `words` name to `programs`, which is
 * empty. Removes from `words` the arguments that a list in the pack takes over. Returns 0, or -E
 * with the reason; with `all`, reports each program that is wrong, and adds the others.
 */
int boot_programs(struct programs *programs, const struct program_options *options,
		  const char **words, bool all, struct reason *why);

/*
 * boot_commands() - returns the boot options and the command line of the last boot_check(),
 * separated by a space; valid until the next one. boot_pack() - returns the descriptor of the pack
 * of its programs, which the caller closes; -ENOENT: it needs none; or -E with the reason.
 * boot_loaded() - the bytes of memory that these programs take, with the pack.
 */
const char *boot_commands(void);
int boot_pack(struct reason *why);
uint64_t boot_loaded(void);

/*
 * boot_each_file() - calls `take` for each file that the programs of the last boot_check() bring
 * along, with its path in the image and on the host, until it returns something other than 0.
 */
int boot_each_file(int (*take)(void *ctx, const char *path, const char *host), void *ctx);

/*
 * boot_measured_on() - appends what counts of the last boot_check() depend on, as an object of
 * JSON in a line.
 */
void boot_measured_on(struct buf *out, const struct options *options);

/*
 * boot_image() - boots the image, which runs the words of the last boot_check(). A standing machine
 * (standing.h) runs them without a boot. Returns as session_run().
 */
int boot_image(const struct options *options, const struct session_files *files,
	       struct stream *stream);

#endif
