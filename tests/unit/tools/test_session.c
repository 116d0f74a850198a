// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_session.c - the whole host tool from outside, with machines that behave in every way a
 * machine can: that say BYE, die, hang, babble, or lie in their books.
 *
 * This program is three in one: the tests; the tool, when called perf0; and the machine, when
 * called machine. The tests put copies of it under these names into a folder of their own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/plain.h"
#include "tests/unit/tools/synth.h"
#include "tools/cmd/cli.h"

#define CTRL_C '\003'

/* The machine: what it does is the last word of the command line it boots with. */

static struct synth wire;

static void flush_wire(void)
{
	size_t done = 0;

	while (done < wire.out.size) {
		ssize_t n = write(STDOUT_FILENO, wire.out.data + done, wire.out.size - done);

		if (n < 0)
			exit(1);
		done += (size_t)n;
	}
	wire.out.size = 0;
}

static void put_text(const char *text)
{
	buf_add(&wire.out, text, strlen(text));
}

static void wait_forever(void)
{
	for (;;)
		pause();
}

static void wait_for_ctrl_c(void)
{
	char c = 0;

	while (read(STDIN_FILENO, &c, 1) == 1 && c != CTRL_C)
		;
}

static void say_hello(void)
{
	const struct wire_hello hello = {.version = WIRE_VERSION, .ncpus = 1};

	put_text("\033[2JBdsDxe: loading\r\n");
	synth_hello(&wire, &hello);
	synth_begin(&wire, 0, "stat loop");
}

static void say_bye(int status, const struct wire_books *books)
{
	synth_result(&wire, 0, status, books);
	synth_bye(&wire, status, 1, books);
	flush_wire();
	wait_forever();
}

static const struct wire_books no_books;

static void be_good(void)
{
	say_hello();
	synth_text(&wire, WIRE_TEXT_OUT, "a table\n");
	synth_text(&wire, WIRE_TEXT_ERR, "a complaint\n");
	say_bye(0, &no_books);
}

static void be_failing(void)
{
	say_hello();
	say_bye(42, &no_books);
}

static void be_recording(void)
{
	struct perf_event_attr attr = synth_attr();
	struct wire_books books = {.overflows = 1, .written = 1};
	struct buf records = {0};

	say_hello();
	synth_event(&wire, 0, &attr, "instructions", 1);
	synth_sample(&records, 1, 2, 3, 0);
	books.sent = records.size;
	synth_frame(&wire, WIRE_DATA, 0, records.data, records.size);
	buf_free(&records);
	say_bye(0, &books);
}

/* What a terminal would obey, and lines that pose as the tool's own. */
#define POSE "perf0: complete: all is well"
#define NASTY          \
	"x\033[2J\x9b" \
	"1m\xc2\x9b"   \
	"1m\xe2\x80\xae\xff\a\b\r\n" POSE "\n[ " POSE " ]\n"

static void forge_comm(struct buf *records, const char *name)
{
	struct perf_event_header header = {.type = PERF_RECORD_COMM};
	const uint32_t ids[] = {1, 1};
	const struct synth_trailer trailer = {.pid = 1, .tid = 1, .time = 1, .id = 1};
	size_t start = records->size;

	buf_extend(records, sizeof(header));
	buf_add(records, ids, sizeof(ids));
	buf_add(records, name, strlen(name) + 1);
	buf_pad(records, start, 8);
	buf_add(records, &trailer, sizeof(trailer));
	header.size = (uint16_t)(records->size - start);
	memcpy(records->data + start, &header, sizeof(header));
}

