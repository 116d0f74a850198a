// SPDX-License-Identifier: BSD-2-Clause
/*
 * crash.c - see crash.h. elfutils unwind with .eh_frame and .debug_frame of the files, as gdb does.
 * They know registers, maps, and a part of the stack of the program. No input is trusted: addresses
 * are looked up, and lengths are compared with the size of the data.
 */
#include "tools/program/crash.h"

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/perf0/wire_frames.h"
#include "tools/program/instruction.h"
#include "tools/symbols/debugfile.h"
#include "tools/symbols/elf_image.h"
#include "tools/symbols/symbols.h"
#include "tools/util/buf.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"

#define FRAMES_MOST 32 /* frames printed at most */

enum { DWARF_RSP = 7, DWARF_RIP = 16 };

struct crash_map {
	uint64_t start, end, offset;
	size_t path; /* in `text` */
};

/* A file with code of the program. */
struct crash_file {
	struct elf_image elf;
	struct symbols *symbols;
	uint64_t bias; /* load address minus address in the file */
};

struct crash {
	uint32_t pid, tid;
	unsigned signal;
	uint64_t regs[WIRE_CRASH_REGS];
	size_t name, why; /* in `text` */
	struct buf text, maps;
	uint64_t stack; /* address of the start of `memory` */
	struct buf memory;
	const struct program_options *options;
	struct crash_file **files; /* the mapped files */
	size_t nfiles;
	unsigned frames; /* frames printed so far */
};

static const char *text_at(const struct crash *c, size_t at)
{
	return (const char *)c->text.data + at;
}

static void free_crash(struct crash *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->nfiles; i++) {
		symbols_close(c->files[i]->symbols);
		free(c->files[i]);
	}
	free(c->files);
	buf_free(&c->text);
	buf_free(&c->maps);
	buf_free(&c->memory);
	free(c);
}

/* --- Files of the host --- */

static bool is_below(const char *path, const char *folder, size_t n)
{
	return !strncmp(path, folder, n) && (path[n] == '/' || !path[n]);
}

/* Finds the host's file by --file HOST:GUEST and --root. NULL: the path is the same on the host. */
static char *host_path_of(const struct program_options *options, const char *path)
{
	struct buf host = {0};

	for (size_t i = 0; options && i < options->files.n && !host.size; i++) {
		const char *word = options->files.word[i], *guest = strchr(word, ':');

		if (guest && is_below(path, guest + 1, strlen(guest + 1)))
			buf_printf(&host, "%.*s%s", (int)(guest - word), word,
				   path + strlen(guest + 1));
	}
	if (!host.size && options && options->root)
		buf_printf(&host, "%s%s", options->root, path);
	if (host.size)
		buf_text(&host);
	return (char *)host.data;
}

static bool read_mapped(struct elf_image *elf, const struct crash *c, const char *path)
{
	char *host = host_path_of(c->options, path);
	struct reason ignored;
	const bool is_read = (host && !elf_image_read(elf, host, &ignored)) ||
			     !elf_image_read(elf, path, &ignored);

	free(host);
	return is_read;
}

static bool is_reported(const struct crash *c, const char *path, uint64_t bias)
{
	for (size_t i = 0; i < c->nfiles; i++)
		if (c->files[i]->bias == bias && !strcmp(c->files[i]->elf.path, path))
			return true;
	return false;
}

/*
 * Reports a map to elfutils. A file has one map for each segment of code, and elfutils drop a file
 * that is reported twice.
 */
static void report_map(Dwfl *dwfl, struct crash *c, const struct crash_map *map)
{
	const char *path = text_at(c, map->path), *name = strrchr(path, '/');
	struct crash_file *file = memory_checked(calloc(1, sizeof(*file)));
	Dwfl_Module *module = NULL;
	struct reason ignored;
	void **own;

	if (read_mapped(&file->elf, c, path)) {
		file->bias = map->start - elf_image_vaddr(&file->elf, map->offset);
		if (!is_reported(c, file->elf.path, file->bias))
			module = dwfl_report_elf(dwfl, name ? name + 1 : path, file->elf.path, -1,
						 file->bias, true);
	}
	if (!module) {
		free(file);
		return;
	}
	file->symbols = symbols_open(file->elf.path, &ignored);
	dwfl_module_info(module, &own, NULL, NULL, NULL, NULL, NULL, NULL);
	*own = file;
	c->files = memory_grow(c->files, c->nfiles, sizeof(*c->files));
	c->files[c->nfiles++] = file;
}

/* --- Callbacks of elfutils --- */

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	const struct crash *c = arg;

	(void)dwfl;
	if (*thread_arg)
		return 0;
	*thread_arg = arg;
	return (pid_t)c->tid;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread_arg)
{
	const struct crash *c = arg;

	(void)dwfl;
	*thread_arg = arg;
	return tid == (pid_t)c->tid;
}

