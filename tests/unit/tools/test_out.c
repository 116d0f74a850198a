// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_out.c - the output forms other than perf.data, to the byte. The "image" is this program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"
#include <json-c/json.h>

#include "tests/unit/tools/synth_stream.h"
#include "tools/symbols/elf_image.h"
#include "tools/out/out.h"
#include "tools/util/plainbuf.h"
#include "tools/symbols/symbols.h"

#define IMAGE_BASE 0xffff80007e000000ull
#define USER_BASE  0x400000000000ull

extern const char __executable_start[];

static volatile uint64_t sink;

__attribute__((noinline)) static void inner(uint64_t n)
{
	sink += n;
}

__attribute__((noinline)) static void outer(uint64_t n)
{
	sink ^= n;
}

static uint64_t link_address(void (*function)(uint64_t))
{
	return (uint64_t)((const char *)function - __executable_start);
}

static struct wire_hello make_hello(const struct elf_image *elf)
{
	struct wire_hello hello = {
		.version = WIRE_VERSION,
		.ncpus = 2,
		.image_base = IMAGE_BASE,
		.user_base = USER_BASE,
		.build_id_size = (uint32_t)elf->build_id_size,
	};

	memcpy(hello.build_id, elf->build_id, elf->build_id_size);
	return hello;
}

static const struct elf_image *self(void)
{
	static struct elf_image elf;
	struct reason why;

	if (!elf.nsegments && elf_image_read(&elf, "/proc/self/exe", &why))
		fail_msg("%s", why.text);
	return &elf;
}

/* A sample of IDENTIFIER, IP, TID, TIME, CPU, PERIOD and CALLCHAIN. */
static void add_chain(struct buf *records, uint64_t id, uint64_t time, uint32_t cpu,
		      uint64_t period, const uint64_t *chain, size_t n)
{
	struct perf_event_header header = {
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_KERNEL,
		.size = (uint16_t)(sizeof(header) + (7 + n) * sizeof(uint64_t)),
	};

	buf_add(records, &header, sizeof(header));
	buf_add_u64(records, id);
	buf_add_u64(records, chain[1]);
	buf_add_u32(records, 1);
	buf_add_u32(records, 1);
	buf_add_u64(records, time);
	buf_add_u64(records, cpu);
	buf_add_u64(records, period);
	buf_add_u64(records, n);
	buf_add(records, chain, n * sizeof(*chain));
}

/* Two events on two CPUs: a stack of ring 0 and ring 3, a stack of ring 3, a stack without a
 * function. */
static void add_recording(struct synth *s, uint32_t command)
{
	const uint64_t mixed[] = {PERF_CONTEXT_KERNEL, IMAGE_BASE + link_address(inner) + 1,
				  PERF_CONTEXT_USER, USER_BASE + link_address(outer) + 2};
	const uint64_t user[] = {PERF_CONTEXT_USER, USER_BASE + link_address(inner) + 3,
				 USER_BASE + link_address(outer) + 4};
	const uint64_t nowhere[] = {PERF_CONTEXT_USER, 0x1234};
	struct perf_event_attr attr = synth_attr();
	struct wire_books books = {.written = 4, .overflows = 4};
	struct buf records = {0};

	attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	synth_begin(s, command, "record -e a,b \"x\" -- deep 5");
	synth_event(s, command, &attr, "a;b", 7);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_TASK_CLOCK;
	synth_event(s, command, &attr, "task-clock", 8);
	add_chain(&records, 7, 3000001000, 0, 100, user, 3);
	add_chain(&records, 7, 2000001000, 0, 50, mixed, 4);
	add_chain(&records, 8, 1000001999, 1, 9, nowhere, 2);
	add_chain(&records, 7, 4000001000, 0, 1000, user, 3);
	books.sent = records.size;
	synth_frame(s, WIRE_DATA, 0, records.data, records.size);
	buf_free(&records);
	synth_count(s, command, "a;b", 1150);
	synth_result(s, command, 0, &books);
}

static const char *count_cgroup; /* of all counts; NULL: they are not told one */

static void send_count(struct synth *s, uint32_t command, const char *name,
		       const struct wire_count *values)
{
	struct wire_count count = *values;
	struct buf payload = {0};

	count.command = command;
	buf_add(&payload, &count, sizeof(count));
	synth_string(&payload, name);
	if (count_cgroup)
		synth_string(&payload, count_cgroup);
	synth_main(s, WIRE_COUNT, &payload);
}