/* Every name in it is hostile; the frames and the books are right. */
static void be_forging(void)
{
	static char huge[1500];
	struct perf_event_attr attr = synth_attr();
	struct wire_books books = {.overflows = 2, .written = 2};
	const struct wire_hello hello = {.version = WIRE_VERSION, .ncpus = 1};
	struct buf records = {0};

	memset(huge, '\033', sizeof(huge) - 1);
	synth_hello(&wire, &hello);
	synth_begin(&wire, 0, "record " NASTY " -- " NASTY);
	synth_text(&wire, WIRE_TEXT_ERR, NASTY);
	synth_event(&wire, 0, &attr, NASTY, 1);
	synth_event(&wire, 0, &attr, huge, 2);
	synth_format(&wire, 0, 1, NASTY, NASTY, NASTY);
	forge_comm(&records, "\033[2J\n" POSE);
	synth_sample(&records, 1, 2, 3, 0);
	synth_sample(&records, 2, 2, 4, 0);
	books.sent = records.size;
	synth_frame(&wire, WIRE_DATA, 0, records.data, records.size);
	buf_free(&records);
	synth_count(&wire, 0, NASTY ",\"", 3);
	synth_count(&wire, 0, huge, 3);
	synth_result(&wire, 0, 0, &books);
	synth_begin(&wire, 1, NASTY);
	synth_event(&wire, 1, &attr, NASTY, 3);
	synth_result(&wire, 1, 0, &no_books);
	synth_bye(&wire, 0, 2, &books);
	flush_wire();
	wait_forever();
}

/* The same for complaints: a name in a frame that has no place. */
static void be_misplaced(void)
{
	const struct perf_event_attr attr = synth_attr();

	say_hello();
	synth_event(&wire, 77, &attr, NASTY, 1);
	say_bye(0, &no_books);
}

/* Text that poses as the tool: whole, in pieces, and outside of frames. */
static void be_posing(void)
{
	say_hello();
	synth_text(&wire, WIRE_TEXT_ERR, POSE " 1\n");
	synth_text(&wire, WIRE_TEXT_ERR, "per");
	synth_text(&wire, WIRE_TEXT_OUT, "f0: complete: all is well 2\n");
	synth_text(&wire, WIRE_TEXT_OUT, "a line of its own\r" POSE " 3\n");
	synth_text(&wire, WIRE_TEXT_ERR, "[ perf0: wrote 4\n");
	synth_text(&wire, WIRE_TEXT_OUT, "\xe2\x82");
	synth_text(&wire, WIRE_TEXT_OUT, "\xac in two pieces\n");
	put_text("\r\n" POSE " 5\r\n");
	say_bye(0, &no_books);
}

static void be_lying(void)
{
	const struct wire_books books = {.overflows = 3, .lost = 1};

	say_hello();
	say_bye(0, &books);
}

static void be_lossy(void)
{
	say_hello();
	wire.seq[WIRE_STREAM_MAIN] += 2;
	say_bye(0, &no_books);
}

static void be_obedient(void)
{
	say_hello();
	flush_wire();
	wait_for_ctrl_c();
	synth_text(&wire, WIRE_TEXT_ERR, "interrupted\n");
	say_bye(130, &no_books);
}

/* Runs something, and tells of each snapshot that it is asked for. */
static void be_snapping(void)
{
	char c = 0;

	say_hello();
	synth_text(&wire, WIRE_TEXT_OUT, "it runs\n");
	flush_wire();
	while (read(STDIN_FILENO, &c, 1) == 1 && c != CTRL_C) {
		synth_text(&wire, WIRE_TEXT_OUT, c == WIRE_TYPED_SNAPSHOT ? "snap\n" : "what?\n");
		flush_wire();
	}
	synth_text(&wire, WIRE_TEXT_ERR, "interrupted\n");
	say_bye(130, &no_books);
}

static void be_deaf(void)
{
	say_hello();
	flush_wire();
	wait_forever();
}

static void be_silent(void)
{
	put_text("no boot device\r\n");
	flush_wire();
	wait_forever();
}

static void be_dead(void)
{
	fprintf(stderr, "machine: warning: TCG lacks things\nmachine: it burns\n");
	exit(7);
}

static void be_reset(void)
{
	say_hello();
	flush_wire();
	exit(0);
}

