// SPDX-License-Identifier: BSD-2-Clause
/* test_programs.c - programs of a command line: their size, their machine, passing their words to
 * the image, and their pack. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"
#include <elf.h>

#include "include/perf0/programs.h"
#include "tools/machine/line_programs.h"

#define MIB (UINT64_C(1) << 20)

static char folder[] = "/tmp/perf0-programs.XXXXXX";
static const struct program_options options = {.no_input = true};
static struct programs programs;

/* Makes a static program with `zeros` bytes in memory, and `n` bytes in its file. */
static const char *write_elf(char path[64], unsigned number, uint64_t zeros, off_t n)
{
	const Elf64_Ehdr h = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					  ELFDATA2LSB, EV_CURRENT},
			      .e_type = ET_EXEC,
			      .e_machine = EM_X86_64,
			      .e_version = EV_CURRENT,
			      .e_phoff = sizeof(h),
			      .e_phentsize = sizeof(Elf64_Phdr),
			      .e_phnum = 1};
	const Elf64_Phdr p = {.p_type = PT_LOAD, .p_vaddr = 0x400000, .p_memsz = zeros};
	FILE *file;

	snprintf(path, 64, "%s/%u", folder, number);
	file = fopen(path, "wb");
	assert_non_null(file);
	fwrite(&h, sizeof(h), 1, file);
	fwrite(&p, sizeof(p), 1, file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(truncate(path, n), 0);
	assert_int_equal(chmod(path, 0755), 0);
	return path;
}

FIXTURE(begin)
{
	programs_begin(&programs, &options);
	return 0;
}

FIXTURE(end)
{
	programs_free(&programs);
	return 0;
}

TEST(test_machines)
{
	static const struct {
		uint64_t memory;
		uint32_t mib; /* 0: there is none */
	} rows[] = {{0, 256},          {144 * MIB, 256},   {144 * MIB + 1, 512}, {400 * MIB, 512},
		    {401 * MIB, 1024}, {3984 * MIB, 4096}, {3984 * MIB + 1, 0},  {UINT64_MAX, 0}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct programs some = {.memory = rows[i].memory};
		struct reason why;
		uint32_t mib;
		int err = programs_machine(&some, &mib, &why);

		assert_int_equal(err, rows[i].mib ? 0 : -EFBIG);
		if (!err)
			assert_int_equal(mib, rows[i].mib);
	}
}

/* A running machine has all files of a line at once, beside earlier files. */
TEST(test_fit)
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

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct program_file files[2] = {{.bytes = rows[i].files[0]},
						{.bytes = rows[i].files[1]}};
		const struct programs some = {.n = 2, .file = files, .loaded = rows[i].loaded};

		assert_int_equal(programs_fit(&some, rows[i].mib), rows[i].fit);
	}
}

static void take_words(const char **words, size_t workload)
{
	struct reason why = {0};

	assert_int_equal(programs_command(&programs, words, workload, &why), 0);
}

/* The command that needs most memory counts. A file is present once, however often it is named, and
 * all files are present at the same time. */
TEST_WITH(test_found, begin, end)
{
	char a[64], b[64];
	const char *one[] = {"stat", write_elf(a, 1, 10 * MIB, 1000), NULL};
	const char *two[] = {"stat",      a,        write_elf(b, 2, 20 * MIB, 5000),
			     "/dev/null", "none/x", NULL};
	const char *three[] = {"stat", b, NULL};
	struct reason why;

	take_words(one, 1);
	take_words(two, 1);
	take_words(three, 1);
	assert_int_equal(programs_end(&programs, &why), 0);
	assert_int_equal(programs.n, 1);
	assert_string_equal(programs.file[0].path, PROGRAMS_PACK);
	assert_in_range(programs.file[0].bytes, 6000, 20000);
	assert_int_equal(programs.loaded, 30 * MIB);
	assert_int_equal(programs.memory, 30 * MIB + programs.file[0].bytes);
	assert_string_equal(two[1], a);
}

TEST_WITH(test_none, begin, end)
{
	const char *words[] = {"stat", "-e", "step_trace//u", "loop", NULL};
	struct reason why;

	take_words(words, PROGRAMS_NO_WORKLOAD);
	assert_int_equal(programs_end(&programs, &why), 0);
	assert_int_equal(programs.n, 0);
}

