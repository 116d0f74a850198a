/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * commands.h - the functions behind the table in cli.c. Each gets its checked options and the
 * remaining NULL-terminated words, and returns the exit status.
 */
#ifndef TOOLS_CMD_COMMANDS_H
#define TOOLS_CMD_COMMANDS_H

#include "tools/options/tool_options.h"

/* cmd_run() - `run`: runs `words` as command lines of the image; `;` separates commands. */
int cmd_run(const struct options *options, const char **words);

/* cmd_command() - like cmd_run(), but `words` are one command, and each `;` is a word of it. */
int cmd_command(const struct options *options, const char **words);

/* cmd_image() - `caps`, `list`: the image runs `words`; words[0] is the command's name. */
int cmd_image(const struct options *options, const char **words);

/* cmd_doctor() - `doctor`: like cmd_image(); with --compare, compares two files; with
 * --kvm, examines the host. */
int cmd_doctor(const struct options *options, const char **words);

/* cmd_stat() - `stat`: like cmd_image(), and prints to a file for -o. */
int cmd_stat(const struct options *options, const char **words);

/*
 * list_is_offline() - returns whether `list` with these words needs no boot. list_offline() then
 * runs it; it parses its own options, and words[0] is the command's name.
 */
bool list_is_offline(const char **words);
int list_offline(const char **words);

/* cmd_plan() - `plan`: parses its own options. */
int cmd_plan(const char **words);

/* cmd_bench() - `bench`: words[0] is the command's name; a program may follow the options.
 * cmd_latency() - `latency`: words[0] is the command's name; instructions may follow the
 * options. */
int cmd_latency(const struct options *options, const char **words);
int cmd_bench(const struct options *options, const char **words);

/* cmd_profile() - `profile`: words[0] is the command's name; a program with its arguments
 * follows. */
int cmd_profile(const struct options *options, const char **words);

/* cmd_as_callgrind() - `as-callgrind`: parses its own options, which are Valgrind's. */
int cmd_as_callgrind(const char **words);

/* cmd_explain() - `explain`: like cmd_profile(), and tells what limits the hottest code. */
int cmd_explain(const struct options *options, const char **words);

/* cmd_pgo() - `pgo`: like cmd_profile(), and writes profiles for optimizers. */
int cmd_pgo(const struct options *options, const char **words);

/* cmd_gate() - `gate`: words[0] is the command's name. A program with its arguments follows, or
 * `merge` with options and files. */
int cmd_gate(const struct options *options, const char **words);

/* cmd_diff() - `diff`: compares two files. */
int cmd_diff(const struct options *options, const char **words);

/*
 * cmd_report() - `report`: words[1] is a folder of results. report_is_of_perf() - returns whether
 * the words are a command line of `perf report` instead. command_of_perf() - refuses a command of
 * perf: words[0] is its name.
 */
int cmd_report(const struct options *options, const char **words);
bool report_is_of_perf(const char **words);
int command_of_perf(const char **words);

/* cmd_record() - `record`: like cmd_image(), and writes a perf.data. */
int cmd_record(const struct options *options, const char **words);

/* cmd_top() - `top`: shows a stream, or a recording of the words, on the terminal as it arrives. */
int cmd_top(const struct options *options, const char **words);

/* cmd_decode() - `decode`: words[0] is the command's name, words[1] a file with a stream. */
int cmd_decode(const struct options *options, const char **words);

/* cmd_cache() - `cache`: words[1] is list, clean or warm. */
int cmd_cache(const struct options *options, const char **words);

/* cmd_shell() - `shell`: words[1] is a file of command lines; without it, the user types them. */
int cmd_shell(const struct options *options, const char **words);

/* cmd_attach() - `attach`: words[1] is the device; the other words are a command for the image. */
int cmd_attach(const struct options *options, const char **words);

/* cmd_results() - `results`: words[1] is a folder of results that machines wrote on a stick;
 * without it, what this machine has brought home. */
int cmd_results(const struct options *options, const char **words);

/* cmd_boot() - `boot`: words[1] is a UEFI program, and its arguments follow. cmd_linux() -
 * `linux`: words[1] is a kernel, and a command follows. cmd_qemu_args() - `qemu-args`: words[1]
 * is a path on a disk of the machine; the arguments of the program there follow. */
int cmd_boot(const struct options *options, const char **words);
int cmd_linux(const struct options *options, const char **words);
int cmd_qemu_args(const struct options *options, const char **words);

/* cmd_there() - `there-and-back`: `words` are command lines of the image, as for cmd_run(). */
int cmd_there(const struct options *options, const char **words);

/* cmd_usb() - `usb`: parses its own options; words[0] is the command's name. */
int cmd_usb(const char **words);

#endif
