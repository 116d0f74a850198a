// SPDX-License-Identifier: BSD-2-Clause
/* elfcheck.c - see elfcheck.h. */
#include "tools/program/elfcheck.h"

#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Addresses that ring 3 may use. */
#define LOWEST  UINT64_C(0x10000)
#define HIGHEST UINT64_C(0x7ffffffff000)

struct checking {
	struct elf_needs *needs;
	Elf *elf;
	GElf_Ehdr header;
	uint64_t size; /* size of the file */
	bool is_library;
	bool wants_others; /* it needs libraries */
};

bool elfcheck_is(int fd)
{
	char magic[SELFMAG];

	return pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	       !memcmp(magic, ELFMAG, SELFMAG);
}

/* --- Target --- */

static const struct {
	unsigned machine;
	const char *name;
} machines[] = {
	{EM_386, "32-bit x86"}, {EM_AARCH64, "64-bit Arm"}, {EM_ARM, "32-bit Arm"},
	{EM_RISCV, "RISC-V"},   {EM_PPC64, "64-bit POWER"}, {EM_PPC, "32-bit POWER"},
	{EM_S390, "s390"},      {EM_MIPS, "MIPS"},          {EM_SPARCV9, "64-bit SPARC"},
	{EM_BPF, "BPF"},        {EM_ALPHA, "Alpha"},        {EM_LOONGARCH, "LoongArch"},
};

static int check_machine(const unsigned char *ident, unsigned machine, struct reason *why)
{
	if (machine == EM_X86_64 && ident[EI_CLASS] == ELFCLASS32)
		return refuse(why, EINVAL, "it is a 32-bit ELF file (x32), and not for 64-bit x86");
	if (machine == EM_X86_64 && ident[EI_DATA] == ELFDATA2LSB)
		return 0;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == machine)
			return refuse(why, EINVAL, "it is for %s, and not for 64-bit x86",
				      machines[i].name);
	return refuse(why, EINVAL, "it is not for 64-bit x86");
}

/* Checks the first bytes, the only ones that files for other machines have in common. */
static int check_ident(int fd, struct reason *why)
{
	Elf64_Ehdr h;
	const ssize_t n = pread(fd, &h, sizeof(h), 0);

	if (n < SELFMAG || memcmp(h.e_ident, ELFMAG, SELFMAG))
		return refuse(why, EINVAL, "it is no ELF file");
	if (n < (ssize_t)sizeof(Elf32_Ehdr))
		return refuse(why, EINVAL, "it is cut short: its header is not in the file");
	if (h.e_ident[EI_DATA] == ELFDATA2MSB)
		h.e_machine = __builtin_bswap16(h.e_machine);
	if (check_machine(h.e_ident, h.e_machine, why))
		return -EINVAL;
	if (n < (ssize_t)sizeof(h))
		return refuse(why, EINVAL, "it is cut short: its header is not in the file");
	if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_version != EV_CURRENT)
		return refuse(why, EINVAL, "it is not for 64-bit x86");
	return 0;
}

static int check_type(const struct checking *c, struct reason *why)
{
	const unsigned type = c->header.e_type;

	if (type == ET_REL)
		return refuse(why, EINVAL, "it is an object file, not linked yet, and no program");
	if (type == ET_CORE)
		return refuse(why, EINVAL, "it is a core dump, and no program");
	if (type != ET_EXEC && type != ET_DYN)
		return refuse(why, EINVAL, "it is no program");
	if (c->header.e_phnum &&
	    (c->header.e_phoff > c->size ||
	     c->header.e_phnum > (c->size - c->header.e_phoff) / sizeof(Elf64_Phdr)))
		return refuse(why, EINVAL,
			      "it is cut short: its program headers are not in the file");
	if (c->header.e_phnum && c->header.e_phentsize != sizeof(Elf64_Phdr))
		return refuse(why, EINVAL, "its headers have other sizes");
	return 0;
}

/* --- Segments --- */

