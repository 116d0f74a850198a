// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_symbols.c - names for stripped programs, from all places of debug files, and for functions
 * of JIT compilers. gcc and objcopy make the programs here. A file that is not the program's debug
 * file, or that is made to harm its reader, gives no names.
 */
#include "tools/symbols/symbols.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tests/unit/tools/mutate.h"
#include "tools/symbols/debugfile.h"
#include "tools/symbols/demangle.h"
#include "tools/symbols/perfmap.h"
#include "tools/util/wholefile.h"

static char folder[] = "/tmp/perf0-symbols-XXXXXX";

/* Runs a command line in the folder. */
static void sh(const char *line)
{
	struct buf command = {0};

	buf_printf(&command, "cd %s && { %s; } >log 2>&1", folder, line);
	if (system(buf_text(&command)))
		fail_msg("failed: %s", line);
	buf_free(&command);
}

static const char *path_in_folder(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* Returns the description of an address in work() of the program `name`: "work file.c:LINE". `at`
 * has the address. */
static const char *says_of_work(const char *name)
{
	static char text[256];
	struct buf at = {0};
	struct reason why;
	struct symbols *symbols = symbols_open(path_in_folder(name), &why);
	const struct symbol *symbol;
	const char *file;
	uint64_t address;

	assert_non_null(symbols);
	assert_int_equal(whole_file_read(&at, path_in_folder("at"), 64, &why), 0);
	address = strtoull(buf_text(&at), NULL, 16) + 1;
	symbol = symbols_find(symbols, address);
	snprintf(text, sizeof(text), "%s %u", symbol ? symbol->name : "-",
		 symbols_line(symbols, address, &file));
	buf_free(&at);
	symbols_close(symbols);
	return text;
}

/* Makes a program, its debug file `d`, and the program without symbols. */
static void make_program(const char *id)
{
	struct buf line = {0};

	sh("rm -rf d prog full .debug root");
	buf_printf(&line, "gcc -O1 -g %s -o full work.c && nm full | grep ' t work$' >at", id);
	sh(buf_text(&line));
	sh("objcopy --only-keep-debug full d && cp full prog && "
	   "strip --strip-all -R .comment prog");
	buf_free(&line);
}

FIXTURE(set_up)
{
	assert_non_null(mkdtemp(folder));
	sh("printf 'int x;\\n"
	   "static __attribute__((noinline)) void work(int n)\\n"
	   "{\\n"
	   "x += n;\\n"
	   "}\\n"
	   "int main(int n, char **v) { (void)v; work(n); return x; }\\n' >work.c");
	setenv("HOME", folder, 1);
	setenv(DEBUGFILE_VARIABLE, "", 1);
	unsetenv("DEBUGINFOD_URLS");
	return 0;
}

FIXTURE(tear_down)
{
	struct buf command = {0};

	buf_printf(&command, "rm -rf %s", folder);
	assert_int_equal(system(buf_text(&command)), 0);
	buf_free(&command);
	return 0;
}

static void use_root(const char *value)
{
	struct buf text = {0};

	buf_printf(&text, "/nosuch:%s/%s", folder, value);
	setenv(DEBUGFILE_VARIABLE, buf_text(&text), 1);
	buf_free(&text);
}

TEST(test_build_id)
{
	make_program("");
	assert_string_equal(says_of_work("full"), "work 4");
	assert_string_equal(says_of_work("prog"), "- 0");
	sh("id=$(readelf -n full | sed -n 's/.*Build ID: //p'); tail=${id#??}; "
	   "mkdir -p root/.build-id/${id%$tail} && cp d root/.build-id/${id%$tail}/$tail.debug");
	assert_string_equal(says_of_work("prog"), "- 0");
	use_root("root");
	assert_string_equal(says_of_work("prog"), "work 4");
	setenv(DEBUGFILE_VARIABLE, "", 1);
	/* perf's cache. */
	sh("mkdir -p .debug && mv root/.build-id .debug && cd .debug/.build-id/* && mv *.debug f && "
	   "id=$(readelf -n ../../../full | sed -n 's/.*Build ID: ..//p') && mkdir $id && "
	   "mv f $id/debug");
	assert_string_equal(says_of_work("prog"), "work 4");
	/* Another program's debug file is in its place. */
	sh("gcc -g -O1 -Dwork=other -o d2 work.c && cp d2 .debug/.build-id/*/*/debug");
	assert_string_equal(says_of_work("prog"), "- 0");
}

TEST(test_debuglink)
{
	make_program("-Wl,--build-id=none");
	sh("cp d other && objcopy --add-gnu-debuglink=d prog");
	assert_string_equal(says_of_work("prog"), "work 4");
	sh("mkdir .debug && mv d .debug");
	assert_string_equal(says_of_work("prog"), "work 4");
	sh("mkdir -p root$PWD && mv .debug/d root$PWD");
	assert_string_equal(says_of_work("prog"), "- 0");
	use_root("root");
	assert_string_equal(says_of_work("prog"), "work 4");
	setenv(DEBUGFILE_VARIABLE, "", 1);
	/* The checksum is that of another file. */
	sh("cp root$PWD/d d && printf x >>d");
	assert_string_equal(says_of_work("prog"), "- 0");
	sh("cp root$PWD/d d");
	assert_string_equal(says_of_work("prog"), "work 4");
	/* Links that go in a circle, a folder and a pipe are no files. */
	sh("ln -sf d d3 && rm d && ln -s d3 d");
	assert_string_equal(says_of_work("prog"), "- 0");
	sh("rm d && mkdir d");
	assert_string_equal(says_of_work("prog"), "- 0");
	sh("rmdir d && mkfifo d");
	assert_string_equal(says_of_work("prog"), "- 0");
	sh("rm d && ln prog d");
	assert_string_equal(says_of_work("prog"), "- 0");
}

/* Sets the section .gnu_debuglink to the output of printf(1) for the text. */
static void set_link(const char *text)
{
	struct buf line = {0};

	buf_printf(&line,
		   "printf '%s' >link && objcopy -R .gnu_debuglink prog && "
		   "objcopy --add-section .gnu_debuglink=link prog",
		   text);
	sh(buf_text(&line));
	buf_free(&line);
}

TEST(test_hostile_links)
{
	static const char *const links[] = {
		"",
		"x",
		"d\\000",
		"nosuch\\000\\000\\001\\002\\003\\004",
		"no end at all",
		"\\000\\000\\000\\000\\001\\002\\003\\004",
		".\\000\\000\\000\\001\\002\\003\\004",
		"..\\000\\000\\001\\002\\003\\004",
		"/dev/zero\\000\\000\\000\\001\\002\\003\\004",
		"\\033[2J\\n\\000\\000\\000\\001\\002\\003\\004",
	};
	char name[] = "../sub/d\\000\\000\\000\\000\\000\\000\\000\\000";

	make_program("-Wl,--build-id=none");
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
		set_link(links[i]);
		assert_string_equal(says_of_work("prog"), "- 0");
	}
	set_link(name);
	assert_string_equal(says_of_work("prog"), "- 0");
	sh("head -c 1000000 /dev/zero | tr '\\000' x >link && objcopy -R .gnu_debuglink prog && "
	   "objcopy --add-section .gnu_debuglink=link prog");
	assert_string_equal(says_of_work("prog"), "- 0");
}

