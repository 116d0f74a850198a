// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_session_output.c - output of the host tool: full, closed and limited outputs, recordings,
 * and names that look like other text.
 */
#include "tests/unit/tools/fake_session.h"

#include "tests/unit/test.h"

/* As with other tools, output that cannot be printed is an error, with one line about it. */
static void check_output(const char *arguments, const char *to, int status, const char *err)
{
	int got = shell("cd %s && ./perf0 %s 2>err </dev/null %s", folder, arguments, to);

	if (got != status || !said("err", err) ||
	    shell("test $(grep -c '^perf0: ' %s/err) = 1", folder)) {
		shell("cat %s/err", folder);
		fail_msg("perf0 %s %s: status %d, wanted %d and '%s'", arguments, to, got, status,
			 err);
	}
	assert_false(is_left_behind());
}

static const char *const printing[] = {
	"help",
	"help decode",
	"version",
	"list --no-boot --uarch hsw",
	"list --json --uarch hsw",
	"plan --uarch hsw -e cycles",
	"plan --uarch hsw -e cycles --json",
	"decode dir/stream.perf0 --text",
	"decode dir/stream.perf0 --folded",
	"decode dir/stream.perf0 --speedscope",
	"decode dir/stream.perf0 -o -",
	RUN "good",
	"stat --serial --events ratios --qemu ./machine -- good",
};

TEST(test_full_output)
{
	assert_int_equal(shell("test -c /dev/full"), 0);
	check_session(RUN "-o dir -- recording", 0, NULL, NULL);
	shell("rm %s/perf0.elf 2>/dev/null; cp /proc/%d/exe %s/perf0.elf", folder, (int)getpid(),
	      folder);
	for (size_t i = 0; i < sizeof(printing) / sizeof(printing[0]); i++) {
		const bool symbols = strstr(printing[i], "decode dir");

		/* Ignores the line about symbols of an image that is none. */
		if (symbols)
			continue;
		check_output(printing[i], ">/dev/full", 1,
			     "perf0: standard output: No space left on device");
		check_output(printing[i], ">&-", 1, "perf0: standard output: Bad file descriptor");
	}
	for (size_t i = 0; i < sizeof(printing) / sizeof(printing[0]); i++) {
		if (!strstr(printing[i], "decode dir"))
			continue;
		assert_int_equal(shell("cd %s && ./perf0 %s >/dev/full 2>err", folder, printing[i]),
				 1);
		assert_true(said("err", "perf0: standard output: No space left on device"));
		assert_int_equal(shell("cd %s && ./perf0 %s >&- 2>err", folder, printing[i]), 1);
		assert_true(said("err", "perf0: standard output: Bad file descriptor"));
		assert_false(said("err", "wrote"));
	}
	check_output("stat -o /dev/full --serial --events ratios --qemu ./machine -- good", "", 1,
		     "perf0: /dev/full: No space left on device");
}

/* A filter ends silently when its reader closes the pipe. */
TEST(test_gone_reader)
{
	const int gone = 9;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(dup2(ends[1], gone), gone);
	close(ends[0]);
	close(ends[1]);
	for (size_t i = 0; i < sizeof(printing) / sizeof(printing[0]); i++) {
		if (shell("cd %s && (./perf0 %s >&%d %d>&- 2>err </dev/null; echo $? >status); "
			  "grep -qx 141 status && ! grep -q 'standard output' err",
			  folder, printing[i], gone, gone)) {
			shell("cat %s/status %s/err", folder, folder);
			fail_msg("perf0 %s, and the reader is gone", printing[i]);
		}
		assert_false(is_left_behind());
	}
	close(gone);
}

/* With any descriptor closed the status is right, and the stream's file has only the stream. */
TEST(test_closed_descriptors)
{
	static const struct {
		const char *closed;
		int status;
	} cases[] = {
		{"<&-", 0},      {">&-", 1},      {"2>&-", 0},
		{"<&- 2>&-", 0}, {">&- 2>&-", 1}, {"<&- >&- 2>&-", 1},
	};

	check_session(RUN "-o whole -- good", 0, NULL, NULL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *closed = cases[i].closed;
		int got = shell("cd %s && rm -rf part && ./perf0 " RUN
				"-o part -- good >out 2>err %s",
				folder, closed);

		if (got != cases[i].status)
			fail_msg("%s: status %d", closed, got);
		assert_int_equal(shell("cd %s && cmp part/stream.perf0 whole/stream.perf0 && "
				       "cmp part/console.txt whole/console.txt",
				       folder),
				 0);
		/* A recording goes to its file, so closed descriptors are no error. */
		assert_int_equal(
			shell("cd %s && rm -f it.data && ./perf0 record --serial --events ratios --qemu ./machine "
			      "-o it.data -- recording >out 2>err %s",
			      folder, closed),
			0);
		assert_int_equal(shell("cd %s && head -c 8 it.data | grep -q PERFILE2", folder), 0);
		assert_false(is_left_behind());
	}
}

