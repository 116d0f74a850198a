// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_elf.c - the reader reads programs correctly, refuses files that cannot run with a reason,
 * and survives files with any wrong byte.
 */
#include "linux/portable/elf.h"
#include "tests/unit/rt/elf_holds.h"

#include <linux/elf.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define LOW  ELF_LOW
#define HIGH ELF_HIGH
#define PAGE 4096

/* A file with headers and code in one page, data and zeros in the next. */
static struct file {
	Elf64_Ehdr header;
	Elf64_Phdr load[2], other, note;
	char interpreter[16];
	struct {
		Elf64_Nhdr header;
		char name[4];
		uint8_t id[8];
	} id;
	uint8_t rest[2 * PAGE];
} file;

#define AT(member) offsetof(struct file, member)

static void make_elf_file(void)
{
	memset(&file, 0, sizeof(file));
	file.header = (Elf64_Ehdr){
		.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_entry = AT(rest),
		.e_phoff = AT(load),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 4,
	};
	file.load[0] = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = PAGE, .p_memsz = PAGE};
	file.load[1] = (Elf64_Phdr){
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_W,
		.p_offset = PAGE + 16,
		.p_vaddr = 2 * PAGE + 16,
		.p_filesz = 100,
		.p_memsz = 3 * PAGE,
	};
	file.other = (Elf64_Phdr){.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W};
	file.note =
		(Elf64_Phdr){.p_type = PT_NOTE, .p_offset = AT(id), .p_filesz = sizeof(file.id)};
	file.id.header = (Elf64_Nhdr){4, 8, 3};
	memcpy(file.id.name, "GNU", 4);
	memcpy(file.id.id, "identity", 8);
}

static const char *read_elf_file(struct elf *e)
{
	const struct elf_source source = elf_memory(&file, sizeof(file));

	return elf_read(e, &source, LOW, LOW, HIGH);
}

TEST(test_a_program_is_read)
{
	struct elf e;

	make_elf_file();
	assert_null(read_elf_file(&e));
	assert_int_equal(e.entry, LOW + AT(rest));
	assert_int_equal(e.nsegments, 2);
	assert_int_equal(e.segment[0].address, LOW);
	assert_int_equal(e.segment[0].bytes, PAGE);
	assert_int_equal(e.segment[1].address, LOW + 2 * PAGE);
	assert_int_equal(e.segment[1].bytes, 4 * PAGE);
	assert_int_equal(e.segment[1].skip, 16);
	assert_int_equal(e.segment[1].filed, 100);
	assert_int_equal(e.headers, LOW + AT(load));
	assert_true(e.end == LOW + 6 * PAGE);
	assert_int_equal(e.interpreter[0], 0);
	assert_false(e.executable_stack);
}

static void interpret(void)
{
	strcpy(file.interpreter, "/lib/ld.so");
	file.other = (Elf64_Phdr){
		.p_type = PT_INTERP, .p_offset = AT(interpreter), .p_filesz = sizeof("/lib/ld.so")};
}

TEST(test_programs_of_other_kinds_are_read)
{
	struct elf e;

	make_elf_file();
	interpret();
	assert_null(read_elf_file(&e));
	assert_string_equal(e.interpreter, "/lib/ld.so");
	make_elf_file();
	file.other.p_flags |= PF_X;
	assert_null(read_elf_file(&e));
	assert_true(e.executable_stack);
	make_elf_file();
	file.other = (Elf64_Phdr){.p_type = PT_TLS, .p_memsz = 8};
	assert_null(read_elf_file(&e));
	make_elf_file();
	file.header.e_type = ET_EXEC;
	file.header.e_entry += LOW;
	file.load[0].p_vaddr += LOW;
	file.load[1].p_vaddr += LOW;
	assert_null(read_elf_file(&e));
	assert_int_equal(e.base, 0);
	assert_int_equal(e.entry, LOW + AT(rest));
}

static size_t read_id(uint8_t id[ELF_BUILD_ID])
{
	const struct elf_source source = elf_memory(&file, sizeof(file));

	memset(id, 0, ELF_BUILD_ID);
	return elf_build_id(&source, id);
}

/* Libraries have a build-id, as programs do, but rarely an entry point. */
TEST(test_build_ids_are_read)
{
	uint8_t id[ELF_BUILD_ID];

	make_elf_file();
	assert_int_equal(read_id(id), 8);
	assert_memory_equal(id, "identity", 8);
	file.header.e_entry = 0;
	assert_int_equal(read_id(id), 8);
	assert_memory_equal(id, "identity", 8);
	file.id.header.n_type = 1;
	assert_int_equal(read_id(id), 0);
	make_elf_file();
	file.note.p_filesz--;
	assert_int_equal(read_id(id), 0);
	make_elf_file();
	file.note.p_offset = UINT64_MAX - 8;
	assert_int_equal(read_id(id), 0);
	make_elf_file();
	file.id.header.n_descsz = 0;
	assert_int_equal(read_id(id), 0);
	make_elf_file();
	file.header.e_machine = EM_386;
	assert_int_equal(read_id(id), 0);
}

