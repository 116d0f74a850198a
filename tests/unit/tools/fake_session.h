/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fake_session.h - tests the whole host tool from outside, with fake machines that say BYE, die,
 * hang, babble, or send wrong accounts. No machine is saved. The program of such tests is three in
 * one: the tests; the tool, if its name is perf0; and the machine, if its name is machine. The
 * tests put copies with these names into a folder.
 */
#ifndef TESTS_SESSION_H
#define TESTS_SESSION_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "include/perf0/awaited.h"
#include "include/perf0/marks.h"
#include "include/perf0/programs.h"
#include "lib/format/cpio.h"
#include "lib/plain.h"
#include "tests/unit/tools/synth_stream.h"
#include "tools/cmd/cli.h"

#define CTRL_C '\003'

/* The machine: the last word of its command line selects its behaviour. */

static struct synth wire;

static inline void flush_wire(void)
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

static inline void put_text(const char *text)
{
	buf_add(&wire.out, text, strlen(text));
}

static inline void put_mark(const char *word)
{
	const char byte = MARK_BYTE;

	buf_add(&wire.out, &byte, 1);
	put_text(word);
	put_text("\n");
}

static inline void wait_forever(void)
{
	for (;;)
		pause();
}

static inline void wait_for_ctrl_c(void)
{
	char c = 0;

	while (read(STDIN_FILENO, &c, 1) == 1 && c != CTRL_C)
		;
}

/* vpmu gets its options once, before that. */
static inline void await_start(void)
{
	char c = 0;

	synth_frame(&wire, WIRE_AWAIT, WIRE_STREAM_MAIN, "", 0);
	flush_wire();
	while (read(STDIN_FILENO, &c, 1) == 1 && c != WIRE_TYPED_START)
		if (c == AWAITED_BYTE)
			exit(1);
}

static inline void say_hello(void)
{
	const struct wire_hello hello = {.version = WIRE_VERSION, .ncpus = 1};

	put_text("\033[2JBdsDxe: loading\r\n");
	await_start();
	synth_hello(&wire, &hello);
	synth_begin(&wire, 0, "stat loop");
}

static inline void say_bye(int status, const struct wire_books *books)
{
	synth_result(&wire, 0, status, books);
	synth_bye(&wire, status, 1, books);
	flush_wire();
	wait_forever();
}

static const struct wire_books no_books;

static inline void be_good(void)
{
	say_hello();
	synth_text(&wire, WIRE_TEXT_OUT, "a table\n");
	synth_text(&wire, WIRE_TEXT_ERR, "a complaint\n");
	say_bye(0, &no_books);
}

static inline void await_vpmu_options(void)
{
	char c = 0;

	put_mark(MARK_AWAIT);
	flush_wire();
	while (read(STDIN_FILENO, &c, 1) == 1 && c != AWAITED_BYTE)
		;
}

/* Waits for vpmu's options, and sets the mark of this wait twice. */
static inline void be_waiting(void)
{
	await_vpmu_options();
	put_text("vpmu: skx\r\n");
	put_mark(MARK_AWAIT);
	be_good();
}

static inline void be_failing(void)
{
	say_hello();
	say_bye(42, &no_books);
}

static inline void be_recording(void)
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

/* Bytes that a terminal would obey, and lines that look like the tool's. */
#define POSE "perf0: complete: all is well"

#define NASTY          \
	"x\033[2J\x9b" \
	"1m\xc2\x9b"   \
	"1m\xe2\x80\xae\xff\a\b\r\n" POSE "\n[ " POSE " ]\n"

static inline void forge_comm(struct buf *records, const char *name)
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

/* Every name in this stream is hostile; frames and accounts are right. */
static inline void be_forging(void)
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

/* The same for complaints: a hostile name in a misplaced frame. */
static inline void be_misplaced(void)
{
	const struct perf_event_attr attr = synth_attr();

	say_hello();
	synth_event(&wire, 77, &attr, NASTY, 1);
	say_bye(0, &no_books);
}

/* Plays a program that writes to both outputs, and leaves a file. */
static inline void be_program(void)
{
	const struct wire_file piece = {.index = 0}, last = {.offset = 3, .flags = WIRE_FILE_LAST};
	struct buf file = {0};

	say_hello();
	synth_text(&wire, WIRE_TEXT_STDOUT, "out 1 \xff\033[2J\n");
	synth_text(&wire, WIRE_TEXT_STDERR, "err 1\n");
	synth_text(&wire, WIRE_TEXT_STDOUT, "out 2\n");
	buf_add(&file, &piece, sizeof(piece));
	buf_add(&file, "fir", 3);
	synth_frame(&wire, WIRE_FILE, WIRE_STREAM_MAIN, file.data, file.size);
	file.size = 0;
	buf_add(&file, &last, sizeof(last));
	buf_add(&file, "st", 2);
	synth_frame(&wire, WIRE_FILE, WIRE_STREAM_MAIN, file.data, file.size);
	buf_free(&file);
	synth_text(&wire, WIRE_TEXT_OUT, "a table\n");
	say_bye(0, &no_books);
}

/* Returns the pack that the machine got. */
static struct buf pack;

/* Returns the name of the pack's entry with standard input, which follows its header; NULL: none.
 */
static inline const char *find_input(void)
{
	static const char name[] = "stdin";
	const char *at = (const char *)pack.data, *end = at + pack.size;

	while (at < end && (at = memmem(at, (size_t)(end - at), name, sizeof(name)))) {
		if (!memcmp(at - CPIO_HEADER, CPIO_MAGIC, sizeof(CPIO_MAGIC) - 1))
			return at;
		at++;
	}
	return NULL;
}