/* A limit on the size of files, for outputs with and without a temporary file. */
TEST(test_size_limit)
{
	check_session(RUN "-o dir -- recording", 0, NULL, NULL);
	assert_int_equal(shell("cd %s && rm -rf few && mkdir few && (ulimit -f 1; ./perf0 decode "
			       "dir/stream.perf0 -o few/it.data 2>err)",
			       folder),
			 1);
	assert_true(said("err", "few/it.data: File too large"));
	assert_int_equal(shell("test -z \"$(ls -A %s/few)\"", folder), 0);
	assert_int_equal(shell("cd %s && (ulimit -f 1; ./perf0 list --no-boot --uarch hsw "
			       ">few/list 2>few/err)",
			       folder),
			 1);
	assert_true(said("few/err", "perf0: standard output: File too large"));
}

/* A program's outputs go to the tool's outputs of the same name, unchanged unless that is a
 * terminal. The tool's own text may go elsewhere. */
TEST(test_program)
{
	static const char *const out = "printf 'out 1 \\377\\033[2J\\nout 2\\n'";

	check_session(
		"stat --serial --events ratios --qemu ./machine -o table --bring x/first:there -- program",
		0, NULL, "err 1");
	assert_int_equal(shell("cd %s && %s | cmp - out", folder, out), 0);
	assert_int_equal(shell("cd %s && grep -qx 'a table' table && ! grep -q out table", folder),
			 0);
	assert_int_equal(shell("cd %s && printf first | cmp - there", folder), 0);
	check_session(RUN "program", 0, "a table", "err 1");
	check_session(RUN "--bring first --bring second -- program", 1, "a table",
		      "perf0: --bring second: the image did not send it");
	assert_int_equal(shell("cd %s && printf first | cmp - first", folder), 0);
	assert_int_equal(
		shell("cd %s && ./perf0 record --serial --events ratios --qemu ./machine -o - -- program "
		      ">out 2>err; grep -q 'out 2' err && ! grep -q 'out' out",
		      folder),
		0);
}

/* Only a program reads standard input. */
TEST(test_program_input)
{
	assert_int_equal(shell("cd %s && printf 'one\\ntwo\\n' | ./perf0 " RUN
			       "-- stat ./perf0 reading >out 2>err",
			       folder),
			 0);
	assert_true(said("out", "two"));
	assert_int_equal(shell("cd %s && printf left >in && (./perf0 " RUN
			       "-- stat loop reading >out 2>err; cat >rest) <in; cmp in rest",
			       folder),
			 0);
	assert_true(said("out", "no pack"));
	check_session(RUN "-- stat ./perf0 reading", 0, "a pack", NULL);
	check_session(RUN "--stdin in -- stat ./perf0 reading", 0, "left", NULL);
}

TEST(test_recording)
{
	check_session("record --serial --events ratios --qemu ./machine -o it.data -- recording", 0,
		      NULL, "it.data (1 samples");
	assert_true(said("err", "no symbols"));
	assert_int_equal(shell("cd %s && head -c 8 it.data | grep -q PERFILE2", folder), 0);
	check_session("record --serial --events ratios --qemu ./machine -o it.data -- recording", 0,
		      NULL, "1 samples");
	assert_int_equal(shell("test -s %s/it.data.old", folder), 0);
	check_session("record --serial --events ratios --qemu ./machine -- good", 125, NULL,
		      "no recording");
}

TEST(test_stored_stream)
{
	check_session(RUN "-o dir -- recording", 0, NULL, "dir/perf.data (1 samples");
	check_session("decode dir/stream.perf0 -o again", 0, NULL, "again (1 samples");
	assert_int_equal(shell("cd %s && cmp dir/perf.data again", folder), 0);
	check_session("decode -v --command 0 dir/stream.perf0 -o again", 0, NULL,
		      "1 events, 1 samples");
	check_session("decode --command 1 dir/stream.perf0 -o x", 1, NULL, "no command 1");
	check_session(RUN "-o dir2 -- good", 0, "a table", NULL);
	assert_true(said("dir2/console.txt", "a table"));
	check_session("decode dir2/stream.perf0 -o x", 1, NULL, "no recording");
	assert_int_equal(shell("cd %s && head -c 500 dir/stream.perf0 >cut", folder), 0);
	check_session("decode cut -o x", 125, NULL, "the stream is incomplete");
	check_session("decode nosuch", 1, NULL, "nosuch: No such file");
	check_session(RUN "-o out/dir -- good", 1, NULL, "out/dir: Not a directory");
}