static void add_counts(struct synth *s, uint32_t command, uint32_t second_cpu)
{
	const struct wire_count whole = {.value = 9007199254740993,
					 .time_enabled = 10,
					 .time_running = 10},
				clock = {.value = 1234567, .time_enabled = 9, .time_running = 9},
				half = {.value = 100, .time_enabled = 10, .time_running = 5},
				none = {.time_enabled = 10},
				refused = {.error = -2, .cpu = second_cpu};
	struct wire_books books = {0};

	synth_begin(s, command, "stat");
	send_count(s, command, "cycles", &whole);
	send_count(s, command, "task-clock:u", &clock);
	send_count(s, command, "say \"\xc3\xa4\xff\"", &half);
	send_count(s, command, "r01", &none);
	send_count(s, command, "r02", &refused);
	synth_result(s, command, 0, &books);
}

static struct buf build(const char *form, uint32_t second_cpu, const struct elf_image *elf)
{
	const struct wire_hello hello = make_hello(self());
	const struct out_format *format = out_find(form);
	struct out_source source = {.elf = elf, .separator = "|"};
	struct synth s = {0};
	struct buf out = {0};
	struct stream stream;
	struct reason why;

	synth_hello(&s, &hello);
	add_recording(&s, 0);
	add_counts(&s, 1, second_cpu);
	synth_read(&s.out, &stream);
	assert_int_equal(stream.malformed.frames, 0);
	source.stream = &stream;
	source.command = &stream.commands[format->of_counts ? 1 : 0];
	assert_int_equal(format->build(&out, &source, &why), 0);
	stream_free(&stream);
	buf_free(&s.out);
	return out;
}

static void is_text(struct buf *got, const char *wanted)
{
	assert_string_equal(buf_text(got), wanted);
	buf_free(got);
}

TEST(test_csv)
{
	struct buf out = build("csv", 0, NULL);

	is_text(&out, "9007199254740993||cycles|10|100.00||\n"
		      "1.23|msec|task-clock:u|9|100.00||\n"
		      "200||\"say \"\"\xc3\xa4\\xff\"\"\"|5|50.00||\n"
		      "<not counted>||r01|0|0.00||\n"
		      "<not supported>||r02|0|100.00||\n");
	out = build("csv", 1, NULL);
	assert_memory_equal(buf_text(&out), "CPU0|9007199254740993||", 23);
	assert_non_null(strstr(buf_text(&out), "\nCPU1|<not supported>||r02|"));
	buf_free(&out);
}

TEST(test_cgroups)
{
	struct buf out;

	count_cgroup = "a|b";
	out = build("csv", 0, NULL);
	assert_memory_equal(buf_text(&out), "9007199254740993||cycles|\"a|b\"|10|", 34);
	buf_free(&out);
	out = build("json", 0, NULL);
	assert_non_null(strstr(buf_text(&out), "\"event\" : \"r01\", \"cgroup\" : \"a|b\", "));
	buf_free(&out);
	count_cgroup = "";
	out = build("csv", 0, NULL);
	assert_memory_equal(buf_text(&out), "9007199254740993||cycles||10|", 29);
	buf_free(&out);
	count_cgroup = NULL;
}

/* libjson-c reads the values back, line by line. */
TEST(test_json)
{
	static const char *const values[] = {"9007199254740993.000000", "1.234567", "200.000000",
					     "<not counted>", "<not supported>"};
	static const char *const names[] = {"cycles", "task-clock:u",
					    "say \"\xc3\xa4\xef\xbf\xbd\"", "r01", "r02"};
	struct buf out = build("json", 0, NULL);
	char *rest, *line;

	buf_text(&out);
	rest = (char *)out.data;
	for (size_t i = 0; i < 5; i++) {
		json_object *object;

		line = strsep(&rest, "\n");
		assert_non_null(rest);
		object = json_tokener_parse(line);
		assert_non_null(object);
		assert_string_equal(
			json_object_get_string(json_object_object_get(object, "counter-value")),
			values[i]);
		assert_string_equal(json_object_get_string(json_object_object_get(object, "event")),
				    names[i]);
		json_object_put(object);
	}
	assert_string_equal(rest, "");
	buf_free(&out);
}

TEST(test_folded)
{
	struct buf out = build("folded", 0, self());

	is_text(&out, "a:b;deep;outer;inner 1100\n"
		      "a:b;deep;outer;inner_[k] 50\n"
		      "task-clock;deep;0x1234 9\n");
	out = build("folded", 0, NULL);
	assert_null(strstr(buf_text(&out), "inner"));
	buf_free(&out);
}