/* Dies in the middle of a frame, with its last words in it. */
static void be_panicking(void)
{
	say_hello();
	synth_frame(&wire, WIRE_TEXT, WIRE_STREAM_MAIN, "\1an unfinished sentence", 23);
	wire.out.size -= 12;
	put_text("\r\nperf0: panic: out of luck\r\n");
	flush_wire();
	exit(0);
}

static const struct {
	const char *name;
	void (*be)(void);
} machines[] = {
	{"good", be_good},           {"failing", be_failing},     {"recording", be_recording},
	{"lying", be_lying},         {"lossy", be_lossy},         {"obedient", be_obedient},
	{"deaf", be_deaf},           {"silent", be_silent},       {"dead", be_dead},
	{"reset", be_reset},         {"panicking", be_panicking}, {"forging", be_forging},
	{"misplaced", be_misplaced}, {"posing", be_posing},       {"snapping", be_snapping},
};

static int machine_main(int argc, char **argv)
{
	const char *word = strrchr(argv[argc - 1], ' ') + 1;

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (!strcmp(machines[i].name, word))
			machines[i].be();
	return 1;
}

/* The tests. */

static char folder[] = "/tmp/perf0-test-XXXXXX";

static int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int shell(const char *format, ...)
{
	char command[1024];
	va_list args;
	int status;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	return shell("cd %s && cp /proc/%d/exe perf0 && cp perf0 machine && "
		     "touch esp.img perf0.efi vpmu.efi",
		     folder, (int)getpid());
}

static int remove_folder(void **state)
{
	(void)state;
	return shell("rm -rf %s", folder);
}

/* Runs the tool in the folder; output goes to the files out and err there. */
static int tool(const char *arguments)
{
	return shell("cd %s && ./perf0 %s >out 2>err </dev/null", folder, arguments);
}

static bool said(const char *file, const char *text)
{
	return !shell("grep -qF -- '%s' %s/%s", text, folder, file);
}

/* Is a machine of this folder still running? What ends it may take its time. */
static bool is_left_behind(void)
{
	return shell("for i in $(seq 600); do ls -l /proc/[0-9]*/exe 2>/dev/null | "
		     "grep -q '%s/machine' || exit 0; sleep 0.05; done; exit 1",
		     folder);
}

static void check(const char *arguments, int status, const char *out, const char *err)
{
	int got = tool(arguments);

	if (got != status || (out && !said("out", out)) || (err && !said("err", err))) {
		shell("cat %s/out %s/err", folder, folder);
		fail_msg("perf0 %s: status %d, wanted %d, '%s' and '%s'", arguments, got, status,
			 out ? out : "", err ? err : "");
	}
	assert_false(is_left_behind());
}

#define RUN "run --qemu ./machine "

static void test_good(void **state)
{
	(void)state;
	check(RUN "good", 0, "a table", "a complaint");
	assert_false(said("out", "a complaint"));
	assert_false(said("err", "BdsDxe")); /* the firmware's noise */
	check(RUN "-v good", 0, "a table", "BdsDxe: loading");
	check(RUN "failing", 42, NULL, NULL);
}

static void test_incomplete(void **state)
{
	(void)state;
	check(RUN "lying", 125, NULL, "incomplete: command 0: 3 overflows, but 0 written + 1 lost");
	check(RUN "lossy", 125, NULL, "incomplete: 2 frames missing");
}

static void test_dying_machines(void **state)
{
	(void)state;
	check(RUN "dead", 125, NULL, "machine: it burns");
	assert_true(said("err", "ended with status 7"));
	assert_false(said("err", "TCG lacks"));
	check(RUN "reset", 125, NULL, "reset or switched off");
	check(RUN "panicking", 125, NULL, "perf0: panic: out of luck");
}

/* A busy host may not have started it in a second, nor in eight. */
static void check_hanging(const char *machine, const char *err)
{
	char arguments[80];

	for (unsigned seconds = 1; seconds <= 64; seconds *= 8) {
		snprintf(arguments, sizeof(arguments), RUN "--timeout %u %s", seconds, machine);
		check(arguments, 124, NULL, NULL);
		if (said("err", err))
			return;
		assert_true(said("err", "never started"));
	}
	fail_msg("%s: '%s' was never said", machine, err);
}

