// SPDX-License-Identifier: BSD-2-Clause
/* test_programs.c - ELF files that a command line names: which, how large, for which machine, and
 * the pack that the image reads them from. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <elf.h>

#include "include/perf0/programs.h"
#include "tools/machine/programs.h"

#define MIB (UINT64_C(1) << 20)

static char folder[] = "/tmp/perf0-programs.XXXXXX";

/* A header, and one segment of `zeros` bytes; `n` bytes in all. */
static const char *write_elf(char path[64], unsigned number, uint64_t zeros, off_t n)
{
	const Elf64_Ehdr h = {.e_ident = ELFMAG,
			      .e_phoff = sizeof(h),
			      .e_phentsize = sizeof(Elf64_Phdr),
			      .e_phnum = 1};
	const Elf64_Phdr p = {.p_type = PT_LOAD, .p_memsz = zeros};
	FILE *file;

	snprintf(path, 64, "%s/%u", folder, number);
	file = fopen(path, "wb");
	assert_non_null(file);
	fwrite(&h, sizeof(h), 1, file);
	fwrite(&p, sizeof(p), 1, file);
	fprintf(file, "file %u", number);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(truncate(path, n), 0);
	return path;
}

static void test_machines(void **state)
{
	static const struct {
		uint64_t memory;
		uint32_t mib; /* 0: there is none */
	} rows[] = {{0, 256},          {144 * MIB, 256},   {144 * MIB + 1, 512}, {400 * MIB, 512},
		    {401 * MIB, 1024}, {3984 * MIB, 4096}, {3984 * MIB + 1, 0},  {UINT64_MAX, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct programs programs = {.memory = rows[i].memory};
		struct reason why;
		uint32_t mib;
		int err = programs_machine(&programs, &mib, &why);

		assert_int_equal(err, rows[i].mib ? 0 : -EFBIG);
		if (!err)
			assert_int_equal(mib, rows[i].mib);
	}
}

/* In a machine that runs all files of a line are there at once, beside some that it was sent
 * before. */
static void test_fit(void **state)
{
	static const struct {
		uint64_t files[2], loaded;
		uint32_t mib;
		bool fit;
	} rows[] = {
		{{1, 1}, 1, 256, true},
		{{56 * MIB, 56 * MIB}, 0, 256, true},
		{{56 * MIB, 56 * MIB + 1}, 0, 256, false},
		{{112 * MIB, 0}, 0, 256, true},
		{{10 * MIB, 10 * MIB}, 92 * MIB, 256, true},
		{{10 * MIB, 10 * MIB}, 92 * MIB + 1, 256, false},
		{{100 * MIB, 0}, 100 * MIB, 512, true},
		{{1, UINT64_MAX}, UINT64_MAX, 4096, false},
		{{1, 1}, 1, 64, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct program_file files[2] = {{.bytes = rows[i].files[0]},
						{.bytes = rows[i].files[1]}};
		const struct programs programs = {.n = 2, .file = files, .loaded = rows[i].loaded};

		assert_int_equal(programs_fit(&programs, rows[i].mib), rows[i].fit);
	}
}

/* Of several commands the one counts that needs most; a file is there once however often it is
 * named. */
static void test_found(void **state)
{
	char a[64], b[64], none[64];
	const char *words[] = {"stat", write_elf(a, 1, 10 * MIB, 1000),
			       ";",    "stat",
			       a,      write_elf(b, 2, 20 * MIB, 5000),
			       "loop", "/dev/null",
			       ";",    "stat",
			       b,      NULL};
	struct programs programs = {0};
	struct reason why;

	(void)state;
	snprintf(none, sizeof(none), "%s/none", folder);
	assert_int_equal(programs_find(&programs, words, &why), 0);
	assert_int_equal(programs.n, 2);
	assert_int_equal(programs.file[0].bytes, 1000);
	assert_int_equal(programs.file[1].loaded, 20 * MIB);
	assert_int_equal(programs.memory, 30 * MIB + 6000);
	assert_int_equal(programs.loaded, 30 * MIB);
	programs_free(&programs);
	words[1] = none;
	words[2] = NULL;
	assert_int_equal(programs_find(&programs, words, &why), 0);
	assert_int_equal(programs.n, 0);
	programs_free(&programs);
}

static void test_too_large(void **state)
{
	char path[64];
	const char *words[] = {write_elf(path, 3, 0, 256 * MIB), NULL};
	struct programs programs = {0};
	struct reason why;

	(void)state;
	assert_int_equal(programs_find(&programs, words, &why), 0);
	programs_free(&programs);
	words[0] = write_elf(path, 3, 0, 256 * MIB + 1);
	assert_int_equal(programs_find(&programs, words, &why), -EFBIG);
	assert_non_null(strstr(why.text, ": it has 257 MiB, more than a program may (256)"));
	programs_free(&programs);
	words[0] = write_elf(path, 3, UINT64_MAX, 1000);
	assert_int_equal(programs_find(&programs, words, &why), 0);
	assert_int_equal(programs.memory, UINT64_MAX);
	programs_free(&programs);
}

static void check_row(int fd, unsigned i, const char *path, uint64_t bytes, const char *text)
{
	struct programs_row row;
	char there[16] = "";

	assert_int_equal(pread(fd, &row, sizeof(row),
			       (off_t)(sizeof(struct programs_head) + i * sizeof(row))),
			 sizeof(row));
	assert_string_equal(row.path, path);
	assert_int_equal(row.bytes, bytes);
	assert_true(pread(fd, there, strlen(text),
			  (off_t)(row.offset + sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr))) > 0);
	assert_string_equal(there, text);
}

static void test_pack(void **state)
{
	char a[64], b[64];
	const char *words[] = {write_elf(a, 1, 0, 1000), write_elf(b, 2, 0, 5000), NULL};
	struct programs programs = {0};
	struct programs_head head;
	struct reason why;
	struct stat st;
	int fd;

	(void)state;
	assert_int_equal(programs_find(&programs, words, &why), 0);
	fd = programs_pack(&programs, &why);
	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &head, sizeof(head), 0), sizeof(head));
	assert_int_equal(head.n, 2);
	check_row(fd, 0, a, 1000, "file 1");
	check_row(fd, 1, b, 5000, "file 2");
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, sizeof(head) + 2 * sizeof(struct programs_row) + 6000);
	close(fd);
	assert_int_equal(truncate(b, 4999), 0);
	assert_int_equal(programs_pack(&programs, &why), -EIO);
	assert_non_null(strstr(why.text, ": it became shorter while it was read"));
	programs_free(&programs);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char path[64];

	(void)state;
	for (unsigned i = 1; i <= 3; i++) {
		snprintf(path, sizeof(path), "%s/%u", folder, i);
		unlink(path);
	}
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machines), cmocka_unit_test(test_fit),
		cmocka_unit_test(test_found),    cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_pack),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
