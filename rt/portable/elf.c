// SPDX-License-Identifier: BSD-2-Clause
/* elf.c - see elf.h. */
#include "rt/portable/elf.h"

#include "lib/string.h"

#include <linux/elf.h>
#include <stdbool.h>

#define PAGE              4096ull
#define R_X86_64_RELATIVE 8
#define GNU_BUILD_ID      3

static bool is_inside(const struct elf *e, uint64_t offset, uint64_t bytes)
{
	return offset <= e->bytes && bytes <= e->bytes - offset;
}

static const char *check_header(const struct elf *e, const Elf64_Ehdr *h)
{
	if (e->bytes < SELFMAG || memcmp(h->e_ident, ELFMAG, SELFMAG))
		return "it is no ELF file";
	if (e->bytes < sizeof(*h))
		return "it is cut short: its header is not in the file";
	if (h->e_ident[EI_CLASS] == ELFCLASS32)
		return "it is a 32-bit ELF file, and not for 64-bit x86";
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
	    h->e_machine != EM_X86_64 || h->e_version != EV_CURRENT ||
	    h->e_ident[EI_VERSION] != EV_CURRENT)
		return "it is not for 64-bit x86";
	if (h->e_type == ET_REL)
		return "it is an object file, not linked yet, and no program";
	if (h->e_type == ET_CORE)
		return "it is a core dump, and no program";
	if (h->e_type != ET_EXEC && h->e_type != ET_DYN)
		return "it is no program";
	if (h->e_type == ET_DYN && !h->e_entry)
		return "it is a shared object without an entry point, and no program";
	if (h->e_ehsize != sizeof(*h) || h->e_phentsize != sizeof(Elf64_Phdr) || !h->e_phnum)
		return "its headers have other sizes";
	if (!is_inside(e, h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr)))
		return "it is cut short: its program headers are not in the file";
	return NULL;
}