static void no_elf(void)
{
	file.header.e_ident[1] = 'e';
}
static void bits_32(void)
{
	file.header.e_ident[EI_CLASS] = ELFCLASS32;
}
static void other_machine(void)
{
	file.header.e_machine = EM_AARCH64;
}
static void object(void)
{
	file.header.e_type = ET_REL;
}
static void header_size(void)
{
	file.header.e_phentsize = 32;
}
static void headers_out(void)
{
	file.header.e_phoff = sizeof(file) - 8;
}
static void both(void)
{
	file.load[1].p_flags = PF_R | PF_W | PF_X;
}
static void segment_out(void)
{
	file.load[1].p_filesz = 3 * PAGE;
}
static void more_filed(void)
{
	file.load[1].p_memsz = 50;
}
static void unaligned(void)
{
	file.load[1].p_vaddr += 8;
}
static void too_high(void)
{
	file.load[1].p_memsz = HIGH - LOW;
}
static void wraps(void)
{
	file.load[1].p_vaddr = UINT64_MAX - LOW - PAGE + 17;
}
static void overlapping(void)
{
	file.load[1].p_vaddr = 16;
}
static void fixed_low(void)
{
	file.header.e_type = ET_EXEC;
}
static void interpreter_out(void)
{
	interpret();
	file.other.p_offset = sizeof(file) - 2;
}
static void interpreter_without_end(void)
{
	interpret();
	file.other.p_filesz--;
}
static void interpreter_too_long(void)
{
	interpret();
	file.other.p_filesz = 2 * ELF_INTERPRETER;
}
static void entry_in_data(void)
{
	file.header.e_entry = 2 * PAGE + 16;
}
static void nothing(void)
{
	file.load[0].p_type = file.load[1].p_type = PT_NULL;
}

static const struct {
	void (*damage)(void);
	const char *why; /* part of the sentence */
} refusals[] = {
	{no_elf, "no ELF"},
	{bits_32, "64-bit"},
	{other_machine, "64-bit"},
	{object, "no program"},
	{header_size, "other sizes"},
	{headers_out, "program headers"},
	{both, "writable and executable"},
	{segment_out, "not in the file"},
	{more_filed, "not in the file"},
	{unaligned, "aligned"},
	{too_high, "outside"},
	{wraps, "outside"},
	{overlapping, "overlap"},
	{fixed_low, "outside"},
	{interpreter_out, "interpreter"},
	{interpreter_without_end, "interpreter"},
	{interpreter_too_long, "interpreter"},
	{entry_in_data, "start in its code"},
	{nothing, "nothing to load"},
};

TEST(test_what_cannot_be_run_is_refused)
{
	struct elf e;

	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const char *why;

		make_elf_file();
		refusals[i].damage();
		why = read_elf_file(&e);
		assert_non_null(why);
		if (!strstr(why, refusals[i].why))
			fail_msg("refusal %zu: %s", i, why);
	}
}

/* Numbers at limits. */
static uint64_t edge(void)
{
	static const uint64_t edges[] = {
		0, 1, 7, 8, 24, PAGE, LOW, HIGH, HIGH - LOW, sizeof(file), 1ull << 32, 1ull << 63,
	};

	return edges[(size_t)rand() % (sizeof(edges) / sizeof(edges[0]))] + (uint64_t)(rand() % 5) -
	       2;
}

static void change_byte(void)
{
	((uint8_t *)&file)[rand() % AT(rest)] = (uint8_t)rand();
}

/* Changes all bytes of a field of a header, or of an entry of a table, at once. */
static void change_field(void)
{
	static const size_t sizes[] = {2, 4, 8};
	const size_t bytes = sizes[rand() % 3], at = (size_t)rand() % (AT(rest) / bytes) * bytes;
	const uint64_t value = rand() % 4 ? edge() : (uint64_t)rand() << 33 ^ (uint64_t)rand();

	memcpy((uint8_t *)&file + at, &value, bytes);
}

/* Copies one header over another. */
static void copy_header(void)
{
	Elf64_Phdr *headers = file.load;

	headers[rand() % 4] = headers[rand() % 4];
}

/* Under ASan: any file of any length is refused, or the reader's results are valid. */
TEST(test_no_file_does_harm)
{
	static void (*const changes[])(void) = {change_byte, change_byte, change_field,
						change_field, copy_header};
	unsigned taken = 0, refused = 0;

	srand(1);
	for (unsigned i = 0; i < 200000; i++) {
		size_t n = i % 4 ? sizeof(file) : (size_t)rand() % sizeof(file);
		struct elf_source source;
		uint8_t *copy, build_id[ELF_BUILD_ID];
		struct elf e;

		make_elf_file();
		for (int k = rand() % 4; k >= 0; k--)
			changes[rand() % 5]();
		copy = malloc(n ? n : 1);
		memcpy(copy, &file, n);
		source = elf_memory(copy, n);
		assert_true(elf_build_id(&source, build_id) <= ELF_BUILD_ID);
		if (elf_read(&e, &source, LOW, LOW, HIGH)) {
			refused++;
		} else {
			assert_true(elf_holds(&e));
			taken++;
		}
		free(copy);
	}
	assert_true(taken > 20000 && refused > 20000);
}