static bool read_stack(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *arg)
{
	const struct crash *c = arg;
	const uint64_t at = address - c->stack;

	(void)dwfl;
	if (address < c->stack || c->memory.size < sizeof(*result) ||
	    at > c->memory.size - sizeof(*result))
		return false;
	memcpy(result, c->memory.data + at, sizeof(*result));
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct crash *c = arg;

	return dwfl_thread_state_registers(thread, 0, WIRE_CRASH_REGS, c->regs);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = read_stack,
	.set_initial_registers = set_registers,
};

/*
 * Finds the debug file, for .debug_frame. elfutils also ask here for the file that debug files
 * share, which has no such section.
 */
static int find_debug_file(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
			   const char *path, const char *link, GElf_Word crc, char **found)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	const char *own = elf ? dwelf_elf_gnu_debuglink(elf, &crc) : NULL;
	struct elf_file file;
	int fd;

	(void)user, (void)name, (void)base, (void)found;
	if (!elf || (link && (!own || strcmp(own, link))) || !debugfile_open(&file, path, elf))
		return -1;
	fd = dup(file.fd);
	elf_file_close(&file);
	return fd;
}

static const Dwfl_Callbacks file_callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debug_file,
};

/* --- Printing --- */

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void print_source(struct buf *line, const struct crash_file *file, uint64_t vaddr,
			 const char *module)
{
	const char *source;
	const unsigned number = symbols_line(file->symbols, vaddr, &source);

	if (number)
		buf_printf(line, " at %s:%u", file_name(source), number);
	else
		buf_printf(line, " from %s", module);
}

static void print_place(struct buf *line, const struct crash_file *file, uint64_t at,
			bool is_return, const char *module)
{
	const uint64_t vaddr = at - file->bias;
	const struct symbol *symbol = symbols_find(file->symbols, vaddr);

	if (symbol)
		buf_printf(line, "%s+0x%llx", symbol->name,
			   (unsigned long long)(vaddr + is_return - symbol->start));
	else
		buf_printf(line, "??");
	print_source(line, file, vaddr, module);
}

/* A return address is behind its call, so the frame's line is that of the byte before. */
static void print_frame(struct crash *c, Dwfl *dwfl, uint64_t pc, bool is_return)
{
	Dwfl_Module *module = dwfl_addrmodule(dwfl, pc - is_return);
	struct buf line = {0};
	const char *name;
	void **own;

	buf_printf(&line, "#%-2u 0x%016llx in ", c->frames++, (unsigned long long)pc);
	if (module) {
		name = dwfl_module_info(module, &own, NULL, NULL, NULL, NULL, NULL, NULL);
		print_place(&line, *own, pc - is_return, is_return, name);
	} else {
		buf_printf(&line, "??");
	}
	buf_text(&line);
	message("perf0: %s", (const char *)line.data);
	buf_free(&line);
}

struct walking {
	struct crash *crash;
	Dwfl *dwfl;
	bool is_return; /* the innermost frame's address is one, too */
};

static int walk_frame(Dwfl_Frame *frame, void *arg)
{
	struct walking *w = arg;
	bool is_exact;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(frame, &pc, &is_exact) || !pc)
		return DWARF_CB_ABORT;
	if (w->crash->frames == FRAMES_MOST) {
		message("perf0: (more frames)");
		return DWARF_CB_ABORT;
	}
	print_frame(w->crash, w->dwfl, pc, !is_exact || w->is_return);
	w->is_return = false;
	return DWARF_CB_OK;
}

/*
 * Steps out of a call to an unmapped address, which has only left its return address on the stack.
 * Returns whether there was such a call.
 */
static bool step_out_of_nowhere(struct crash *c, Dwfl *dwfl)
{
	Dwarf_Word back;

	if (dwfl_addrmodule(dwfl, c->regs[DWARF_RIP]))
		return false;
	print_frame(c, dwfl, c->regs[DWARF_RIP], false);
	if (!read_stack(dwfl, c->regs[DWARF_RSP], &back, c) || !dwfl_addrmodule(dwfl, back))
		return false;
	c->regs[DWARF_RIP] = back;
	c->regs[DWARF_RSP] += sizeof(back);
	return true;
}

static void print_frames(struct crash *c)
{
	Dwfl *dwfl = dwfl_begin(&file_callbacks);
	struct walking w = {c, dwfl, false};

	if (!dwfl)
		return;
	dwfl_report_begin(dwfl);
	for (size_t at = 0; at < c->maps.size; at += sizeof(struct crash_map))
		report_map(dwfl, c, (const struct crash_map *)(c->maps.data + at));
	dwfl_report_end(dwfl, NULL, NULL);
	if (dwfl_attach_state(dwfl, NULL, (pid_t)c->tid, &thread_callbacks, c)) {
		w.is_return = step_out_of_nowhere(c, dwfl);
		dwfl_getthread_frames(dwfl, (pid_t)c->tid, walk_frame, &w);
	}
	dwfl_end(dwfl);
}

