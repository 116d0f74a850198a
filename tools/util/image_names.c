// SPDX-License-Identifier: BSD-2-Clause
/*
 * image_names.c - see image_names.h. The tables consist of pointers, which are relocated at the
 * image's start. In the file they are still the linker's addresses.
 */
#include "tools/util/image_names.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/util/artifact.h"

struct image {
	Elf *elf;
	const char *bytes;
	size_t size;
	const char *path;
};

/* Returns `n` bytes at an address; NULL: they are not in the file. */
static const void *bytes_at_address(const struct image *image, uint64_t address, uint64_t n)
{
	size_t nheaders = 0;

	elf_getphdrnum(image->elf, &nheaders);
	for (size_t i = 0; i < nheaders; i++) {
		GElf_Phdr h;

		if (!gelf_getphdr(image->elf, (int)i, &h) || h.p_type != PT_LOAD ||
		    address < h.p_vaddr || n > h.p_filesz || address - h.p_vaddr > h.p_filesz - n ||
		    h.p_offset > image->size || h.p_filesz > image->size - h.p_offset)
			continue;
		return image->bytes + h.p_offset + (address - h.p_vaddr);
	}
	return NULL;
}

/* Returns the text of a pointer; NULL: the pointer is NULL or invalid. */
static const char *text_at_pointer(const struct image *image, const char *pointer)
{
	const char *text = pointer ? bytes_at_address(image, (uint64_t)pointer, 1) : NULL;

	if (!text || !memchr(text, 0, image->size - (size_t)(text - image->bytes)))
		return NULL;
	return text;
}

static uint64_t symbol_address(const struct image *image, const char *name)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(image->elf, section))) {
		Elf_Data *data = elf_getdata(section, NULL);
		GElf_Shdr h;
		GElf_Sym symbol;

		if (!data || !gelf_getshdr(section, &h) || h.sh_type != SHT_SYMTAB)
			continue;
		for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
			const char *found = elf_strptr(image->elf, h.sh_link, symbol.st_name);

			if (found && !strcmp(found, name))
				return symbol.st_value;
		}
	}
	return 0;
}

/* Copies the entries to which the table between two symbols points. Returns their number. */
static size_t copy_table(const struct image *image, const char *start, const char *end,
			 size_t entry_size, void **out)
{
	const uint64_t from = symbol_address(image, start), to = symbol_address(image, end);
	const uint64_t *table = to > from ? bytes_at_address(image, from, to - from) : NULL;
	const size_t n = table ? (to - from) / sizeof(*table) : 0;
	char *entries = n ? calloc(n, entry_size) : NULL;

	*out = NULL;
	for (size_t i = 0; entries && i < n; i++) {
		const void *entry = bytes_at_address(image, table[i], entry_size);

		if (!entry) {
			free(entries);
			return 0;
		}
		memcpy(entries + i * entry_size, entry, entry_size);
	}
	*out = entries;
	return entries ? n : 0;
}

/* Copies a table of `n` rows at `start`, each cut to its first `kept` bytes; NULL: none. */
static void *copy_rows(const struct image *image, const void *start, size_t n, size_t size,
		       size_t kept)
{
	const char *rows = n ? bytes_at_address(image, (uint64_t)start, n * size) : NULL;
	char *copy = rows ? calloc(n, kept) : NULL;

	for (size_t i = 0; copy && i < n; i++)
		memcpy(copy + i * kept, rows + i * size, kept);
	return copy;
}

/* Resolves the name at the start of each row. Returns false if one is not in the file. */
static bool read_names(const struct image *image, char *rows, size_t n, size_t size)
{
	bool whole = true;

	for (size_t i = 0; i < n; i++) {
		const char **name = (const char **)(rows + i * size);

		*name = text_at_pointer(image, *name);
		whole &= *name != NULL;
	}
	return whole;
}

/* Resolves the names that an operand may have; settings also have ranges. */
static void read_operands(const struct image *image, struct operands *o)
{
	const struct name_table *table = &o->names;
	const size_t bytes = (size_t)((const char *)table->end - (const char *)table->start);
	const size_t kept = o->kind == OPERANDS_SETTINGS ? sizeof(struct setting) : sizeof(char *);
	size_t n = table->size >= kept ? bytes / table->size : 0;
	char *rows = copy_rows(image, table->start, n, table->size, kept);

	o->words = text_at_pointer(image, o->words);
	if (!rows || !read_names(image, rows, n, kept))
		n = 0;
	o->names = (struct name_table){rows, rows + n * kept, kept};
}

static void read_registered_command(const struct image *image, struct command *c)
{
	c->name = text_at_pointer(image, c->name);
	c->usage = text_at_pointer(image, c->usage);
	c->summary = text_at_pointer(image, c->summary);
	c->help = text_at_pointer(image, c->help);
	read_operands(image, &c->operands);
	c->run = NULL;
}

