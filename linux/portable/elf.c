// SPDX-License-Identifier: BSD-2-Clause
/* elf.c - see elf.h. */
#include "linux/portable/elf.h"

#include "lib/string.h"

#include <linux/elf.h>
#include <stdbool.h>

#define PAGE         4096ull
#define GNU_BUILD_ID 3

static bool is_inside(const struct elf *e, uint64_t offset, uint64_t bytes)
{
	return offset <= e->file.bytes && bytes <= e->file.bytes - offset;
}

static bool read_bytes(const struct elf *e, uint64_t offset, void *to, size_t n)
{
	return is_inside(e, offset, n) && e->file.read(e->file.arg, offset, to, n);
}

static const char *check_format(const struct elf *e, const Elf64_Ehdr *h)
{
	if (e->file.bytes < SELFMAG || memcmp(h->e_ident, ELFMAG, SELFMAG))
		return "it is no ELF file";
	if (e->file.bytes < sizeof(*h))
		return "it is cut short: its header is not in the file";
	if (h->e_ident[EI_CLASS] == ELFCLASS32)
		return "it is a 32-bit ELF file, and not for 64-bit x86";
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
	    h->e_machine != EM_X86_64 || h->e_version != EV_CURRENT ||
	    h->e_ident[EI_VERSION] != EV_CURRENT)
		return "it is not for 64-bit x86";
	return NULL;
}

static const char *type_refusal(const Elf64_Ehdr *h)
{
	if (h->e_type == ET_REL)
		return "it is an object file, not linked yet, and no program";
	if (h->e_type == ET_CORE)
		return "it is a core dump, and no program";
	if (h->e_type != ET_EXEC && h->e_type != ET_DYN)
		return "it is no program";
	if (h->e_type == ET_DYN && !h->e_entry)
		return "it is a shared object without an entry point, and no program";
	return NULL;
}

static const char *check_headers(const struct elf *e, const Elf64_Ehdr *h)
{
	if (h->e_ehsize != sizeof(*h) || h->e_phentsize != sizeof(Elf64_Phdr) || !h->e_phnum)
		return "its headers have other sizes";
	if (!is_inside(e, h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr)))
		return "it is cut short: its program headers are not in the file";
	return NULL;
}

/* Headers are copied: files guarantee no alignment. */
static Elf64_Phdr program_header(const struct elf *e, const Elf64_Ehdr *h, unsigned i)
{
	Elf64_Phdr p = {0};

	read_bytes(e, h->e_phoff + i * sizeof(p), &p, sizeof(p));
	return p;
}

static bool overlaps_segment(const struct elf *e, uint64_t start, uint64_t end)
{
	for (unsigned i = 0; i < e->nsegments; i++)
		if (start < e->segment[i].address + e->segment[i].bytes &&
		    end > e->segment[i].address)
			return true;
	return false;
}

static const char *add_segment(struct elf *e, const Elf64_Phdr *p, uint64_t low, uint64_t high)
{
	const uint64_t start = e->base + p->p_vaddr, skip = start & (PAGE - 1);
	uint64_t end;

	if (!p->p_memsz)
		return NULL;
	if (e->nsegments == ELF_SEGMENTS)
		return "it has too many segments";
	if (p->p_filesz > p->p_memsz || !is_inside(e, p->p_offset, p->p_filesz))
		return "it is cut short: a segment is not in the file";
	if ((p->p_vaddr ^ p->p_offset) & (PAGE - 1))
		return "a segment is not aligned to pages as the file is";
	if (p->p_flags & PF_W && p->p_flags & PF_X)
		return "a segment is both writable and executable";
	if (start < low || start >= high || p->p_memsz > high - start ||
	    high - start - p->p_memsz < PAGE)
		return "a segment lies outside of the addresses that programs have";
	end = (start + p->p_memsz + PAGE - 1) & ~(PAGE - 1);
	if (overlaps_segment(e, start - skip, end))
		return "segments overlap";
	e->end = end > e->end ? end : e->end;
	e->segment[e->nsegments++] = (struct elf_segment){
		.address = start - skip,
		.bytes = end - (start - skip),
		.offset = p->p_offset,
		.skip = skip,
		.filed = p->p_filesz,
		.prot = p->p_flags,
	};
	return NULL;
}

static uint64_t note_round(uint64_t bytes)
{
	return (bytes + 3) & ~3ull;
}

/* Reads the descriptor of a note that is a build-id; returns its length in bytes, or 0. */
static size_t read_build_id(const struct elf *e, const Elf64_Nhdr *note, uint64_t name,
			    uint64_t desc, uint8_t *build_id)
{
	char gnu[4];

	if (note->n_type != GNU_BUILD_ID || note->n_namesz != sizeof(gnu) ||
	    note->n_descsz > ELF_BUILD_ID || !read_bytes(e, name, gnu, sizeof(gnu)) ||
	    memcmp(gnu, "GNU", sizeof(gnu)) || !read_bytes(e, desc, build_id, note->n_descsz))
		return 0;
	return note->n_descsz;
}

