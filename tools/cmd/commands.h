/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * commands.h - what the table in cli.c runs. Each gets its options, already checked, and the
 * NULL-terminated words that are left, and returns the exit status.
 */
#ifndef TOOLS_CMD_COMMANDS_H
#define TOOLS_CMD_COMMANDS_H

#include "tools/options/tool_options.h"

/* cmd_run() - `run`: the words are the image's command line, in which `;` separates commands. */
int cmd_run(const struct options *options, const char **words);

/* cmd_command() - the same of one command, of which each `;` is a word. */
int cmd_command(const struct options *options, const char **words);

/* cmd_image() - `caps`, `list`: words[0] is the command's name, the image runs all of it. */
int cmd_image(const struct options *options, const char **words);

/* cmd_stat() - as cmd_image(), and with -o prints to a file. */
int cmd_stat(const struct options *options, const char **words);

/*
 * list_is_offline() - `list` with these words boots nothing, but is list_offline(); its options are
 * its own, words[0] the command's name.
 */
bool list_is_offline(const char **words);
int list_offline(const char **words);

/* cmd_plan() - `plan`, which has its own options as well. */
int cmd_plan(const char **words);

/* cmd_bench() - `bench`: words[0] is the command's name, behind the options there may be a program.
 */
int cmd_latency(const struct options *options, const char **words);
int cmd_bench(const struct options *options, const char **words);

/* cmd_gate() - `gate`: words[0] is the command's name, then a program with its arguments, or
 * `merge` with options and files. */
int cmd_gate(const struct options *options, const char **words);

/* cmd_diff() - `diff`: two files. */
int cmd_diff(const struct options *options, const char **words);

/* cmd_record() - as cmd_image(), and writes perf.data. */
int cmd_record(const struct options *options, const char **words);

/* cmd_top() - `top`: shows a stream, or what the words record, on the terminal while it comes. */
int cmd_top(const struct options *options, const char **words);

/* cmd_decode() - `decode`: words[0] is the command's name, words[1] the file of a stream. */
int cmd_decode(const struct options *options, const char **words);

/* cmd_cache() - `cache`: words[1] is list, clean or warm. */
int cmd_cache(const struct options *options, const char **words);

/* cmd_shell() - `shell`: words[1] is a file of command lines; without, they are typed. */
int cmd_shell(const struct options *options, const char **words);

/* cmd_attach() - `attach`: words[1] is the device, and the rest what the image is to run. */
int cmd_attach(const struct options *options, const char **words);

/* cmd_results() - `results`: words[1] is a folder of what machines wrote on a stick. */
int cmd_results(const struct options *options, const char **words);

/* cmd_boot() - `boot`: words[1] is a program of UEFI, and the rest its arguments. cmd_linux() -
 * `linux`: words[1] is a kernel, and the rest a command. cmd_qemu_args() - `qemu-args`: words[1] is
 * a path on a disk of the machine, and the rest arguments of what lies there. */
int cmd_boot(const struct options *options, const char **words);
int cmd_linux(const struct options *options, const char **words);
int cmd_qemu_args(const struct options *options, const char **words);

/* cmd_usb() - `usb`, whose options are its own; words[0] is the command's name. */
int cmd_usb(const char **words);

#endif