/* Files are not aligned to anything: headers are copied. */
static Elf64_Phdr program_header(const struct elf *e, const Elf64_Ehdr *h, unsigned i)
{
	Elf64_Phdr p;

	memcpy(&p, e->file + h->e_phoff + i * sizeof(p), sizeof(p));
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

/* The file's offset of `bytes` bytes at `address`; 0: they are not in it. */
static uint64_t offset_of(const struct elf *e, uint64_t address, uint64_t bytes)
{
	for (unsigned i = 0; i < e->nsegments; i++) {
		const struct elf_segment *s = &e->segment[i];
		const uint64_t start = s->address + s->skip;

		if (address >= start && address - start <= s->filed &&
		    bytes <= s->filed - (address - start))
			return s->offset + (address - start);
	}
	return 0;
}

struct dynamic_section {
	uint64_t rela, rela_bytes, entry_bytes, others;
};

static void note_dynamic(struct dynamic_section *d, const Elf64_Dyn *dyn)
{
	switch (dyn->d_tag) {
	case DT_RELA:
		d->rela = dyn->d_un.d_val;
		break;
	case DT_RELASZ:
		d->rela_bytes = dyn->d_un.d_val;
		break;
	case DT_RELAENT:
		d->entry_bytes = dyn->d_un.d_val;
		break;
	case DT_NEEDED:
	case DT_REL:
	case DT_JMPREL:
		d->others = 1;
		break;
	}
}

static const char *read_dynamic(struct elf *e, const Elf64_Phdr *p)
{
	struct dynamic_section d = {0};
	Elf64_Dyn dyn;

	if (!is_inside(e, p->p_offset, p->p_filesz))
		return "its dynamic section is not in the file";
	for (uint64_t at = 0; at + sizeof(dyn) <= p->p_filesz; at += sizeof(dyn)) {
		memcpy(&dyn, e->file + p->p_offset + at, sizeof(dyn));
		if (dyn.d_tag == DT_NULL)
			break;
		note_dynamic(&d, &dyn);
	}
	if (d.others)
		return "it is not linked statically";
	if (!d.rela_bytes)
		return NULL;
	if (d.entry_bytes != sizeof(Elf64_Rela) || d.rela_bytes % sizeof(Elf64_Rela))
		return "its relocations have another size";
	e->rela = offset_of(e, e->base + d.rela, d.rela_bytes);
	e->rela_bytes = d.rela_bytes;
	return e->rela ? NULL : "its relocations are not in the file";
}

/* The first GNU build-id of a PT_NOTE. */
static void find_build_id(struct elf *e, const Elf64_Phdr *p)
{
	uint64_t at = p->p_offset, end = p->p_offset + p->p_filesz;
	Elf64_Nhdr note;

	if (!is_inside(e, p->p_offset, p->p_filesz))
		return;
	while (!e->build_id && end - at >= sizeof(note)) {
		uint64_t name, desc;

		memcpy(&note, e->file + at, sizeof(note));
		name = at + sizeof(note);
		desc = name + ((note.n_namesz + 3ull) & ~3ull);
		if (desc > end || note.n_descsz > end - desc)
			return;
		if (note.n_type == GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(e->file + name, "GNU", 4) && note.n_descsz &&
		    note.n_descsz <= ELF_BUILD_ID) {
			e->build_id = e->file + desc;
			e->build_id_bytes = note.n_descsz;
		}
		at = desc + ((note.n_descsz + 3ull) & ~3ull);
		if (at > end)
			return;
	}
}

static const char *read_loads(struct elf *e, const Elf64_Ehdr *h, uint64_t low, uint64_t high)
{
	const char *why = NULL;

	for (unsigned i = 0; i < h->e_phnum && !why; i++) {
		const Elf64_Phdr p = program_header(e, h, i);

		if (p.p_type == PT_INTERP)
			return "it wants an interpreter: it is not linked statically";
		if (p.p_type == PT_TLS && p.p_memsz)
			return "it has thread-local storage";
		if (p.p_type == PT_LOAD)
			why = add_segment(e, &p, low, high);
	}
	return why;
}

static const char *read_others(struct elf *e, const Elf64_Ehdr *h)
{
	const char *why = NULL;

	for (unsigned i = 0; i < h->e_phnum && !why; i++) {
		const Elf64_Phdr p = program_header(e, h, i);

		if (p.p_type == PT_DYNAMIC)
			why = read_dynamic(e, &p);
		else if (p.p_type == PT_NOTE)
			find_build_id(e, &p);
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

/* Where the first segment that holds the program headers has them. */
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

/* In the pages that have something of the file: others are not there before they are touched. */
static int refuse_outside(void *arg, uint64_t address, uint64_t value)
{
	const struct elf *e = arg;

	(void)value;
	for (unsigned i = 0; i < e->nsegments; i++) {
		const struct elf_segment *s = &e->segment[i];
		const uint64_t there = (s->skip + s->filed + PAGE - 1) & ~(PAGE - 1);

		if (s->filed && address >= s->address && address - s->address < there &&
		    there - (address - s->address) >= sizeof(value))
			return 0;
	}
	return -1;
}

const char *elf_read(struct elf *e, const void *file, size_t bytes, uint64_t anywhere, uint64_t low,
		     uint64_t high)
{
	Elf64_Ehdr h = {0};
	const char *why;

	*e = (struct elf){.file = file, .bytes = bytes};
	memcpy(&h, file, bytes < sizeof(h) ? bytes : sizeof(h));
	why = check_header(e, &h);
	if (why)
		return why;
	e->base = h.e_type == ET_DYN ? anywhere : 0;
	why = read_loads(e, &h, low, high);
	if (!why && !e->nsegments)
		why = "there is nothing to load in it";
	if (!why)
		why = read_others(e, &h);
	if (why)
		return why;
	e->entry = e->base + h.e_entry;
	e->nheaders = h.e_phnum;
	e->headers = headers_address(e, h.e_phoff, (uint64_t)h.e_phnum * sizeof(Elf64_Phdr));
	if (!is_segment_code(e, e->entry))
		return "it does not start in its code";
	return elf_relocate(e, refuse_outside, e);
}

const char *elf_relocate(const struct elf *e,
			 int (*store)(void *arg, uint64_t address, uint64_t value), void *arg)
{
	for (uint64_t at = 0; at < e->rela_bytes; at += sizeof(Elf64_Rela)) {
		Elf64_Rela r;

		memcpy(&r, e->file + e->rela + at, sizeof(r));
		if (ELF64_R_TYPE(r.r_info) != R_X86_64_RELATIVE || ELF64_R_SYM(r.r_info))
			return "it has relocations other than R_X86_64_RELATIVE";
		if (store(arg, e->base + r.r_offset, e->base + (uint64_t)r.r_addend))
			return "a relocation lies outside of its memory";
	}
	return NULL;
}