TEST(test_text)
{
	struct buf out = build("text", 0, self());
	struct buf wanted = {0};

	buf_printf(&wanted,
		   "deep     1 [001]     1.000001:          9 task-clock: \n"
		   "\t            1234 [unknown] ([unknown])\n\n"
		   "deep     1 [000]     2.000001:         50        a;b: \n"
		   "\t%16llx inner+0x1 (%s)\n\t%16llx outer+0x2 (%s)\n\n",
		   (unsigned long long)link_address(inner) + 1, self()->path,
		   (unsigned long long)link_address(outer) + 2, self()->path);
	assert_true(out.size > wanted.size);
	out.size = wanted.size;
	is_text(&out, buf_text(&wanted));
	buf_free(&wanted);
}

#define PROGRAM_BASE 0x406000000000ull

/* A map of a program, as the image announces it. */
static void add_program(struct buf *records, uint64_t base, const char *path, const uint8_t *id,
			uint8_t id_size)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t addr, len, pgoff;
		uint8_t id_size, reserved[3], id[20];
		uint32_t prot, flags;
	} map = {.header = {.type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_MMAP_BUILD_ID},
		 .pid = 1,
		 .tid = 1,
		 .addr = base,
		 .len = 1 << 30,
		 .id_size = id_size};
	const struct synth_trailer trailer = {.pid = 1, .tid = 1, .time = 1, .id = 7};
	size_t start = records->size;

	if (id_size)
		memcpy(map.id, id, id_size);
	buf_add(records, &map, sizeof(map));
	buf_add(records, path, strlen(path) + 1);
	buf_pad(records, start, 8);
	buf_add(records, &trailer, sizeof(trailer));
	((struct perf_event_header *)(void *)(records->data + start))->size =
		(uint16_t)(records->size - start);
}

/* Folded stacks: a sample in `inner` of a program with this path and build-id, and in the image's.
 */
static struct buf build_program(const char *form, const char *path, const uint8_t *id,
				uint8_t id_size)
{
	const uint64_t chain[] = {PERF_CONTEXT_USER, PROGRAM_BASE + link_address(inner) + 1};
	const uint64_t image[] = {PERF_CONTEXT_USER, USER_BASE + link_address(outer) + 1};
	const struct wire_hello hello = make_hello(self());
	struct wire_books books = {.written = 2, .overflows = 2};
	struct perf_event_attr attr = synth_attr();
	struct out_source source = {.elf = self()};
	struct buf records = {0}, out = {0};
	struct synth s = {0};
	struct stream stream;
	struct reason why;

	attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	synth_hello(&s, &hello);
	synth_begin(&s, 0, "record -- prog");
	synth_event(&s, 0, &attr, "a", 7);
	add_program(&records, PROGRAM_BASE, path, id, id_size);
	add_chain(&records, 7, 2000, 0, 3, chain, 2);
	add_chain(&records, 7, 3000, 0, 4, image, 2);
	books.sent = records.size;
	synth_frame(&s, WIRE_DATA, 0, records.data, records.size);
	buf_free(&records);
	synth_result(&s, 0, 0, &books);
	synth_read(&s.out, &stream);
	assert_int_equal(stream.malformed.frames, 0);
	source.stream = &stream;
	source.command = &stream.commands[0];
	assert_int_equal(out_find(form)->build(&out, &source, &why), 0);
	stream_free(&stream);
	buf_free(&s.out);
	return out;
}

/* Makes a copy of this program with another build-id, so that it differs from the image. */
static char *copy_of_self(struct elf_image *elf)
{
	static char path[] = "/tmp/perf0-out-XXXXXX";
	struct buf command = {0};
	struct reason why;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	buf_printf(&command, "cp %s %s && objcopy --remove-section .note.gnu.build-id %s",
		   self()->path, path, path);
	assert_int_equal(system(buf_text(&command)), 0);
	buf_free(&command);
	assert_int_equal(elf_image_read(elf, path, &why), 0);
	return path;
}

TEST(test_program)
{
	struct elf_image elf;
	char *path = copy_of_self(&elf);
	uint8_t id[20] = {1};
	struct buf out = build_program("folded", path, NULL, 0), wanted = {0};

	assert_int_equal(elf.build_id_size, 0);
	is_text(&out, "prog;inner 3\nprog;outer 4\n");
	out = build_program("text", path, NULL, 0);
	buf_printf(&wanted, "inner+0x1 (%s)\n", path);
	assert_non_null(strstr(buf_text(&out), buf_text(&wanted)));
	buf_free(&wanted);
	buf_free(&out);
	out = build_program("speedscope", path, NULL, 0);
	assert_non_null(strstr(buf_text(&out), "{\"name\":\"inner\",\"file\""));
	buf_free(&out);
	/* Another file has taken its place. */
	out = build_program("folded", path, id, 20);
	assert_null(strstr(buf_text(&out), "inner"));
	assert_non_null(strstr(buf_text(&out), "prog;outer 4"));
	buf_free(&out);
	unlink(path);
	/* The tool opens none of these files, and they do no harm. */
	assert_int_equal(mkfifo(path, 0600), 0);
	out = build_program("folded", path, NULL, 0);
	assert_null(strstr(buf_text(&out), "inner"));
	buf_free(&out);
	unlink(path);
	out = build_program("text", "[st\033ack]\nperf0: ", NULL, 0);
	assert_non_null(strstr(buf_text(&out), "[unknown] ([st\\x1back]\\x0aperf0: )\n"));
	buf_free(&out);
}