static bool is_filed(const struct checking *c, const GElf_Phdr *p)
{
	return p->p_offset <= c->size && p->p_filesz <= c->size - p->p_offset;
}

static int check_load(struct checking *c, const GElf_Phdr *p, struct reason *why)
{
	const bool is_fixed = c->header.e_type == ET_EXEC;

	if (p->p_filesz > p->p_memsz || !is_filed(c, p))
		return refuse(why, EINVAL, "it is cut short: a segment is not in the file");
	if (p->p_flags & PF_W && p->p_flags & PF_X)
		return refuse(why, EINVAL, "a segment is both writable and executable");
	if (p->p_memsz > HIGHEST || p->p_vaddr > HIGHEST - p->p_memsz ||
	    (is_fixed && p->p_memsz && p->p_vaddr < LOWEST))
		return refuse(why, EINVAL,
			      "a segment lies outside of the addresses that programs have");
	if (__builtin_add_overflow(c->needs->loaded, p->p_memsz, &c->needs->loaded))
		c->needs->loaded = UINT64_MAX;
	return 0;
}

static int read_interpreter(struct checking *c, const GElf_Phdr *p, struct reason *why)
{
	char *path = c->needs->interpreter;
	size_t n;
	const char *raw = elf_rawfile(c->elf, &n);

	if (!raw || !is_filed(c, p) || p->p_filesz < 2 || p->p_filesz > PATH_MAX ||
	    p->p_offset + p->p_filesz > n || raw[p->p_offset + p->p_filesz - 1])
		return refuse(why, EINVAL, "it names its interpreter in a way that makes no sense");
	strcpy(path, raw + p->p_offset);
	return 0;
}

/* --- Dynamic section --- */

static uint64_t offset_of_address(const struct checking *c, uint64_t address)
{
	GElf_Phdr p;

	for (int i = 0; i < c->header.e_phnum; i++)
		if (gelf_getphdr(c->elf, i, &p) && p.p_type == PT_LOAD &&
		    address - p.p_vaddr < p.p_filesz)
			return p.p_offset + (address - p.p_vaddr);
	return UINT64_MAX;
}

/* Copies a string of the table; "" if it is not in the file or does not fit. */
static void copy_string(const struct checking *c, uint64_t table, uint64_t at, char *text,
			size_t size)
{
	size_t n, start;
	const char *raw = elf_rawfile(c->elf, &n);

	if (!raw || table >= n || at >= n - table)
		return;
	start = table + at;
	if (strnlen(raw + start, n - start) < n - start)
		snprintf(text, size, "%s", raw + start);
}

static void read_dynamic(struct checking *c, const GElf_Phdr *p)
{
	uint64_t table = UINT64_MAX, soname = 0, path = 0;
	size_t n;
	const char *raw = elf_rawfile(c->elf, &n);
	Elf64_Dyn dyn = {.d_tag = DT_NULL + 1};

	for (uint64_t at = 0; raw && is_filed(c, p) && at + sizeof(dyn) <= p->p_filesz;
	     at += sizeof(dyn)) {
		memcpy(&dyn, raw + p->p_offset + at, sizeof(dyn));
		if (dyn.d_tag == DT_NULL)
			break;
		if (dyn.d_tag == DT_STRTAB)
			table = offset_of_address(c, dyn.d_un.d_ptr);
		else if (dyn.d_tag == DT_SONAME)
			soname = dyn.d_un.d_val;
		else if (dyn.d_tag == DT_RUNPATH || (dyn.d_tag == DT_RPATH && !path))
			path = dyn.d_un.d_val;
		c->wants_others |= dyn.d_tag == DT_NEEDED;
	}
	if (soname)
		copy_string(c, table, soname, c->needs->soname, sizeof(c->needs->soname));
	if (path)
		copy_string(c, table, path, c->needs->run_path, sizeof(c->needs->run_path));
}

/* --- Notes: the required level of x86-64 (x86-64 psABI, "Program Property") --- */

