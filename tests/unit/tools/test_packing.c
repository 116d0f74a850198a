// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_packing.c - the pack of a run: programs with the libraries that an interpreter (a script
 * here) lists, files of options, environment, arguments; and its bytes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"
#include <elf.h>

#include "include/perf0/programs.h"
#include "lib/format/cpio.h"
#include "tools/program/pack_writer.h"
#include "tools/program/packing.h"
#include "tests/unit/tools/shell.h"

static char folder[64], before[4096];
static struct packing packing;
static struct program_options options;

/* Makes a program with this interpreter; "": a static program. */
static void write_program(const char *name, const char *interpreter)
{
	struct {
		Elf64_Ehdr h;
		Elf64_Phdr load, interp;
		char path[256];
	} f = {
		.h = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				  EV_CURRENT},
		      .e_type = ET_EXEC,
		      .e_machine = EM_X86_64,
		      .e_version = EV_CURRENT,
		      .e_entry = 0x400000,
		      .e_phoff = sizeof(f.h),
		      .e_phentsize = sizeof(Elf64_Phdr),
		      .e_phnum = *interpreter ? 2 : 1},
		.load = {.p_type = PT_LOAD,
			 .p_vaddr = 0x400000,
			 .p_filesz = sizeof(f),
			 .p_memsz = 1 << 20},
		.interp = {.p_type = PT_INTERP,
			   .p_offset = offsetof(__typeof__(f), path),
			   .p_filesz = strlen(interpreter) + 1},
	};
	FILE *file = fopen(name, "wb");

	assert_non_null(file);
	snprintf(f.path, sizeof(f.path), "%s", interpreter);
	assert_int_equal(fwrite(&f, sizeof(f), 1, file), 1);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(name, 0755), 0);
}

FIXTURE(begin)
{
	char interpreter[128];

	assert_non_null(getcwd(before, sizeof(before)));
	strcpy(folder, "/tmp/perf0-packing.XXXXXX");
	if (!mkdtemp(folder) || chdir(folder))
		return -1;
	options = (struct program_options){.no_input = true};
	packing = (struct packing){0};
	run("mkdir lib dir; echo library >lib/libx.so.1; ln -s libx.so.1 lib/libx.so; "
	    "echo other >lib/other; echo data >data; echo in >dir/in");
	run("printf '#!/bin/sh\\nprintf \"\\\\tlibx.so.1 => %%s (0x1)\\\\n\\\\tvdso (0x2)\\\\n\"\\n' "
	    "'%s/lib/libx.so' >ld.so; chmod +x ld.so",
	    folder);
	snprintf(interpreter, sizeof(interpreter), "%s/ld.so", folder);
	write_program("dynamic", interpreter);
	write_program("static", "");
	return 0;
}

FIXTURE(end)
{
	packing_free(&packing);
	if (chdir(before))
		return -1;
	run("rm -rf %s", folder);
	return 0;
}

static const char *here(const char *name)
{
	static char path[4][128];
	static unsigned next;

	next = (next + 1) % 4;
	snprintf(path[next], sizeof(path[next]), "%s/%s", folder, name);
	return path[next];
}

static void check_start(const char *word, const char *wanted, const char *reason)
{
	struct reason why = {0};
	char path[PATH_MAX];
	int err = packing_start(&packing, word, path, &why);

	assert_string_equal(why.text, reason);
	assert_int_equal(!err, !*reason);
	if (!err)
		assert_string_equal(path, wanted);
}

static void begin_packing(void)
{
	struct reason why;

	packing_free(&packing);
	assert_int_equal(packing_begin(&packing, &options, &why), 0);
}

static void check_content(const char *path, const char *wanted, size_t n)
{
	const struct tree_entry *entry = tree_find(&packing.tree, path);

	assert_non_null(entry);
	assert_int_equal(entry->content.size, n);
	assert_memory_equal(entry->content.data, wanted, n);
}

