// SPDX-License-Identifier: BSD-2-Clause
/* test_program_files.c - facts about program files: ELF headers, first lines of scripts, an
 * interpreter's list of libraries; and the cache of such lists. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/test.h"
#include <elf.h>

#include "tools/program/elfcheck.h"
#include "tools/program/ldcache.h"
#include "tools/program/libraries.h"
#include "lib/script.h"

/* --- ELF files --- */

/* A correct file with a segment, an interpreter and a dynamic section. */
struct elf_file {
	Elf64_Ehdr h;
	Elf64_Phdr load, interp, dynamic;
	char path[16];
	Elf64_Dyn dyn[5];
	char strings[32];
};

static struct elf_file make_elf(void)
{
	struct elf_file f = {
		.h = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				  EV_CURRENT},
		      .e_type = ET_DYN,
		      .e_machine = EM_X86_64,
		      .e_version = EV_CURRENT,
		      .e_entry = 64,
		      .e_phoff = offsetof(struct elf_file, load),
		      .e_ehsize = sizeof(Elf64_Ehdr),
		      .e_phentsize = sizeof(Elf64_Phdr),
		      .e_phnum = 3},
		.load = {.p_type = PT_LOAD,
			 .p_flags = PF_R | PF_X,
			 .p_filesz = sizeof(f),
			 .p_memsz = 0x5000},
		.interp = {.p_type = PT_INTERP,
			   .p_offset = offsetof(struct elf_file, path),
			   .p_filesz = sizeof("/lib/ld.so")},
		.dynamic = {.p_type = PT_DYNAMIC,
			    .p_offset = offsetof(struct elf_file, dyn),
			    .p_filesz = sizeof(f.dyn)},
		.path = "/lib/ld.so",
		.dyn = {{DT_STRTAB, {offsetof(struct elf_file, strings)}},
			{DT_NEEDED, {1}},
			{DT_RUNPATH, {1}},
			{DT_SONAME, {7}}},
		.strings = "\0/a:/b\0libx.so.1",
	};

	return f;
}

