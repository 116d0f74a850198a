// SPDX-License-Identifier: BSD-2-Clause
/*
 * tracingdata.c - see tracingdata.h. The layout is that of trace.dat, version 0.5 and 0.6, as
 * trace-cmd.dat.v6(5) describes it: everything is a length and that many bytes, one after another.
 */
#include "tools/tracingdata.h"

#include <string.h>

#define PAGE_BYTES 4096

/* The head of a ring buffer's page, which is the same on every machine of 64 bits. Samples do not
 * have one; readers want to know all the same. */
static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static const char header_event[] = "# compressed entry header\n"
				   "\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n"
				   "\tarray       :   32 bits\n";

static void add_string(struct buf *out, const char *text)
{
	buf_add(out, text, strlen(text) + 1);
}

static void add_file(struct buf *out, const char *text)
{
	buf_add_u64(out, strlen(text));
	buf_add(out, text, strlen(text));
}

static void add_header(struct buf *out)
{
	static const uint8_t magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	static const uint8_t little_endian_64[] = {0, sizeof(uint64_t)};

	buf_add(out, magic, sizeof(magic));
	add_string(out, "0.6");
	buf_add(out, little_endian_64, sizeof(little_endian_64));
	buf_add_u32(out, PAGE_BYTES);
	add_string(out, "header_page");
	add_file(out, header_page);
	add_string(out, "header_event");
	add_file(out, header_event);
}

/* Of `formats`, the first one with the system of number `i`? */
static bool begins_system(const struct stream_command *command, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(command->formats[k].system, command->formats[i].system))
			return false;
	return true;
}

static void add_system(struct buf *out, const struct stream_command *command, const char *system)
{
	uint32_t n = 0;

	for (size_t i = 0; i < command->nformats; i++)
		n += !strcmp(command->formats[i].system, system);
	add_string(out, system);
	buf_add_u32(out, n);
	for (size_t i = 0; i < command->nformats; i++)
		if (!strcmp(command->formats[i].system, system))
			add_file(out, command->formats[i].text);
}

static void add_events(struct buf *out, const struct stream_command *command)
{
	uint32_t systems = 0;

	for (size_t i = 0; i < command->nformats; i++)
		systems += begins_system(command, i);
	buf_add_u32(out, systems);
	for (size_t i = 0; i < command->nformats; i++)
		if (begins_system(command, i))
			add_system(out, command, command->formats[i].system);
}

void tracingdata_add(struct buf *out, const struct stream_command *command)
{
	add_header(out);
	buf_add_u32(out, 0); /* formats of ftrace itself */
	add_events(out, command);
	buf_add_u32(out, 0); /* kallsyms: addresses are resolved by what is mapped */
	buf_add_u32(out, 0); /* trace_printk's formats */
	buf_add_u64(out, 0); /* names of tasks: COMM records have them */
}