static void end_packing(const char *reason)
{
	struct reason why = {0};
	int err = packing_end(&packing, &why);

	assert_string_equal(why.text, reason);
	assert_int_equal(!err, !*reason);
}

/* --- Programs --- */

TEST_WITH(test_dynamic, begin, end)
{
	begin_packing();
	check_start("./dynamic", "./dynamic", "");
	end_packing("");
	assert_non_null(tree_find(&packing.tree, here("dynamic")));
	assert_true(tree_find(&packing.tree, here("ld.so"))->is_executable);
	assert_string_equal(tree_find(&packing.tree, here("lib/libx.so"))->path,
			    here("lib/libx.so.1"));
	assert_non_null(tree_find(&packing.tree, "/etc/ld.so.cache"));
	assert_int_equal(packing.programs, 1);
	assert_int_equal(packing.loaded, (1 << 20) + sizeof("library"));
}

TEST_WITH(test_static, begin, end)
{
	begin_packing();
	check_start("./static", "./static", "");
	end_packing("");
	assert_null(tree_find(&packing.tree, "/etc/ld.so.cache"));
	options.static_only = true;
	begin_packing();
	check_start("./static", "./static", "");
	packing_free(&packing);
	begin_packing();
	{
		struct reason why;
		char path[PATH_MAX];

		assert_int_equal(packing_start(&packing, "./dynamic", path, &why), -EINVAL);
		assert_non_null(strstr(why.text, "./dynamic: it is linked dynamically (its "
						 "interpreter is /tmp/perf0-packing"));
		assert_non_null(strstr(why.text, "), which --static-only refuses"));
	}
}

TEST_WITH(test_missing, begin, end)
{
	struct reason why;
	char path[PATH_MAX];

	write_program("lost", "/no/such/ld.so");
	run("printf '#!/bin/sh\\n[ $1 = --list ] || printf \"  /deep (system search "
	    "path)\\\\n\"\\necho \"$3: error while loading shared libraries: liby.so: cannot open\" "
	    ">&2; exit 127\\n' >ld.so");
	begin_packing();
	check_start("./lost", "", "./lost: its interpreter /no/such/ld.so is missing");
	assert_int_equal(packing_start(&packing, "./dynamic", path, &why), -EINVAL);
	assert_string_equal(why.text, "./dynamic: liby.so: cannot open; looked for in "
				      "/etc/ld.so.cache, /deep");
}

TEST_WITH(test_refused, begin, end)
{
	run("echo text >text; chmod +x text; : >empty; chmod +x empty; cp static plain; chmod -x "
	    "plain; printf '#!/no/such\\n' >s1; printf '#!%s/loop\\n' >loop; chmod +x s1 loop; "
	    "mkfifo pipe",
	    folder);
	begin_packing();
	check_start("./none", "", "./none: No such file or directory");
	check_start("./dir", "", "./dir: Is a directory");
	check_start("./text/x", "", "./text/x: Not a directory");
	check_start(
		"./text", "",
		"./text: it is no ELF file, and no script that begins with #! and an interpreter");
	check_start("./empty", "", "./empty: it is empty");
	check_start("./pipe", "", "./pipe: it is no plain file");
	check_start("./plain", "", "./plain: Permission denied: it may not be executed (chmod +x)");
	check_start("./s1", "", "./s1: its interpreter /no/such: No such file or directory");
	{
		struct reason why;
		char path[PATH_MAX];

		assert_int_equal(packing_start(&packing, "./loop", path, &why), -EINVAL);
		assert_non_null(strstr(why.text, "interpreters are scripts, more than 4 deep"));
	}
	check_start("nosuchname", "", "nosuchname: No such file or directory");
}