/* A folder may play a server: its answer is in buildid/ID/debuginfo. */
TEST(test_debuginfod)
{
	struct buf url = {0};

	make_program("");
	sh("id=$(readelf -n full | sed -n 's/.*Build ID: //p') && mkdir -p server/buildid/$id && "
	   "mv d server/buildid/$id/debuginfo");
	assert_string_equal(says_of_work("prog"), "- 0");
	buf_printf(&url, "file://%s/server", folder);
	setenv("DEBUGINFOD_CACHE_PATH", path_in_folder("cache"), 1);
	setenv("DEBUGINFOD_URLS", buf_text(&url), 1);
	assert_string_equal(says_of_work("prog"), "work 4");
	/* Another program's file is not accepted. */
	sh("rm -rf cache && gcc -g -O1 -Dwork=other -o other work.c && "
	   "cp other server/buildid/*/debuginfo");
	assert_string_equal(says_of_work("prog"), "- 0");
	sh("rm -rf cache server/buildid");
	assert_string_equal(says_of_work("prog"), "- 0");
	unsetenv("DEBUGINFOD_URLS");
	buf_free(&url);
}

TEST(test_minidebug)
{
	make_program("");
	sh("cp prog bare && cp full mini && objcopy -S --keep-symbol=work full mini; "
	   "rm -f mini.xz; xz mini && "
	   "objcopy --add-section .gnu_debugdata=mini.xz prog");
	assert_string_equal(says_of_work("prog"), "work 0");
	/* A cut file, and a file that unpacks to more than the limit. */
	sh("head -c 200 mini.xz >cut && cp bare prog && "
	   "objcopy --add-section .gnu_debugdata=cut prog");
	assert_string_equal(says_of_work("prog"), "- 0");
	sh("head -c 100000000 /dev/zero | xz -0 >much && cp bare prog && "
	   "objcopy --add-section .gnu_debugdata=much prog");
	assert_string_equal(says_of_work("prog"), "- 0");
}