static bool read_fields(const struct image *image, struct trace_field *fields, size_t n)
{
	bool whole = fields;

	for (size_t i = 0; fields && i < n; i++) {
		fields[i].type = text_at_pointer(image, fields[i].type);
		fields[i].name = text_at_pointer(image, fields[i].name);
		whole &= fields[i].type && fields[i].name;
	}
	return whole;
}

/* Returns false if the tracepoint is incomplete. */
static bool read_tracepoint(const struct image *image, struct trace_event *t)
{
	struct trace_field *fields =
		copy_rows(image, t->fields, t->nfields, sizeof(*fields), sizeof(*fields));

	t->system = text_at_pointer(image, t->system);
	t->name = text_at_pointer(image, t->name);
	t->fields = fields;
	t->quoted = NULL;
	t->print = NULL;
	t->key = NULL;
	t->state = NULL;
	return t->system && t->name && read_fields(image, fields, t->nfields);
}

static void read_workload(const struct image *image, struct workload *w)
{
	w->name = text_at_pointer(image, w->name);
	w->usage = text_at_pointer(image, w->usage);
	w->summary = text_at_pointer(image, w->summary);
	w->entry = NULL;
	for (unsigned i = 0; i < WORKLOAD_MAX_PARAMS; i++)
		w->params[i].name = text_at_pointer(image, w->params[i].name);
}

static bool is_entry_whole(const char *name, const char *usage, const char *summary)
{
	return name && usage && summary;
}

static int copy_registered(const struct image *image, struct registered *r, struct reason *why)
{
	bool whole = true;

	r->ncommands = copy_table(image, "__commands_start", "__commands_end", sizeof(*r->command),
				  (void **)&r->command);
	r->nworkloads = copy_table(image, "__workloads_start", "__workloads_end",
				   sizeof(*r->workload), (void **)&r->workload);
	r->ntracepoints = copy_table(image, "__start_tracepoints", "__stop_tracepoints",
				     sizeof(*r->tracepoint), (void **)&r->tracepoint);
	for (size_t i = 0; i < r->ncommands; i++) {
		struct command *c = &r->command[i];

		read_registered_command(image, c);
		whole &= is_entry_whole(c->name, c->usage, c->summary);
	}
	for (size_t i = 0; i < r->nworkloads; i++) {
		struct workload *w = &r->workload[i];

		read_workload(image, w);
		whole &= is_entry_whole(w->name, w->usage, w->summary);
	}
	for (size_t i = 0; i < r->ntracepoints; i++)
		whole &= read_tracepoint(image, &r->tracepoint[i]);
	if (whole && r->ncommands && r->nworkloads)
		return 0;
	return refuse(why, EINVAL, "%s: it does not tell its commands and workloads", image->path);
}

/* Maps the file, which stays open because the strings are in it. */
static int read_image_file(struct registered *r, const char *path, struct reason *why)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	static struct image image;
	int err;

	image = (struct image){.path = path};

	if (fd < 0)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	elf_version(EV_CURRENT);
	image.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	image.bytes = image.elf ? elf_rawfile(image.elf, &image.size) : NULL;
	close(fd);
	if (!image.bytes || elf_kind(image.elf) != ELF_K_ELF)
		err = refuse(why, ENOEXEC, "%s: not an ELF file", path);
	else
		err = copy_registered(&image, r, why);
	if (err)
		elf_end(image.elf);
	return err;
}

/* Frees the tables that were read so far. */
static void forget_tables(struct registered *r)
{
	for (size_t i = 0; i < r->ncommands; i++)
		free((void *)r->command[i].operands.names.start);
	for (size_t i = 0; i < r->ntracepoints; i++)
		free((void *)r->tracepoint[i].fields);
	free(r->command);
	free(r->workload);
	free(r->tracepoint);
	*r = (struct registered){0};
}

int registered_read(const struct registered **out, struct reason *why)
{
	static struct registered registered;
	static char path[PATH_MAX];
	int err = 0;

	*out = &registered;
	if (!registered.nworkloads) {
		err = artifact_path(path, sizeof(path), ARTIFACT_ELF, why);
		if (!err)
			err = read_image_file(&registered, path, why);
		if (err)
			forget_tables(&registered);
	}
	return err;
}

const struct command *registered_command(const struct registered *r, const char *name)
{
	for (size_t i = 0; i < r->ncommands; i++)
		if (!strcmp(r->command[i].name, name))
			return &r->command[i];
	return NULL;
}

const struct workload *registered_workload(const struct registered *r, const char *name)
{
	for (size_t i = 0; i < r->nworkloads; i++)
		if (!strcmp(r->workload[i].name, name))
			return &r->workload[i];
	return NULL;
}

const struct trace_event *registered_tracepoint(const struct registered *r, const char *name,
						size_t n)
{
	for (size_t i = 0; i < r->ntracepoints; i++) {
		const struct trace_event *t = &r->tracepoint[i];
		const size_t system = strlen(t->system);

		if (n == system + 1 + strlen(t->name) && !strncmp(name, t->system, system) &&
		    name[system] == ':' && !strncmp(name + system + 1, t->name, n - system - 1))
			return t;
	}
	return NULL;
}