/* Prints the input that the machine's programs would read. */
static inline void be_reading(void)
{
	const char *at = find_input();
	char digits[9] = "";

	say_hello();
	if (at) {
		memcpy(digits, at - CPIO_HEADER + 6 + 11 * 8, 8);
		synth_text(&wire, WIRE_TEXT_OUT, at + strtoul(digits, NULL, 16));
	}
	synth_text(&wire, WIRE_TEXT_OUT, pack.size ? "a pack\n" : "no pack\n");
	say_bye(0, &no_books);
}

/* Prints text that looks like the tool's: whole, in pieces, and outside of frames. */
static inline void be_posing(void)
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

static inline void be_lying(void)
{
	const struct wire_books books = {.overflows = 3, .lost = 1};

	say_hello();
	say_bye(0, &books);
}

static inline void be_lossy(void)
{
	say_hello();
	wire.seq[WIRE_STREAM_MAIN] += 2;
	say_bye(0, &no_books);
}

static inline void be_obedient(void)
{
	say_hello();
	flush_wire();
	wait_for_ctrl_c();
	synth_text(&wire, WIRE_TEXT_ERR, "interrupted\n");
	say_bye(130, &no_books);
}

/* Plays a workload, and prints each request for a snapshot. */
static inline void be_snapping(void)
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

static inline void be_deaf(void)
{
	say_hello();
	flush_wire();
	wait_forever();
}

static inline void be_silent(void)
{
	put_text("no boot device\r\n");
	flush_wire();
	wait_forever();
}

static inline void be_dead(void)
{
	fprintf(stderr, "machine: warning: TCG lacks things\nmachine: it burns\n");
	exit(7);
}

static inline void be_reset(void)
{
	say_hello();
	flush_wire();
	exit(0);
}

/* Dies in the middle of a frame, with its last words in it. */
static inline void be_panicking(void)
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
	{"program", be_program},     {"reading", be_reading},     {"waiting", be_waiting},
};

static inline void read_pack(int argc, char **argv)
{
	static const char name[] = "name=" PROGRAMS_PACK ",file=";
	uint8_t bytes[4096];
	size_t n;

	for (int i = 1; i < argc; i++) {
		FILE *file = strncmp(argv[i], name, sizeof(name) - 1)
				     ? NULL
				     : fopen(argv[i] + sizeof(name) - 1, "rb");

		while (file && (n = fread(bytes, 1, sizeof(bytes), file)) > 0)
			buf_add(&pack, bytes, n);
		if (file)
			fclose(file);
	}
	buf_add(&pack, "", pack.size != 0);
}

/* Returns the last word of the commands, which are in a file that an argument names. */
static inline const char *last_word(int argc, char **argv)
{
	static char text[256];
	FILE *file;
	size_t n;

	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "name=" PROGRAMS_COMMANDS,
			    sizeof("name=" PROGRAMS_COMMANDS) - 1))
			continue;
		file = fopen(strstr(argv[i], "file=") + 5, "rb");
		n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
		text[n] = '\0';
	}
	return strrchr(text, ' ') ? strrchr(text, ' ') + 1 : text;
}

static inline int machine_main(int argc, char **argv)
{
	const char *word = last_word(argc, argv);

	read_pack(argc, argv);
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (!strcmp(machines[i].name, word))
			machines[i].be();
	return 1;
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	const char *name = slash ? slash + 1 : argv[0];

	if (!strcmp(name, "perf0"))
		return cli_main(argc, argv);
	if (!strcmp(name, "machine"))
		return machine_main(argc, argv);
	return unit_run(argc > 1 ? argv[1] : NULL);
}

/* The tests. */

static char folder[] = "/tmp/perf0-test-XXXXXX";

static inline int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline int shell(const char *format, ...)
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

FIXTURE(make_folder)
{
	if (!mkdtemp(folder) || setenv("PERF0_CACHE_SIZE", "0", 1))
		return -1;
	return shell("cd %s && cp /proc/%d/exe perf0 && cp perf0 machine && "
		     "touch esp.img perf0.efi vpmu.efi",
		     folder, (int)getpid());
}

FIXTURE(remove_folder)
{
	return shell("rm -rf %s", folder);
}

/* Runs the tool in the folder; output goes to the files out and err there. */
static inline int tool(const char *arguments)
{
	return shell("cd %s && ./perf0 %s >out 2>err </dev/null", folder, arguments);
}

static inline bool said(const char *file, const char *text)
{
	return !shell("grep -qF -- '%s' %s/%s", text, folder, file);
}

/* Is a machine of this folder still running? It may take a while until it ends. */
static inline bool is_left_behind(void)
{
	return shell("for i in $(seq 600); do ls -l /proc/[0-9]*/exe 2>/dev/null | "
		     "grep -q '%s/machine' || exit 0; sleep 0.05; done; exit 1",
		     folder);
}

static inline void check_session(const char *arguments, int status, const char *out,
				 const char *err)
{
	int got = tool(arguments);

	if (got != status || (out && !said("out", out)) || (err && !said("err", err))) {
		shell("cat %s/out %s/err", folder, folder);
		fail_msg("perf0 %s: status %d, wanted %d, '%s' and '%s'", arguments, got, status,
			 out ? out : "", err ? err : "");
	}
	assert_false(is_left_behind());
}

#define RUN "run --serial --events ratios --qemu ./machine "

#endif