TEST(test_alt)
{
	make_program("");
	sh("cp d prog.debug && objcopy --add-gnu-debuglink=prog.debug prog && rm d");
	assert_string_equal(says_of_work("prog"), "work 4");
	/* Half of the debug information is in a missing file. */
	sh("printf 'nosuch.dwz\\00012345678901234567890' >alt && "
	   "objcopy --add-section .gnu_debugaltlink=alt prog.debug");
	assert_string_equal(says_of_work("prog"), "work 0");
	if (system("dwz --version >/dev/null 2>&1"))
		return; /* a name that several files share is made by dwz alone */
	make_program("");
	sh("printf '#include <stdio.h>\\nFILE *f;\\n' >f.h && "
	   "gcc -O1 -g -include f.h -o a work.c && cp a b && nm a | grep ' t work$' >at && "
	   "dwz -m shared a b && "
	   "readelf -S a | grep -q debugaltlink && readelf -S shared | grep -q debug_info");
	assert_string_equal(says_of_work("a"), "work 4");
	sh("mv shared elsewhere");
	assert_string_equal(says_of_work("a"), "work 0");
}

TEST(test_long_name)
{
	make_program("");
	sh("{ printf '.text\\n.globl l\\n.type l, @function\\nl: nop\\n.size l, 1\\n.globl '; "
	   "head -c 1000000 /dev/zero | tr '\\000' x >name; cat name; printf '\\n'; cat name; "
	   "printf ':\\nnop\\n.type '; cat name; printf ', @function\\n.size '; cat name; "
	   "printf ', 1\\n'; } >long.s && as -o long.o long.s && ld -shared -o long long.o && "
	   "nm long | sed -n 's/ T l$//p' >at");
	assert_string_equal(says_of_work("long"), "- 0");
}

/* The reader survives any damage of a debug file or of a program's link to it. */
TEST(test_damage)
{
	struct mutate m = {.random = 20};
	struct buf bytes = {0};
	struct reason why;

	make_program("-Wl,--build-id=none");
	sh("objcopy --add-gnu-debuglink=d prog");
	assert_int_equal(whole_file_read(&bytes, path_in_folder("prog"), 1u << 24, &why), 0);
	for (unsigned i = 0; i < 300; i++) {
		int fd = open(path_in_folder("hurt"), O_RDWR | O_CREAT | O_TRUNC, 0600);
		struct symbols *symbols;
		const char *file;

		assert_true(fd >= 0);
		assert_int_equal(write(fd, bytes.data, bytes.size), bytes.size);
		/* Damages the file's end: the table of sections, their names, and the link. */
		for (unsigned k = 0; k < 4; k++) {
			const uint8_t any = (uint8_t)mutate_any(&m);
			const uint64_t at = bytes.size - 1 - mutate_below(&m, 2500);

			assert_int_equal(pwrite(fd, &any, 1, (off_t)at), 1);
		}
		close(fd);
		symbols = symbols_open(path_in_folder("hurt"), &why);
		symbols_find(symbols, 0x1139);
		symbols_line(symbols, 0x1139, &file);
		symbols_close(symbols);
	}
	buf_free(&bytes);
}