static void test_machines_that_hang(void **state)
{
	(void)state;
	check_hanging("obedient", "s: the workload was ended");
	assert_true(said("err", "timed out after "));
	assert_true(said("err", "interrupted"));
	check_hanging("deaf", "did not answer ^C");
	check_hanging("silent", "never started");
	assert_true(said("err", "no boot device"));
}

/* Shell: waits until the machine is up; by then the tool takes signals. */
#define WHEN_UP                                                                                  \
	"for i in $(seq 1200); do ls -l /proc/[0-9]*/exe 2>/dev/null | grep -q $PWD/machine && " \
	"break; sleep 0.05; done; "

static void check_signal(const char *machine, const char *signal, int status, const char *err)
{
	int got = shell("cd %s && (./perf0 run --qemu ./machine %s >out 2>err & " WHEN_UP
			"kill -%s $!; %s; wait $!)",
			folder, machine, signal,
			strcmp(machine, "deaf")
				? ":"
				: "while kill -INT $! 2>/dev/null; do sleep 0.2; done");

	if (got != status || !said("err", err))
		fail_msg("%s, SIG%s: status %d, wanted %d, '%s'", machine, signal, got, status,
			 err);
	assert_false(is_left_behind());
}

static void test_signals(void **state)
{
	(void)state;
	check_signal("obedient", "INT", 130, "interrupted");
	check_signal("deaf", "INT", 130, "the guest was killed");
	/* There is no image yet that could end anything. */
	check_signal("silent", "TERM", 143, "the guest was killed");
	check_signal("silent", "HUP", 129, "the guest was killed");
}

/* Starts a machine that runs something, and gives it the signals of `script`, a line of shell. In
 * it, `said N TEXT` waits until the image has said that N times. */
static int snap(const char *script)
{
	return shell("cd %s && : >out && said() { for i in $(seq 600); do "
		     "[ $(grep -cx \"$2\" out) -ge $1 ] && break; sleep 0.05; done; }; "
		     "./perf0 run --qemu ./machine --timeout 60 snapping >out 2>err & "
		     "said 1 'it runs'; %s; wait $!",
		     folder, script);
}

/* Whatever ends a run that is under way, what the image has measured comes first. */
static void test_signals_that_end_in_order(void **state)
{
	static const struct {
		const char *script;
		int status;
	} ending[] = {{"kill -INT $!", 130},
		      {"kill -TERM $!", 143},
		      {"kill -HUP $!", 129},
		      {"kill -USR1 $!", 138}};

	(void)state;
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		int got = snap(ending[i].script);

		if (got != ending[i].status || !said("err", "interrupted") ||
		    said("err", "was killed") || said("err", "incomplete"))
			fail_msg("%s: status %d", ending[i].script, got);
		assert_false(is_left_behind());
	}
}

/* SIGUSR2 ends nothing; the image is told of each. */
static void test_snapshots(void **state)
{
	(void)state;
	assert_int_equal(snap("kill -USR2 $!; said 1 snap; kill -USR2 $!; said 2 snap; "
			      "kill -INT $!"),
			 130);
	assert_int_equal(shell("test $(grep -cx snap %s/out) = 2", folder), 0);
	assert_false(said("out", "what?"));
	assert_false(is_left_behind());
}

/* Whatever ends the tool ends the machine. */
static void test_killed_tool(void **state)
{
	(void)state;
	shell("cd %s && (./perf0 run --qemu ./machine deaf >out 2>err & " WHEN_UP "kill -KILL $!; "
	      "wait $!) 2>/dev/null",
	      folder);
	assert_false(is_left_behind());
}

static void test_closed_output(void **state)
{
	(void)state;
	assert_int_equal(shell("cd %s && (./perf0 " RUN "good; echo $? >status) 2>err | true; "
			       "for i in $(seq 600); do [ -s status ] && break; sleep 0.05; done; "
			       "grep -qx 141 status || grep -qx 0 status",
			       folder),
			 0);
	assert_false(is_left_behind());
}

