// SPDX-License-Identifier: BSD-2-Clause
/* test_code_map.c - functions and pages of programs that gcc makes. */
#include "tools/profile/code_map.h"

#include <elf.h>

#include "tests/unit/profile/profile_rig.h"
#include "tools/util/wholefile.h"

static struct profile_rig rig;

FIXTURE(begin)
{
	rig_begin(&rig);
	rig_write(&rig, "code.S",
		  ".globl sized, bare, last\n"
		  ".text\n"
		  ".type sized, @function\n"
		  "sized: nop; nop\n"
		  "inside: nop; ret\n" /* a label in a function */
		  ".size sized, . - sized\n"
		  "nop; nop\n" /* code of no function */
		  ".type bare, @function\n"
		  "bare: nop; nop; nop\n"
		  ".type last, @function\n"
		  "last: nop; ret\n"
		  ".section .text.other, \"ax\", @progbits\n"
		  ".globl other\n"
		  ".type other, @function\n"
		  "other: ret\n"
		  ".size other, . - other\n"
		  ".section .note.GNU-stack, \"\", @progbits\n");
	rig_write(&rig, "calls.c",
		  "#include <stdio.h>\n#include <stdlib.h>\n"
		  "int main(int n, char **v) { puts(v[n - 1]); return atoi(v[0]); }\n");
	return 0;
}

FIXTURE(end)
{
	rig_end(&rig);
	return 0;
}

static const struct code_symbol *symbol_of(const struct code_object *object, const char *name)
{
	for (size_t i = 0; i < code_object_symbols(object); i++)
		if (!strcmp(code_symbol_name(object, code_object_symbol(object, i)), name))
			return code_object_symbol(object, i);
	return NULL;
}

static void check_disjoint(const struct code_object *object)
{
	for (size_t i = 0; i < code_object_symbols(object); i++) {
		const struct code_symbol *symbol = code_object_symbol(object, i);

		assert_true(symbol->start < symbol->end);
		if (i)
			assert_true(symbol[-1].end <= symbol->start);
		assert_int_equal(code_object_find(object, symbol->start), i);
		assert_int_equal(code_object_find(object, symbol->end - 1), i);
	}
	assert_int_equal(code_object_find(object, UINT64_MAX), SIZE_MAX);
}

TEST_WITH(test_assembly, begin, end)
{
	const struct code_symbol *sized, *bare, *last;
	const struct code_object *object;

	rig_shell(&rig, "gcc -nostdlib -static -Wl,-e,sized -o asm code.S");
	object = rig_add(&rig, "asm");
	check_disjoint(object);
	sized = symbol_of(object, "sized");
	bare = symbol_of(object, "bare");
	last = symbol_of(object, "last");
	assert_int_equal(sized->end - sized->start, 4);
	assert_null(symbol_of(object, "inside"));
	assert_int_equal(bare->start - sized->start, 6);
	assert_int_equal(bare->end, last->start);
	assert_true(last->end - last->start >= 2);
	assert_int_equal(code_object_find(object, sized->start + 4), SIZE_MAX);
}

TEST_WITH(test_plt, begin, end)
{
	static const char *const flags[] = {"", "-Wl,-z,now",
					    "-fcf-protection -Wl,-z,lazy,-z,ibtplt", "-fno-plt"};

	for (size_t i = 0; i < 4; i++) {
		const struct code_object *object;
		struct buf line = {0};
		char name[8];

		snprintf(name, sizeof(name), "calls%zu", i);
		buf_printf(&line, "gcc -O1 %s -o %s calls.c", flags[i], name);
		rig_shell(&rig, buf_text(&line));
		buf_free(&line);
		object = rig_add(&rig, name);
		check_disjoint(object);
		assert_non_null(symbol_of(object, "main"));
		assert_true(!symbol_of(object, "puts@plt") == (i == 3));
	}
}

TEST_WITH(test_static_plt, begin, end)
{
	const struct code_object *object;

	rig_shell(&rig, "gcc -O1 -static -o static calls.c");
	object = rig_add(&rig, "static");
	check_disjoint(object);
	assert_non_null(symbol_of(object, "main"));
	assert_non_null(symbol_of(object, "strchr@plt"));
}

/* Returns how often the page with that hash and address is in the file. */
static unsigned count_page(uint64_t hash, uint64_t address)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < rig.file->header.npages; i++) {
		const struct profile_page *page = &rig.file->page[i];

		n += page->hash == hash && page->address == address;
		if (i)
			assert_true(page[-1].hash <= page->hash);
	}
	return n;
}

/* Maps each executable segment as Linux does, and as a loader that copies it. */
TEST_WITH(test_pages, begin, end)
{
	struct buf bytes = {0};
	const Elf64_Ehdr *ehdr;
	const Elf64_Phdr *phdr;
	struct reason why;
	char path[64];
	unsigned partial = 0;

	rig_shell(&rig, "gcc -O1 -Wl,-z,noseparate-code -o one calls.c && gcc -O1 -o two calls.c");
	rig_add(&rig, "one");
	rig_add(&rig, "two");
	rig_write_map(&rig);
	assert_int_equal(rig.file->header.nobjects, 2);
	snprintf(path, sizeof(path), "%s/one", rig.folder);
	assert_int_equal(whole_file_read(&bytes, path, 1 << 24, &why), 0);
	buf_extend(&bytes, PROFILE_PAGE);
	ehdr = (const void *)bytes.data;
	phdr = (const void *)(bytes.data + ehdr->e_phoff);
	for (unsigned i = 0; i < ehdr->e_phnum; i++) {
		if (phdr[i].p_type != PT_LOAD || !(phdr[i].p_flags & PF_X))
			continue;
		for (uint64_t at = 0; at < phdr[i].p_filesz; at += PROFILE_PAGE) {
			uint64_t page[PROFILE_PAGE / 8] = {0}, first[PROFILE_PAGE / 8];
			const uint64_t left = phdr[i].p_filesz - at;
			const uint8_t *from = bytes.data + phdr[i].p_offset + at;

			assert_int_equal(phdr[i].p_offset % PROFILE_PAGE, 0);
			memcpy(page, from, left < PROFILE_PAGE ? left : PROFILE_PAGE);
			assert_int_equal(count_page(profile_hash(page), phdr[i].p_vaddr + at), 1);
			memcpy(first, page, PROFILE_PAGE);
			memcpy(page, from, PROFILE_PAGE);
			assert_int_equal(count_page(profile_hash(page), phdr[i].p_vaddr + at), 1);
			partial += left < PROFILE_PAGE && memcmp(page, first, PROFILE_PAGE) != 0;
		}
	}
	assert_int_equal(partial, 1);
	buf_free(&bytes);
}

TEST_WITH(test_no_file, begin, end)
{
	struct reason why;

	assert_true(code_map_add(&rig.map, "/x", "/nonexistent", &why) < 0);
	rig_write(&rig, "text", "no program");
	rig_shell(&rig, "gcc -O1 -o strip calls.c && strip --strip-section-headers strip || "
			"strip strip");
	assert_non_null(rig_add(&rig, "strip"));
	assert_int_equal(rig.map.n, 1);
}