TEST(test_demangle)
{
	static const struct {
		const char *name, *plain;
	} rows[] = {
		{"_Z4workIiEvT_", "void work<int>(int)"},
		{"_ZN3foo3barEv", "foo::bar()"},
		{"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
		{"_RNvMNtCs1234_7mycrate1mNtB2_1S3new.llvm.123", "<mycrate::m::S>::new"},
		{"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad"},
		{"_ZN48_$LT$$u5b$T$u5d$$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE",
		 "<[T] as core::fmt::Debug>::fmt"},
		/* Names of other languages, and names of no language. */
		{"_D4core6memory2GC6enableFNbZv", "_D4core6memory2GC6enableFNbZv"},
		{"main.(*T).run", "main.(*T).run"},
		{"_R", "_R"},
		{"_Z", "_Z"},
		{"_Zq", "_Zq"},
		{"_RNv", "_RNv"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(demangle(rows[i].name), rows[i].plain);
}

/* Each parameter is a pair of the one before, twice: 2^30 times "A". */
TEST(test_hostile_names)
{
	static const char digits[] = "123456789ABCDEFGHIJKLMNOPQRSTU";
	struct buf name = {0};

	buf_printf(&name, "_Z1f1ASt4pairIS_S_E");
	for (size_t i = 0; digits[i]; i++)
		buf_printf(&name, "S0_IS%c_S%c_E", digits[i], digits[i]);
	assert_string_equal(demangle(buf_text(&name)), buf_text(&name));
	name.size = strlen("_Z1f1ASt4pairIS_S_ES0_IS1_S1_E");
	assert_non_null(strstr(demangle(buf_text(&name)), "std::pair<std::pair<A, A>"));
	name.size = 0;
	buf_printf(&name, "_ZN");
	for (unsigned i = 0; i < 500000; i++)
		buf_printf(&name, "1");
	assert_string_equal(demangle(buf_text(&name)), buf_text(&name));
	buf_free(&name);
}

static void write_map(const char *text)
{
	FILE *file = fopen(path_in_folder("perf-7.map"), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static const char *name_at(const struct symbols *symbols, uint64_t address)
{
	const struct symbol *symbol = symbols_find(symbols, address);

	return symbol ? symbol->name : "-";
}

TEST(test_perfmap)
{
	const struct symbols *map, *all[4];

	assert_null(perfmap_symbols(7));
	assert_int_equal(perfmap_all(all, 4), 0);
	write_map("1000 10 LazyCompile:~run /a b.js:1\n"
		  "3000 20 older\n3000 10 newer\n"
		  "no line\n2000\n2000 zz x\nffffffffffffffff 2 beyond\n\n"
		  "4000 10 _ZN3foo3barEv\n"
		  "5000 10 cut");
	perfmap_note("/tmp/perf-7.map", path_in_folder("perf-7.map"));
	perfmap_note("/tmp/perf-8.map.old", path_in_folder("perf-7.map"));
	perfmap_note("/tmp/perf-x.map", path_in_folder("perf-7.map"));
	perfmap_note("/tmp/perf-09.map", path_in_folder("perf-7.map"));
	map = perfmap_symbols(7);
	assert_non_null(map);
	assert_ptr_equal(perfmap_symbols(7), map);
	assert_int_equal(perfmap_all(all, 4), 1);
	assert_ptr_equal(all[0], map);
	assert_int_equal(perfmap_all(all, 0), 0);
	assert_string_equal(name_at(map, 0x1000), "LazyCompile:~run /a b.js:1");
	assert_string_equal(name_at(map, 0x100f), "LazyCompile:~run /a b.js:1");
	assert_string_equal(name_at(map, 0x1010), "-");
	assert_string_equal(name_at(map, 0x2000), "-");
	assert_string_equal(name_at(map, 0x3000), "newer");
	assert_string_equal(name_at(map, 0x4000), "foo::bar()");
	assert_string_equal(name_at(map, 0x5000), "-");
	assert_string_equal(name_at(map, UINT64_MAX), "-");
	assert_null(perfmap_symbols(8));
	assert_null(perfmap_symbols(9));
	write_map("1000 10 again\n");
	perfmap_note("perf-7.map", path_in_folder("perf-7.map"));
	assert_string_equal(name_at(perfmap_symbols(7), 0x1000), "again");
	perfmap_note("perf-7.map", "/dev/zero");
	assert_null(perfmap_symbols(7));
	perfmap_note("perf-7.map", "/nosuch");
	assert_null(perfmap_symbols(7));
}

/* --- Jitdumps: words of 32 bits, as the specification lists them; a high half is 0 --- */

#define DUMP_HEADER                0x4A695444, 1, 40, 62, 0, 11, 0, 0, 0, 0
#define DUMP_LOAD(at, index, name) 0, 64, 0, 0, 11, 11, at, 0, at, 0, 0x10, 0, index, 0, name, 0
#define DUMP_MOVE(from, to, index) 1, 64, 0, 0, 11, 11, to, 0, from, 0, to, 0, 0x10, 0, index, 0
#define DUMP_CLOSE                 3, 16, 0, 0

static const struct symbols *read_dump(const uint32_t *word, size_t bytes)
{
	FILE *file = fopen(path_in_folder("jit-11.dump"), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(word, 1, bytes, file), bytes);
	fclose(file);
	assert_true(perfmap_note("/home/jit-11.dump", path_in_folder("jit-11.dump")));
	return perfmap_symbols(11);
}

TEST(test_jitdump)
{
	/* names are "one", "two" and "old" in little endian */
	static const uint32_t dump[] = {
		DUMP_HEADER,
		DUMP_LOAD(0x3000, 7, 0x646c6f),
		DUMP_LOAD(0x1000, 9, 0x656e6f),
		2,
		16,
		0,
		0,
		DUMP_LOAD(0x3000, 8, 0x6f7774),
		DUMP_MOVE(0x1000, 0x5000, 9),
		DUMP_MOVE(0x1000, 0x6000, 99),
		DUMP_CLOSE,
		DUMP_LOAD(0x7000, 10, 0x656e6f),
	};
	const struct symbols *map = read_dump(dump, sizeof(dump));

	assert_string_equal(name_at(map, 0x1000), "one");
	assert_string_equal(name_at(map, 0x100f), "one");
	assert_string_equal(name_at(map, 0x1010), "-");
	assert_string_equal(name_at(map, 0x3000), "two");
	assert_string_equal(name_at(map, 0x5008), "one");
	assert_string_equal(name_at(map, 0x6000), "-");
	assert_string_equal(name_at(map, 0x7000), "-");
	map = read_dump(dump, 40 + 64 + 63);
	assert_string_equal(name_at(map, 0x3000), "old");
	assert_string_equal(name_at(map, 0x1000), "-");
	assert_false(perfmap_note("jit-11.map", "/nosuch"));
	assert_false(perfmap_note("perf-11.dump", "/nosuch"));
	assert_false(perfmap_note("jit-011.dump", "/nosuch"));
}

TEST(test_jitdump_refused)
{
	static const uint32_t foreign[] = {0x4454694A, 0x01000000, 40, 62, 0, 11, 0, 0, 0, 0};
	static const uint32_t version[] = {0x4A695444, 2, 40, 62, 0, 11, 0, 0, 0, 0};
	static const uint32_t header[] = {0x4A695444, 1, 41, 62, 0, 11, 0, 0, 0, 0};
	static const uint32_t tiny[] = {DUMP_HEADER, 0, 15, 0, 0};
	static const uint32_t nameless[] = {DUMP_HEADER, 0,      60, 0,    0, 11, 11, 0x1000,
					    0,           0x1000, 0,  0x10, 0, 7,  0,  0x656e6f6f};
	static const uint32_t move[] = {DUMP_HEADER, 1, 24, 0, 0, 11, 11};

	assert_null(read_dump(foreign, sizeof(foreign)));
	assert_null(read_dump(version, sizeof(version)));
	assert_null(read_dump(header, sizeof(header)));
	assert_null(read_dump(header, 39));
	assert_null(read_dump(tiny, sizeof(tiny)));
	assert_null(read_dump(nameless, sizeof(nameless)));
	assert_null(read_dump(move, sizeof(move)));
}

GROUP(set_up, tear_down);