TEST_WITH(test_scripts, begin, end)
{
	static const char *variables[] = {NULL};
	char path[256];

	run("printf '#!%s/static -x\\n' >script; printf '#!%s/script\\n' >nested; "
	    "mkdir bin; cp static bin/tool; cp static env; printf '#!%s/env tool\\n' >byenv; "
	    "chmod +x script nested byenv",
	    folder, folder, folder);
	begin_packing();
	check_start("./nested", "./nested", "");
	assert_non_null(tree_find(&packing.tree, here("script")));
	assert_non_null(tree_find(&packing.tree, here("static")));
	check_start("./byenv", "",
		    "./byenv: its interpreter env would find no tool in "
		    "PATH=/usr/bin:/bin, which --env can set");
	snprintf(path, sizeof(path), "PATH=/none:%s/bin", folder);
	variables[0] = path;
	options.env = (struct option_values){variables, 1};
	begin_packing();
	check_start("./byenv", "./byenv", "");
	assert_non_null(tree_find(&packing.tree, here("bin/tool")));
	check_start("tool", here("bin/tool"), "");
}

/* --- Options --- */

TEST_WITH(test_environment, begin, end)
{
	static const char *variables[] = {"LANG=de", "NEW=1", "NEW=2"};

	begin_packing();
	end_packing("");
	check_content("env", "PATH=/usr/bin:/bin\0HOME=/\0LANG=C\0TERM=dumb", 44 - 1);
	options.env = (struct option_values){variables, 3};
	begin_packing();
	end_packing("");
	check_content("env", "PATH=/usr/bin:/bin\0HOME=/\0LANG=de\0TERM=dumb\0NEW=2", 51 - 1);
	options.keep_env = true;
	setenv("PERF0_TEST", "x", 1);
	begin_packing();
	end_packing("");
	assert_non_null(memmem(tree_find(&packing.tree, "env")->content.data,
			       tree_find(&packing.tree, "env")->content.size, "\0PERF0_TEST=x",
			       14));
	assert_null(memmem(tree_find(&packing.tree, "env")->content.data,
			   tree_find(&packing.tree, "env")->content.size, "\0NEW=1", 7));
}

TEST_WITH(test_files, begin, end)
{
	static const char *files[] = {"data", "dir:/other/", "data:sub/copy", "dynamic:bin/",
				      "data:/"};
	static const char *brings[] = {"out", "/tmp/x:y"};

	options.files = (struct option_values){files, 4};
	options.brings = (struct option_values){brings, 2};
	options.cwd = "work";
	options.has_seed = true;
	options.seed = UINT64_MAX;
	options.prefault = "0";
	begin_packing();
	check_start("./static", here("static"), "");
	end_packing("");
	assert_non_null(tree_find(&packing.tree, here("work/data")));
	assert_non_null(tree_find(&packing.tree, "/other/dir/in"));
	assert_non_null(tree_find(&packing.tree, here("work/sub/copy")));
	assert_non_null(tree_find(&packing.tree, here("work/bin/dynamic")));
	assert_non_null(tree_find(&packing.tree, here("lib/libx.so")));
	check_content("cwd", here("work"), strlen(here("work")));
	check_content("bring", "out\0/tmp/x", 11);
	check_content("seed", "18446744073709551615", 20);
	check_content("prefault", "0", 1);
	options.files.n = 1;
	files[0] = "absent:x";
	begin_packing();
	end_packing("--file absent:x: absent: No such file or directory");
}

TEST_WITH(test_stdin, begin, end)
{
	options.input = "data";
	begin_packing();
	end_packing("");
	check_content("stdin", "data\n", 5);
	options.input = "/dev/null";
	begin_packing();
	end_packing("");
	assert_null(tree_find(&packing.tree, "stdin"));
	options.input = "absent";
	begin_packing();
	end_packing("--stdin absent: No such file or directory");
}