/* The first GNU build-id of a PT_NOTE. */
static size_t find_build_id(const struct elf *e, const Elf64_Phdr *p, uint8_t *build_id)
{
	uint64_t at = p->p_offset, end = p->p_offset + p->p_filesz;
	size_t bytes = 0;
	Elf64_Nhdr note;

	if (!is_inside(e, p->p_offset, p->p_filesz))
		return 0;
	while (!bytes && at <= end && end - at >= sizeof(note)) {
		uint64_t name = at + sizeof(note), desc;

		if (!read_bytes(e, at, &note, sizeof(note)))
			break;
		desc = name + note_round(note.n_namesz);
		if (desc > end || note.n_descsz > end - desc)
			break;
		bytes = read_build_id(e, &note, name, desc, build_id);
		at = desc + note_round(note.n_descsz);
	}
	return bytes;
}

static const char *read_interpreter(struct elf *e, const Elf64_Phdr *p)
{
	const uint64_t n = p->p_filesz;

	if (!n || n > sizeof(e->interpreter) || !read_bytes(e, p->p_offset, e->interpreter, n) ||
	    e->interpreter[n - 1])
		return "the name of its interpreter is not in the file";
	return NULL;
}

static const char *read_header(struct elf *e, const Elf64_Phdr *p, uint64_t low, uint64_t high)
{
	switch (p->p_type) {
	case PT_LOAD:
		return add_segment(e, p, low, high);
	case PT_INTERP:
		return read_interpreter(e, p);
	case PT_GNU_STACK:
		e->executable_stack = p->p_flags & PF_X;
		return NULL;
	default:
		return NULL;
	}
}

static const char *read_headers(struct elf *e, const Elf64_Ehdr *h, uint64_t low, uint64_t high)
{
	const char *why = NULL;

	for (unsigned i = 0; i < h->e_phnum && !why; i++) {
		const Elf64_Phdr p = program_header(e, h, i);

		why = read_header(e, &p, low, high);
	}
	return why;
}

static bool is_segment_code(const struct elf *e, uint64_t address)
{
	for (unsigned i = 0; i < e->nsegments; i++)
		if (e->segment[i].prot & ELF_EXEC && address >= e->segment[i].address &&
		    address - e->segment[i].address < e->segment[i].bytes)
			return true;
	return false;
}

/* The address of the program headers in the first segment that holds them. */
static uint64_t headers_address(const struct elf *e, uint64_t offset, uint64_t bytes)
{
	for (unsigned i = 0; i < e->nsegments; i++) {
		const struct elf_segment *s = &e->segment[i];

		if (offset >= s->offset && offset - s->offset <= s->filed &&
		    bytes <= s->filed - (offset - s->offset))
			return s->address + s->skip + (offset - s->offset);
	}
	return 0;
}

static const char *read_format(struct elf *e, const struct elf_source *file, Elf64_Ehdr *h)
{
	*e = (struct elf){.file = *file};
	*h = (Elf64_Ehdr){0};
	if (!read_bytes(e, 0, h, file->bytes < sizeof(*h) ? file->bytes : sizeof(*h)))
		return "it can not be read";
	return check_format(e, h);
}

size_t elf_build_id(const struct elf_source *file, uint8_t build_id[ELF_BUILD_ID])
{
	size_t bytes = 0;
	struct elf e;
	Elf64_Ehdr h;

	if (read_format(&e, file, &h) || check_headers(&e, &h))
		return 0;
	for (unsigned i = 0; i < h.e_phnum && !bytes; i++) {
		const Elf64_Phdr p = program_header(&e, &h, i);

		if (p.p_type == PT_NOTE)
			bytes = find_build_id(&e, &p, build_id);
	}
	return bytes;
}

const char *elf_read(struct elf *e, const struct elf_source *file, uint64_t anywhere, uint64_t low,
		     uint64_t high)
{
	const char *why;
	Elf64_Ehdr h;

	why = read_format(e, file, &h);
	if (!why)
		why = type_refusal(&h);
	if (!why)
		why = check_headers(e, &h);
	if (why)
		return why;
	e->base = h.e_type == ET_DYN ? anywhere : 0;
	why = read_headers(e, &h, low, high);
	if (!why && !e->nsegments)
		why = "there is nothing to load in it";
	if (why)
		return why;
	e->entry = e->base + h.e_entry;
	e->nheaders = h.e_phnum;
	e->headers = headers_address(e, h.e_phoff, (uint64_t)h.e_phnum * sizeof(Elf64_Phdr));
	if (!is_segment_code(e, e->entry))
		return "it does not start in its code";
	return NULL;
}