TEST_WITH(test_immense, begin, end)
{
	char path[64];
	const char *words[] = {write_elf(path, 3, 0x7ffffff00000 - 0x400000, 1000), path, NULL};
	struct reason why;
	uint32_t mib;

	take_words(words, 0);
	assert_int_equal(programs_end(&programs, &why), 0);
	assert_int_equal(programs_machine(&programs, &mib, &why), -EFBIG);
}

static void check_list(const char *name, const char *wanted, size_t n)
{
	const struct tree_entry *entry = tree_find(&programs.packing.tree, name);

	assert_non_null(entry);
	assert_int_equal(entry->content.size, n);
	assert_memory_equal(entry->content.data, wanted, n);
}

/* Words that the image's command line cannot contain are in the pack. */
TEST_WITH(test_arguments, begin, end)
{
	static const char *many[80], wide[] = "caf\xc3\xa9";
	static char longer[3000];
	char path[64], list[256];
	const char *plain[] = {"stat", "--", write_elf(path, 1, 1, 1000), "x", NULL};
	const char *bytes[] = {"stat", path, wide, "", NULL};
	const char *large[] = {"stat", path, longer, NULL};
	int n;

	take_words(plain, 2);
	assert_string_equal(plain[2], path);
	assert_string_equal(plain[3], "x");
	take_words(bytes, 1);
	assert_string_equal(bytes[1], "argv.0");
	assert_null(bytes[2]);
	n = snprintf(list, sizeof(list), "%s%c%s%c%s%c", path, 0, path, 0, wide, 0);
	check_list("argv.0", list, (size_t)n + 1);
	memset(longer, 'x', sizeof(longer) - 1);
	take_words(large, 1);
	assert_string_equal(large[1], "argv.1");
	for (size_t i = 0; i < 79; i++)
		many[i] = i ? "y" : path;
	take_words(many, 0);
	assert_string_equal(many[0], "argv.2");
	assert_int_equal(tree_find(&programs.packing.tree, "argv.2")->bytes,
			 2 * (strlen(path) + 1) + 78 * 2);
}

TEST_WITH(test_arguments_too_long, begin, end)
{
	static char longer[PROGRAMS_STRING_MOST + 1];
	static const char *many[20];
	char path[64];
	const char *words[] = {write_elf(path, 1, 1, 1000), longer, NULL};
	struct reason why;

	memset(longer, 'x', PROGRAMS_STRING_MOST);
	assert_int_equal(programs_command(&programs, words, 0, &why), -E2BIG);
	assert_non_null(strstr(why.text, "/1: argument 1 has more than 131071 bytes"));
	longer[PROGRAMS_STRING_MOST - 1] = '\0';
	for (size_t i = 0; i < 19; i++)
		many[i] = i ? longer : path;
	assert_int_equal(programs_command(&programs, many, 0, &why), -E2BIG);
	assert_non_null(strstr(why.text, "/1: its arguments have more than 2 MiB"));
}

TEST_WITH(test_handed_over, begin, end)
{
	char path[64];
	const char *words[] = {"stat", write_elf(path, 1, 0, 100), NULL};
	struct reason why = {0};
	uint8_t *bytes;
	struct stat st;
	int fd;

	words[1] = write_elf(path, 1, 1, 1000);
	take_words(words, 1);
	assert_int_equal(programs_end(&programs, &why), 0);
	fd = programs_pack(&programs, &why);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, programs.file[0].bytes);
	close(fd);
	bytes = malloc(programs.file[0].bytes);
	assert_int_equal(program_file_read(&programs.file[0], bytes, &why), 0);
	assert_memory_equal(bytes, "070701", 6);
	free(bytes);
}

FIXTURE(make_folder)
{
	return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(remove_folder)
{
	char path[64];

	for (unsigned i = 1; i <= 3; i++) {
		snprintf(path, sizeof(path), "%s/%u", folder, i);
		unlink(path);
	}
	return rmdir(folder);
}

GROUP(make_folder, remove_folder);