/* A file in --root is taken from there, without running a dynamic linker to list its libraries. */
TEST_WITH(test_root, begin, end)
{
	char path[PATH_MAX];

	run("mkdir -p root/usr/bin root/lib; cp dynamic root/usr/bin/tool0; cp data root/lib/; "
	    "sed -i s/static/x/ ld.so; echo exit 9 >ld.so");
	options.root = "root";
	begin_packing();
	assert_true(packing_finds(&packing, "tool0", path));
	assert_string_equal(path, "/usr/bin/tool0");
	check_start("tool0", "/usr/bin/tool0", "");
	check_start("/usr/bin/tool0", "/usr/bin/tool0", "");
	check_start("./static", "./static", "");
	end_packing("");
	assert_non_null(tree_find(&packing.tree, "/lib/data"));
	assert_non_null(tree_find(&packing.tree, here("static")));
	options.root = "absent";
	{
		struct reason why;

		packing_free(&packing);
		assert_true(packing_begin(&packing, &options, &why) < 0);
		assert_string_equal(why.text, "absent: No such file or directory");
	}
}

/* --- The bytes --- */

static uint32_t hex_field(const uint8_t *header, unsigned i)
{
	char digits[9] = "";

	memcpy(digits, header + 6 + 8 * i, 8);
	return (uint32_t)strtoul(digits, NULL, 16);
}

static struct buf write_pack(void)
{
	const uint64_t n = pack_bytes(&packing.tree);
	struct buf bytes = {0};
	struct reason why;
	int fd = pack_write(&packing.tree, &why);
	struct stat st;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, n);
	assert_int_equal(pread(fd, buf_extend(&bytes, n), n, 0), n);
	close(fd);
	return bytes;
}

TEST_WITH(test_bytes, begin, end)
{
	static const char *files[] = {"large:/large"};
	struct buf one, other;
	const char *last = "";
	size_t at = 0;
	uint32_t number = 0;

	run("head -c 10001 /dev/zero | tr '\\0' x >large");
	options.files = (struct option_values){files, 1};
	options.cwd = "/";
	begin_packing();
	end_packing("");
	one = write_pack();
	run("touch -d 2001-01-01 large; chmod 600 large; umask 077; cp large l2; mv l2 large");
	begin_packing();
	end_packing("");
	other = write_pack();
	assert_int_equal(one.size, other.size);
	assert_memory_equal(one.data, other.data, one.size);
	for (;;) {
		const uint8_t *header = one.data + at;
		const char *name = (const char *)header + CPIO_HEADER;
		const uint32_t bytes = hex_field(header, 6), named = hex_field(header, 11);

		assert_memory_equal(header, CPIO_MAGIC, 6);
		assert_int_equal(hex_field(header, 0), ++number);
		at += CPIO_HEADER + named;
		assert_int_equal(at % (bytes >= PROGRAMS_PAGE ? PROGRAMS_PAGE : CPIO_ALIGN), 0);
		at += bytes + cpio_padding(bytes);
		if (!strcmp(name, CPIO_TRAILER))
			break;
		assert_true(strcmp(last, name) < 0);
		last = name;
		if (!strcmp(name, "/large")) {
			assert_int_equal(hex_field(header, 1), 0100644);
			assert_int_equal(bytes, 10001);
			assert_int_equal(header[CPIO_HEADER + named + 10000], 'x');
		}
	}
	assert_int_equal(at, one.size);
	buf_free(&one);
	buf_free(&other);
}

TEST_WITH(test_shorter, begin, end)
{
	static const char *files[] = {"data"};
	struct reason why;

	options.files = (struct option_values){files, 1};
	begin_packing();
	end_packing("");
	run(": >data");
	assert_int_equal(pack_write(&packing.tree, &why), -EIO);
	assert_string_equal(why.text, "data: it became shorter while it was read");
	run("truncate -s 5G data");
	begin_packing();
	end_packing("");
	assert_int_equal(pack_write(&packing.tree, &why), -EFBIG);
	assert_string_equal(why.text,
			    "the programs and files of a run have more than 4 GiB together");
}