/* Checks that the file has no control characters, and no line that begins with `pose`. */
static void is_harmless(const char *what, const char *file, const char *pose)
{
	char path[64], line[65536], plain[4 * sizeof(line)];
	FILE *in;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	in = fopen(path, "r");
	assert_non_null(in);
	while (fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = '\0';
		plain_copy(plain, sizeof(plain), line, strlen(line));
		if (strcmp(plain, line) || !strncmp(line, pose, strlen(pose)))
			fail_msg("%s, %s: %s", what, file, plain);
	}
	fclose(in);
}

TEST(test_forged_names)
{
	static const char *const forms[] = {
		"--text",
		"--folded",
		"--speedscope",
		"--csv",
		"--json",
		"-o it.data",
		"-v --text",
		"--command 1 --csv",
		"--command 9",
		"-v -x ';'",
		"--command 1 -v -o it.data",
	};

	check_session(RUN "-o forged -- forging", 0, NULL, "taking the last");
	is_harmless("run", "err", POSE);
	is_harmless("run", "err", "[ " POSE);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		char arguments[128];
		int status;

		snprintf(arguments, sizeof(arguments), "decode forged/stream.perf0 %s --command 0",
			 forms[i]);
		if (strstr(forms[i], "--command"))
			*strstr(arguments, " --command 0") = '\0';
		status = tool(arguments);
		assert_true(status == 0 || status == 1);
		is_harmless(forms[i], "out", POSE);
		is_harmless(forms[i], "err", POSE);
		is_harmless(forms[i], "err", "[ " POSE);
	}
	check_session("decode forged/stream.perf0 --csv --command 0", 0, ",\"\"\",", NULL);
	assert_int_equal(shell("cd %s && ./perf0 decode forged/stream.perf0 --json --command 0 | "
			       "python3 -c 'import json, sys\n"
			       "for line in sys.stdin: json.loads(line)'",
			       folder),
			 0);
	check_session(RUN "misplaced", 125, NULL, "came out of its turn");
	is_harmless("run", "err", POSE);
	check_session("attach -o it.data forged/stream.perf0", 0, NULL, "samples");
	is_harmless("attach", "err", POSE);
}

/* No line of the machine begins like a line of the tool. */
TEST(test_posing)
{
	assert_int_equal(shell("cd %s && ./perf0 " RUN "posing >both 2>&1 </dev/null", folder), 0);
	is_harmless("both in one file", "both", "perf0: complete");
	is_harmless("both in one file", "both", "[ perf0: wrote");
	assert_true(said("both", ">" POSE " 1"));
	assert_true(said("both", "perf0>: complete: all is well 2"));
	assert_true(said("both", "a line of its own\\x0d" POSE " 3"));
	assert_true(said("both", ">[ perf0: wrote 4"));
	assert_true(said("both", "\xe2\x82\xac in two pieces"));
	assert_true(said("both", ">" POSE " 5"));
	/* With a file of its own the workload's output is unchanged. */
	check_session(RUN "posing", 0, "a line of its own\r" POSE " 3", ">" POSE " 1");
}

TEST(test_usage)
{
	check_session("", 2, NULL, "  perf0 stat ./prog 1000");
	check_session("help", 0, "  perf0 stat ./prog 1000", NULL);
	check_session("help commands", 0, "usage: perf0 COMMAND", NULL);
	check_session("version", 0, "perf0 version 0.", NULL);
	check_session("--version", 0, "perf0 version 0.", NULL);
	check_session("help run", 0, "--timeout S", NULL);
	check_session("stat --help", 0, "--uarch U", NULL);
	check_session("help nosuch", 2, NULL, "unknown command ");
	check_session("nosuch", 2, NULL, "unknown command ");
	check_session("run", 2, NULL, "no command");
	check_session("run --smp x caps", 2, NULL, "perf0 run: --smp: ");
	check_session("decode", 2, NULL, "one file");
	check_session("stat -e hsw::NOSUCH -- loop", 2, NULL, "hsw::NOSUCH");
	check_session("run --qemu ./nosuch good", 125, NULL,
		      "./nosuch: can not be started: No such file");
	check_session("run \"$(printf 'a\\tb')\"", 2, NULL, "not printable ASCII");
	shell("rm %s/vpmu.efi", folder);
	check_session(RUN "good", 125, NULL, "vpmu.efi: No such file");
	check_session(RUN "--no-vpmu good", 0, "a table", NULL);
	shell("touch %s/vpmu.efi", folder);
}

GROUP(make_folder, remove_folder);