static int file_in_memory(const void *bytes, size_t n)
{
	int fd = memfd_create("test", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	return fd;
}

static void check_elf(const struct elf_file *f, size_t n, const char *wanted)
{
	const int fd = file_in_memory(f, n);
	struct elf_needs needs;
	struct reason why = {0};
	int err = elfcheck_program(&needs, fd, &why);

	close(fd);
	assert_string_equal(why.text, wanted);
	assert_int_equal(err, *wanted ? -EINVAL : 0);
}

TEST(test_elf_needs)
{
	struct elf_file f = make_elf();
	int fd = file_in_memory(&f, sizeof(f));
	struct elf_needs needs;
	struct reason why;

	assert_int_equal(elfcheck_program(&needs, fd, &why), 0);
	assert_string_equal(needs.interpreter, "/lib/ld.so");
	assert_string_equal(needs.run_path, "/a:/b");
	assert_string_equal(needs.soname, "libx.so.1");
	assert_int_equal(needs.loaded, 0x5000);
	assert_false(needs.is_library);
	close(fd);
	f.h.e_phnum = 1;
	fd = file_in_memory(&f, sizeof(f));
	assert_int_equal(elfcheck_program(&needs, fd, &why), 0);
	assert_string_equal(needs.interpreter, "");
	close(fd);
}

TEST(test_elf_refused)
{
	struct elf_file f;

#define REFUSED(change, wanted)                   \
	do {                                      \
		f = make_elf();                   \
		change;                           \
		check_elf(&f, sizeof(f), wanted); \
	} while (0)
	REFUSED(, "");
	REFUSED(f.h.e_ident[1] = 'x', "it is no ELF file");
	REFUSED(f.h.e_machine = EM_386, "it is for 32-bit x86, and not for 64-bit x86");
	REFUSED(f.h.e_machine = EM_AARCH64, "it is for 64-bit Arm, and not for 64-bit x86");
	REFUSED((f.h.e_machine = EM_S390 << 8, f.h.e_ident[EI_DATA] = ELFDATA2MSB),
		"it is for s390, and not for 64-bit x86");
	REFUSED(f.h.e_machine = 9999, "it is not for 64-bit x86");
	REFUSED(f.h.e_ident[EI_CLASS] = ELFCLASS32,
		"it is a 32-bit ELF file (x32), and not for 64-bit x86");
	REFUSED(f.h.e_type = ET_REL, "it is an object file, not linked yet, and no program");
	REFUSED(f.h.e_type = ET_CORE, "it is a core dump, and no program");
	REFUSED(f.h.e_entry = 0, "it is a shared object without an entry point, and no program");
	REFUSED(f.h.e_phoff = 1 << 20, "it is cut short: its program headers are not in the file");
	REFUSED(f.h.e_phnum = 60000, "it is cut short: its program headers are not in the file");
	REFUSED(f.h.e_phentsize = 1, "its headers have other sizes");
	REFUSED(f.load.p_filesz = 1 << 20, "it is cut short: a segment is not in the file");
	REFUSED(f.load.p_offset = UINT64_MAX, "it is cut short: a segment is not in the file");
	REFUSED(f.load.p_flags = PF_R | PF_W | PF_X, "a segment is both writable and executable");
	REFUSED(f.load.p_vaddr = UINT64_MAX,
		"a segment lies outside of the addresses that programs have");
	REFUSED(f.h.e_type = ET_EXEC, "a segment lies outside of the addresses that programs have");
	REFUSED((f.h.e_type = ET_EXEC, f.load.p_vaddr = 0x400000), "");
	REFUSED(f.load.p_type = PT_NULL, "there is nothing to load in it");
	REFUSED(f.interp.p_filesz = 5, "it names its interpreter in a way that makes no sense");
	REFUSED(f.interp.p_offset = UINT64_MAX,
		"it names its interpreter in a way that makes no sense");
	REFUSED(f.interp.p_type = PT_NULL,
		"it is a shared object that names no interpreter, and no program");
	REFUSED(f.dynamic.p_offset = UINT64_MAX, "");
	REFUSED(f.dyn[2].d_un.d_val = UINT64_MAX, "");
	REFUSED(f.dyn[0].d_un.d_ptr = UINT64_MAX, "");
#undef REFUSED
	f = make_elf();
	check_elf(&f, 3, "it is no ELF file");
	check_elf(&f, 20, "it is cut short: its header is not in the file");
	check_elf(&f, 60, "it is cut short: its header is not in the file");
	check_elf(&f, 70, "it is cut short: its program headers are not in the file");
}

/* --- Scripts --- */

TEST(test_scripts)
{
	static const struct {
		const char *head, *interpreter, *argument, *env;
	} rows[] = {
		{"#!/bin/sh\n", "/bin/sh", "", NULL},
		{"#! \t/bin/sh -e -x \t\nmore", "/bin/sh", "-e -x", NULL},
		{"#!/bin/sh", "/bin/sh", "", NULL},
		{"#!/usr/bin/env python3\n", "/usr/bin/env", "python3", "python3"},
		{"#!/usr/bin/env -S python3 -u\n", "/usr/bin/env", "-S python3 -u", "python3"},
		{"#!/usr/bin/env -i python3\n", "/usr/bin/env", "-i python3", NULL},
		{"#!/usr/bin/env A=1 python3\n", "/usr/bin/env", "A=1 python3", NULL},
		{"#!\n", NULL, NULL, NULL},
		{"#!   ", NULL, NULL, NULL},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct script script;
		struct reason why;
		char name[SCRIPT_HEAD];
		int err = script_read(&script, rows[i].head, strlen(rows[i].head), &why);

		assert_true(script_is(rows[i].head, strlen(rows[i].head)));
		assert_int_equal(!err, rows[i].interpreter != NULL);
		if (err)
			continue;
		assert_string_equal(script.interpreter, rows[i].interpreter);
		assert_string_equal(script.argument, rows[i].argument);
		assert_int_equal(script_env_names(&script, name), rows[i].env != NULL);
		if (rows[i].env)
			assert_string_equal(name, rows[i].env);
	}
	assert_false(script_is("#", 1));
	assert_false(script_is("x!", 2));
}

TEST(test_long_script_line)
{
	char head[SCRIPT_HEAD];
	struct script script;
	struct reason why;

	memset(head, 'x', sizeof(head));
	memcpy(head, "#!", 2);
	assert_int_equal(script_read(&script, head, sizeof(head), &why), -EINVAL);
	head[100] = ' ';
	assert_int_equal(script_read(&script, head, sizeof(head), &why), 0);
	assert_int_equal(strlen(script.interpreter), 98);
}

/* --- Libraries --- */

TEST(test_listed)
{
	char glibc[] = "\tlinux-vdso.so.1 (0x00007f9c88d2b000)\n"
		       "\tlibfoo.so.1 => /opt/a (0x1)/libfoo.so.1 (0x00007f9c88d19000)\n"
		       "\tlibm.so.6 => relative/libm.so.6 (0x00007f9c88b2a000)\n"
		       "\t/lib64/ld-linux-x86-64.so.2 (0x00007f9c88d2d000)\n"
		       "warning: something\n\tnonsense\n";
	char musl[] = "\t/lib/ld-musl-x86_64.so.1 (0x7f)\n\tlibc.so => "
		      "/lib/ld-musl-x86_64.so.1 (0x7f)\n";
	struct libraries libraries = {0};
	char here[256], path[512];

	libraries_read(&libraries, glibc);
	assert_int_equal(libraries.n, 3);
	assert_string_equal(libraries.library[0].name, "libfoo.so.1");
	assert_string_equal(libraries.library[0].path, "/opt/a (0x1)/libfoo.so.1");
	assert_non_null(getcwd(here, sizeof(here)));
	snprintf(path, sizeof(path), "%s/relative/libm.so.6", here);
	assert_string_equal(libraries.library[1].path, path);
	assert_string_equal(libraries.library[2].path, "/lib64/ld-linux-x86-64.so.2");
	libraries_free(&libraries);
	libraries_read(&libraries, musl);
	assert_int_equal(libraries.n, 2);
	assert_string_equal(libraries.library[1].path, "/lib/ld-musl-x86_64.so.1");
	libraries_free(&libraries);
}

/* A row of the file: its name. */
static const char *cached_name(const struct buf *cache, size_t i)
{
	uint32_t at;

	memcpy(&at, cache->data + 48 + i * 24 + 4, sizeof(at));
	assert_in_range(at, 48, cache->size - 1);
	return (const char *)cache->data + at;
}

/* glibc uses binary search, in its own order: numbers by value, after all letters. */
TEST(test_ldcache)
{
	static const char *const names[] = {"libb.so.9", "liba.so", "libb.so.10", "libb10.so",
					    "libb.so",   "libB.so", "libb9.so"};
	static const char *const wanted[] = {"libb10.so", "libb9.so", "libb.so.10", "libb.so.9",
					     "libb.so",   "liba.so",  "libB.so"};
	struct libraries libraries = {.n = 7, .library = calloc(7, sizeof(struct library))};
	struct buf cache = {0};

	for (size_t i = 0; i < 7; i++)
		libraries.library[i] = (struct library){strdup(names[i]), strdup("/x")};
	ldcache_add(&cache, &libraries);
	assert_memory_equal(cache.data, "glibc-ld.so.cache1.1\7\0\0\0", 24);
	for (size_t i = 0; i < 7; i++)
		assert_string_equal(cached_name(&cache, i), wanted[i]);
	assert_int_equal(cache.data[cache.size - 1], 0);
	buf_free(&cache);
	libraries_free(&libraries);
}
