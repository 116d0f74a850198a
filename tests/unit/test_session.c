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

#include "tests/unit/synth.h"
#include "tools/cli.h"

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
	{"good", be_good},   {"failing", be_failing},     {"recording", be_recording},
	{"lying", be_lying}, {"lossy", be_lossy},         {"obedient", be_obedient},
	{"deaf", be_deaf},   {"silent", be_silent},       {"dead", be_dead},
	{"reset", be_reset}, {"panicking", be_panicking}, {"snapping", be_snapping},
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

/* Is a machine of this folder still running? */
static bool is_left_behind(void)
{
	return !shell("ls -l /proc/[0-9]*/exe 2>/dev/null | grep -q '%s/machine'", folder);
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

#define RUN "run --qemu ./machine --timeout 1 "

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

static void test_machines_that_hang(void **state)
{
	(void)state;
	check(RUN "obedient", 124, NULL, "timed out after 1 s: the workload was ended");
	assert_true(said("err", "interrupted"));
	check(RUN "deaf", 124, NULL, "did not answer ^C");
	check(RUN "silent", 124, NULL, "never started");
	assert_true(said("err", "no boot device"));
}

/* Shell: waits until the machine is up; by then the tool takes signals. */
#define WHEN_UP                                                                                 \
	"for i in $(seq 200); do ls -l /proc/[0-9]*/exe 2>/dev/null | grep -q $PWD/machine && " \
	"break; sleep 0.05; done; "

static void check_signal(const char *machine, const char *signal, int status, const char *err)
{
	int got =
		shell("cd %s && (./perf0 run --qemu ./machine --timeout 9 %s >out 2>err & " WHEN_UP
		      "kill -%s $!; sleep 0.2; %s; wait $!)",
		      folder, machine, signal, strcmp(machine, "deaf") ? ":" : "kill -INT $!");

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
	      "wait $!; sleep 0.3) 2>/dev/null",
	      folder);
	assert_false(is_left_behind());
}

static void test_closed_output(void **state)
{
	(void)state;
	assert_int_equal(shell("cd %s && (./perf0 " RUN
			       "good; echo $? >status) 2>err | true; sleep 0.3; "
			       "grep -qx 141 status || grep -qx 0 status",
			       folder),
			 0);
	assert_false(is_left_behind());
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

static void test_usage(void **state)
{
	(void)state;
	check("", 2, NULL, "usage: perf0 COMMAND");
	check("help", 0, "usage: perf0 COMMAND", NULL);
	check("version", 0, "perf0 version 0.", NULL);
	check("--version", 0, "perf0 version 0.", NULL);
	check("help run", 0, "--timeout S", NULL);
	check("stat --help", 0, "--uarch U", NULL);
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
	};

	if (!strcmp(name, "perf0"))
		return cli_main(argc, argv);
	if (!strcmp(name, "machine"))
		return machine_main(argc, argv);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