/* As other tools: what was to be printed and could not be is an error, with one line about it. */
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
	"stat --qemu ./machine -- good",
};

static void test_full_output(void **state)
{
	(void)state;
	assert_int_equal(shell("test -c /dev/full"), 0);
	check(RUN "-o dir -- recording", 0, NULL, NULL);
	shell("rm %s/perf0.elf 2>/dev/null; cp /proc/%d/exe %s/perf0.elf", folder, (int)getpid(),
	      folder);
	for (size_t i = 0; i < sizeof(printing) / sizeof(printing[0]); i++) {
		const bool symbols = strstr(printing[i], "decode dir");

		/* A line about symbols of an image that is none is not what is looked for. */
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
	check_output("stat -o /dev/full --qemu ./machine -- good", "", 1,
		     "perf0: /dev/full: No space left on device");
}

/* A reader that has seen enough ends a filter without a word. */
static void test_gone_reader(void **state)
{
	const int gone = 9;
	int ends[2];

	(void)state;
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

/* Whatever is closed: the right status, and nothing but the stream in the stream's file. */
static void test_closed_descriptors(void **state)
{
	static const struct {
		const char *closed;
		int status;
	} cases[] = {
		{"<&-", 0},      {">&-", 1},      {"2>&-", 0},
		{"<&- 2>&-", 0}, {">&- 2>&-", 1}, {"<&- >&- 2>&-", 1},
	};

	(void)state;
	check(RUN "-o whole -- good", 0, NULL, NULL);
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
		/* A recording goes to its file, so that nothing is wrong without any of them. */
		assert_int_equal(shell("cd %s && rm -f it.data && ./perf0 record --qemu ./machine "
				       "-o it.data -- recording >out 2>err %s",
				       folder, closed),
				 0);
		assert_int_equal(shell("cd %s && head -c 8 it.data | grep -q PERFILE2", folder), 0);
		assert_false(is_left_behind());
	}
}

/* A file that may not grow any more, for what has a temporary file and for what has none. */
static void test_size_limit(void **state)
{
	(void)state;
	check(RUN "-o dir -- recording", 0, NULL, NULL);
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

static void test_recording(void **state)
{
	(void)state;
	check("record --qemu ./machine -o it.data -- recording", 0, NULL, "it.data (1 samples");
	assert_true(said("err", "no symbols"));
	assert_int_equal(shell("cd %s && head -c 8 it.data | grep -q PERFILE2", folder), 0);
	check("record --qemu ./machine -o it.data -- recording", 0, NULL, "1 samples");
	assert_int_equal(shell("test -s %s/it.data.old", folder), 0);
	check("record --qemu ./machine -- good", 125, NULL, "no recording");
}

static void test_stored_stream(void **state)
{
	(void)state;
	check(RUN "-o dir -- recording", 0, NULL, "dir/perf.data (1 samples");
	check("decode dir/stream.perf0 -o again", 0, NULL, "again (1 samples");
	assert_int_equal(shell("cd %s && cmp dir/perf.data again", folder), 0);
	check("decode -v --command 0 dir/stream.perf0 -o again", 0, NULL, "1 events, 1 samples");
	check("decode --command 1 dir/stream.perf0 -o x", 1, NULL, "no command 1");
	check(RUN "-o dir2 -- good", 0, "a table", NULL);
	assert_true(said("dir2/console.txt", "a table"));
	check("decode dir2/stream.perf0 -o x", 1, NULL, "no recording");
	assert_int_equal(shell("cd %s && head -c 500 dir/stream.perf0 >cut", folder), 0);
	check("decode cut -o x", 125, NULL, "the stream is incomplete");
	check("decode nosuch", 1, NULL, "nosuch: No such file");
	check(RUN "-o out/dir -- good", 1, NULL, "out/dir: Not a directory");
}

/* Nothing in the file would be obeyed by a terminal, and no line of it begins with `pose`. */
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

static void test_forged_names(void **state)
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

	(void)state;
	check(RUN "-o forged -- forging", 0, NULL, "taking the last");
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
	check("decode forged/stream.perf0 --csv --command 0", 0, ",\"\"\",", NULL);
	assert_int_equal(shell("cd %s && ./perf0 decode forged/stream.perf0 --json --command 0 | "
			       "python3 -c 'import json, sys\n"
			       "for line in sys.stdin: json.loads(line)'",
			       folder),
			 0);
	check(RUN "misplaced", 125, NULL, "came out of its turn");
	is_harmless("run", "err", POSE);
	check("attach -o it.data forged/stream.perf0", 0, NULL, "samples");
	is_harmless("attach", "err", POSE);
}

/* A line of the machine never begins as one of the tool's own. */
static void test_posing(void **state)
{
	(void)state;
	assert_int_equal(shell("cd %s && ./perf0 " RUN "posing >both 2>&1 </dev/null", folder), 0);
	is_harmless("both in one file", "both", "perf0: complete");
	is_harmless("both in one file", "both", "[ perf0: wrote");
	assert_true(said("both", ">" POSE " 1"));
	assert_true(said("both", "perf0>: complete: all is well 2"));
	assert_true(said("both", "a line of its own\\x0d" POSE " 3"));
	assert_true(said("both", ">[ perf0: wrote 4"));
	assert_true(said("both", "\xe2\x82\xac in two pieces"));
	assert_true(said("both", ">" POSE " 5"));
	/* A file of its own gets what the workload wrote, to the byte. */
	check(RUN "posing", 0, "a line of its own\r" POSE " 3", ">" POSE " 1");
}

static void test_usage(void **state)
{
	(void)state;
	check("", 2, NULL, "usage: perf0 COMMAND");
	check("help", 0, "usage: perf0 COMMAND", NULL);
	check("version", 0, "perf0 version 0.", NULL);
	check("--version", 0, "perf0 version 0.", NULL);
	check("help run", 0, "--timeout S", NULL);
	check("stat --help", 0, "--uarch hsw|skx", NULL);
	check("help nosuch", 2, NULL, "unknown command ");
	check("nosuch", 2, NULL, "unknown command ");
	check("run", 2, NULL, "no command");
	check("run --smp x caps", 2, NULL, "perf0 run: --smp: ");
	check("decode", 2, NULL, "one file");
	check("stat -e hsw::NOSUCH -- loop", 2, NULL, "hsw::NOSUCH");
	check("run --qemu ./nosuch good", 125, NULL, "./nosuch: can not be started: No such file");
	check("run \"$(printf 'a\\tb')\"", 2, NULL, "not printable ASCII");
	shell("rm %s/vpmu.efi", folder);
	check(RUN "good", 125, NULL, "vpmu.efi: No such file");
	check(RUN "--no-vpmu good", 0, "a table", NULL);
	shell("touch %s/vpmu.efi", folder);
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	const char *name = slash ? slash + 1 : argv[0];
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_incomplete),
		cmocka_unit_test(test_dying_machines),
		cmocka_unit_test(test_machines_that_hang),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_signals_that_end_in_order),
		cmocka_unit_test(test_snapshots),
		cmocka_unit_test(test_killed_tool),
		cmocka_unit_test(test_closed_output),
		cmocka_unit_test(test_recording),
		cmocka_unit_test(test_stored_stream),
		cmocka_unit_test(test_usage),
		cmocka_unit_test(test_forged_names),
		cmocka_unit_test(test_posing),
		cmocka_unit_test(test_full_output),
		cmocka_unit_test(test_gone_reader),
		cmocka_unit_test(test_closed_descriptors),
		cmocka_unit_test(test_size_limit),
	};

	if (!strcmp(name, "perf0"))
		return cli_main(argc, argv);
	if (!strcmp(name, "machine"))
		return machine_main(argc, argv);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