/* Reads the bytes at `address` from the mapped file. Returns their number. */
static size_t read_code(const struct crash *c, uint64_t address, uint8_t *code, size_t n)
{
	const struct crash_map *map = (const void *)c->maps.data;
	const size_t nmaps = c->maps.size / sizeof(*map);
	ssize_t got = 0;

	for (size_t i = 0; i < nmaps && got <= 0; i++) {
		char *host = host_path_of(c->options, text_at(c, map[i].path));
		int fd = -1;

		if (address >= map[i].start && address < map[i].end)
			fd = open(host ? host : text_at(c, map[i].path), O_RDONLY | O_CLOEXEC);
		free(host);
		if (fd < 0)
			continue;
		got = pread(fd, code, n, (off_t)(map[i].offset + (address - map[i].start)));
		close(fd);
	}
	return got > 0 ? (size_t)got : 0;
}

static void print_instruction(const struct crash *c)
{
	uint8_t code[INSTRUCTION_MOST];
	struct buf text = {0};

	if (c->signal != SIGILL)
		return;
	instruction_describe(&text, code, read_code(c, c->regs[DWARF_RIP], code, sizeof(code)),
			     c->regs[DWARF_RIP]);
	if (text.size) {
		buf_text(&text);
		message("perf0: the instruction is %s", (const char *)text.data);
	}
	buf_free(&text);
}

static void print_crash(struct crash *c)
{
	message("perf0: %s (process %u, thread %u) ended: %s", text_at(c, c->name), c->pid, c->tid,
		text_at(c, c->why));
	print_instruction(c);
	print_frames(c);
}

/* --- Frames --- */

/* Copies the string at the start of the payload. Returns its offset in `text`. */
static size_t take_string(struct crash *c, const uint8_t **at, size_t *left)
{
	const size_t n = strnlen((const char *)*at, *left), place = c->text.size;

	buf_add(&c->text, *at, n);
	buf_add(&c->text, "", 1);
	*at += n;
	*left -= n;
	if (*left) {
		++*at;
		--*left;
	}
	return place;
}

static struct crash *begin_crash(const struct wire_crash *head, const uint8_t *at, size_t left)
{
	struct crash *c;

	if (left < sizeof(c->regs))
		return NULL;
	c = memory_checked(calloc(1, sizeof(*c)));
	c->pid = head->pid;
	c->signal = head->signal;
	c->tid = head->tid ? head->tid : 1;
	memcpy(c->regs, at, sizeof(c->regs));
	at += sizeof(c->regs);
	left -= sizeof(c->regs);
	c->name = take_string(c, &at, &left);
	c->why = take_string(c, &at, &left);
	return c;
}

static void take_map(struct crash *c, const struct wire_crash *head, const uint8_t *at, size_t left)
{
	const struct crash_map map = {head->start, head->end, head->offset,
				      take_string(c, &at, &left)};

	buf_add(&c->maps, &map, sizeof(map));
}

/* Takes stack memory. The parts come in the order of addresses, without gaps. */
static void take_memory(struct crash *c, const struct wire_crash *head, const uint8_t *at,
			size_t left)
{
	if (!c->memory.size)
		c->stack = head->start;
	if (head->start - c->stack == c->memory.size)
		buf_add(&c->memory, at, left);
}

static void take_part(struct crashes *all, const struct wire_crash *head, const uint8_t *at,
		      size_t left)
{
	struct crash *c = all->crash;

	switch (head->part) {
	case WIRE_CRASH_BEGIN:
		free_crash(c);
		all->crash = begin_crash(head, at, left);
		break;
	case WIRE_CRASH_MAP:
		take_map(c, head, at, left);
		break;
	case WIRE_CRASH_MEMORY:
		take_memory(c, head, at, left);
		break;
	case WIRE_CRASH_END:
		c->options = all->options;
		print_crash(c);
		crashes_end(all);
		break;
	}
}

void crashes_frame(struct crashes *all, const struct frame *frame)
{
	struct wire_crash head;

	if (frame->type != WIRE_CRASH || frame->length < sizeof(head))
		return;
	memcpy(&head, frame->payload, sizeof(head));
	if (all->crash || head.part == WIRE_CRASH_BEGIN)
		take_part(all, &head, (const uint8_t *)frame->payload + sizeof(head),
			  frame->length - sizeof(head));
}

void crashes_end(struct crashes *all)
{
	free_crash(all->crash);
	all->crash = NULL;
}