static json_object *json_member(json_object *object, const char *key)
{
	json_object *value = json_object_object_get(object, key);

	assert_non_null(value);
	return value;
}

static json_object *element_at(json_object *array, size_t i)
{
	json_object *value = json_object_array_get_idx(array, i);

	assert_non_null(value);
	return value;
}

TEST(test_speedscope)
{
	struct buf out = build("speedscope", 0, self());
	json_object *root = json_tokener_parse(buf_text(&out)), *frames, *profiles, *a, *stack;
	json_object *top;

	assert_non_null(root);
	assert_string_equal(json_object_get_string(json_member(root, "name")),
			    "record -e a,b \"x\" -- deep 5");
	frames = json_member(json_member(root, "shared"), "frames");
	assert_int_equal(json_object_array_length(frames), 3);
	profiles = json_member(root, "profiles");
	assert_int_equal(json_object_array_length(profiles), 2);
	a = element_at(profiles, 0);
	assert_string_equal(json_object_get_string(json_member(a, "name")), "a;b, CPU 0");
	assert_string_equal(json_object_get_string(json_member(a, "unit")), "none");
	assert_int_equal(json_object_get_int64(json_member(a, "endValue")), 1150);
	assert_int_equal(json_object_array_length(json_member(a, "samples")), 3);
	/* Samples are in the order of time, stacks from the outermost function on. */
	assert_int_equal(json_object_get_int64(element_at(json_member(a, "weights"), 0)), 50);
	stack = element_at(json_member(a, "samples"), 0);
	assert_int_equal(json_object_array_length(stack), 2);
	top = element_at(frames, (size_t)json_object_get_int(element_at(stack, 1)));
	assert_string_equal(json_object_get_string(json_member(top, "name")), "inner");
	assert_non_null(strstr(json_object_get_string(json_member(top, "file")), "test_out.c"));
	assert_true(json_object_get_int(json_member(top, "line")) > 0);
	assert_string_equal(json_object_get_string(json_member(element_at(profiles, 1), "unit")),
			    "nanoseconds");
	json_object_put(root);
	buf_free(&out);
}

TEST(test_symbols)
{
	struct reason why;
	struct symbols *symbols = symbols_open(self()->path, &why);
	const struct symbol *symbol;
	const char *file;

	assert_non_null(symbols);
	symbol = symbols_find(symbols, link_address(inner));
	assert_non_null(symbol);
	assert_string_equal(symbol->name, "inner");
	assert_ptr_equal(symbols_find(symbols, symbol->end - 1), symbol);
	assert_ptr_not_equal(symbols_find(symbols, symbol->end), symbol);
	assert_null(symbols_find(symbols, 0));
	assert_null(symbols_find(symbols, UINT64_MAX));
	assert_true(symbols_line(symbols, link_address(inner), &file) > 0);
	assert_int_equal(symbols_line(symbols, UINT64_MAX, &file), 0);
	assert_null(symbols_find(NULL, 1));
	symbols_close(symbols);
	assert_null(symbols_open("/dev/null", &why));
	assert_null(symbols_open("/nosuch", &why));
}

/* Each byte that is no UTF-8 (RFC 3629) becomes U+FFFD, and no later text is lost. */
TEST(test_json_strings)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{"", "\"\""},
		{"a\"b\\c", "\"a\\\"b\\\\c\""},
		{"\n\x01", "\"\\u000a\\u0001\""},
		{"\xe2\x82\xac", "\"\xe2\x82\xac\""},
		{"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
		{"\xc0\xaf", "\"\\ufffd\\ufffd\""},
		{"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
		{"\xe2\x82", "\"\\ufffd\\ufffd\""},
		{"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
		{"\xff!", "\"\\ufffd!\""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf out = {0};

		plain_add_json(&out, cases[i].in);
		is_text(&out, cases[i].out);
	}
}

FIXTURE(call_both)
{
	outer(1);
	inner(1);
	return 0;
}

GROUP(call_both, NULL);