static void read_property(struct checking *c, const char *data, size_t n)
{
	uint32_t property[2], bits; /* type, and bytes of data, which are padded to 8 */

	while (n >= sizeof(property)) {
		memcpy(property, data, sizeof(property));
		data += sizeof(property);
		n -= sizeof(property);
		if (property[1] > n)
			return;
		if (property[0] == GNU_PROPERTY_X86_ISA_1_NEEDED && property[1] >= sizeof(bits)) {
			memcpy(&bits, data, sizeof(bits));
			c->needs->isa = bits ? 32 - (unsigned)__builtin_clz(bits) : 0;
		}
		property[1] = (property[1] + 7) & ~7u;
		if (property[1] > n)
			return;
		data += property[1];
		n -= property[1];
	}
}

static void read_notes(struct checking *c, const GElf_Phdr *p)
{
	Elf_Data *data = NULL;
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	if (is_filed(c, p))
		data = elf_getdata_rawchunk(c->elf, (int64_t)p->p_offset, p->p_filesz,
					    p->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
	while (data && (at = gelf_getnote(data, at, &note, &name, &desc)))
		if (note.n_type == NT_GNU_PROPERTY_TYPE_0 && note.n_namesz == sizeof("GNU") &&
		    !memcmp((char *)data->d_buf + name, "GNU", sizeof("GNU")))
			read_property(c, (char *)data->d_buf + desc, note.n_descsz);
}

static int read_headers(struct checking *c, struct reason *why)
{
	GElf_Phdr p;
	int err = 0;

	for (int i = 0; i < c->header.e_phnum && !err; i++) {
		if (!gelf_getphdr(c->elf, i, &p))
			return refuse(why, EINVAL, "its program headers make no sense");
		if (p.p_type == PT_LOAD)
			err = check_load(c, &p, why);
		else if (p.p_type == PT_INTERP)
			err = read_interpreter(c, &p, why);
		else if (p.p_type == PT_DYNAMIC)
			read_dynamic(c, &p);
		else if (p.p_type == PT_NOTE)
			read_notes(c, &p);
	}
	return err;
}

static int check_start(const struct checking *c, struct reason *why)
{
	const struct elf_needs *needs = c->needs;

	if (!needs->loaded)
		return refuse(why, EINVAL, "there is nothing to load in it");
	if (c->is_library)
		return 0;
	if (c->header.e_type == ET_DYN && !c->header.e_entry)
		return refuse(why, EINVAL,
			      "it is a shared object without an entry point, and no program");
	if (needs->is_library && c->wants_others)
		return refuse(why, EINVAL,
			      "it is a shared object that names no interpreter, and no program");
	return 0;
}

static int check_open(struct checking *c, struct reason *why)
{
	int err;

	if (!c->elf || !gelf_getehdr(c->elf, &c->header))
		return refuse(why, EINVAL, "it is no ELF file");
	err = check_type(c, why);
	if (!err)
		err = read_headers(c, why);
	c->needs->is_library = !*c->needs->interpreter && (c->wants_others || *c->needs->soname);
	return err ? err : check_start(c, why);
}

static int check_elf(struct elf_needs *needs, int fd, bool is_library, struct reason *why)
{
	struct checking c = {.needs = needs, .is_library = is_library};
	struct stat st;
	int err;

	*needs = (struct elf_needs){.loaded = 0};
	if (fstat(fd, &st))
		return refuse(why, errno, "%s", strerror(errno));
	if (check_ident(fd, why))
		return -EINVAL;
	elf_version(EV_CURRENT);
	c.size = (uint64_t)st.st_size;
	c.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	err = check_open(&c, why);
	elf_end(c.elf);
	return err;
}

int elfcheck_program(struct elf_needs *needs, int fd, struct reason *why)
{
	return check_elf(needs, fd, false, why);
}

int elfcheck_library(struct elf_needs *needs, int fd, struct reason *why)
{
	return check_elf(needs, fd, true, why);
}
