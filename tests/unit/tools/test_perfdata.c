// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_perfdata.c - streams to perf.data: accounting, order, golden bytes, and stock perf's
 * opinion.
 *
 * The "image" is this program itself: an ELF file with a build-id that has functions hot and cold.
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
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/tools/synth.h"
#include "tools/out/elf_image.h"
#include "tools/out/outfile.h"
#include "tools/out/perfdata.h"
#include "tools/stream/record.h"
#include "tools/cmd/recording.h"

#define IMAGE_BASE 0x7e000000ull
#define USER_BASE  0x400000000000ull
#define NSAMPLES   1000

extern const char __executable_start[];

static volatile uint64_t sink;

__attribute__((noinline)) static void hot(uint64_t n)
{
	while (n--)
		sink += n;
}

__attribute__((noinline)) static void cold(uint64_t n)
{
	while (n--)
		sink ^= n;
}

static uint64_t address_of(void (*function)(uint64_t))
{
	return (uint64_t)((const char *)function - __executable_start);
}

static struct wire_hello make_hello(const struct elf_image *elf)
{
	struct wire_hello hello = {
		.version = WIRE_VERSION,
		.ncpus = 2,
		.tsc_khz = 1000000,
		.image_base = IMAGE_BASE,
		.user_base = USER_BASE,
		.cpu_signature = 0x50654,
		.memory_mib = 256,
	};

	if (elf) {
		hello.build_id_size = (uint32_t)elf->build_id_size;
		memcpy(hello.build_id, elf->build_id, elf->build_id_size);
	}
	return hello;
}

/* Three of four samples in hot(), most in ring 3, some in ring 0; newest first, on two CPUs. */
static void add_samples(struct buf *records, uint32_t cpu)
{
	for (uint64_t i = NSAMPLES / 2; i--;) {
		uint64_t function = i % 4 ? address_of(hot) : address_of(cold);
		uint64_t base = i % 10 ? USER_BASE : IMAGE_BASE;

		synth_sample(records, 77, base + function + 4, 1000 + 20 * i + cpu, cpu);
	}
}

static void send_records(struct synth *s, uint8_t cpu, struct buf *records,
			 struct wire_books *books)
{
	const size_t part =
		WIRE_MAX_PAYLOAD / sizeof(struct synth_sample) * sizeof(struct synth_sample);

	for (size_t at = 0; at < records->size; at += part) {
		size_t n = records->size - at < part ? records->size - at : part;

		synth_frame(s, WIRE_DATA, cpu, records->data + at, n);
	}
	books->written += records->size / sizeof(struct synth_sample);
	books->sent += records->size;
	books->overflows = books->written;
	buf_free(records);
}

/* One recording, as `record -e instructions -c 10007 -- hotcold 5` makes it. */
static void make_recording(struct synth *s, uint32_t command, struct wire_books *books)
{
	struct perf_event_attr attr = synth_attr();
	struct buf records = {0};

	synth_begin(s, command, "record -e instructions -c 10007 -- hotcold 5");
	synth_event(s, command, &attr, "instructions", 77);
	for (uint8_t cpu = 0; cpu < 2; cpu++) {
		add_samples(&records, cpu);
		send_records(s, cpu, &records, books);
	}
	synth_count(s, command, "instructions", 123456789);
	synth_result(s, command, 0, books);
}

static struct buf make_stream(const struct elf_image *elf)
{
	const struct wire_hello hello = make_hello(elf);
	struct wire_books books = {0};
	struct synth s = {0};

	synth_hello(&s, &hello);
	make_recording(&s, 0, &books);
	synth_bye(&s, 0, 1, &books);
	return s.out;
}

static int check(const struct stream *stream, const struct frame_stats *stats)
{
	struct reason why;

	return stream_check(stream, stats, &why);
}

static void test_a_whole_stream(void **state)
{
	struct buf bytes = make_stream(NULL);
	struct stream stream;
	struct frame_stats stats = synth_read(&bytes, &stream);
	const struct stream_command *command;

	(void)state;
	assert_int_equal(check(&stream, &stats), 0);
	assert_true(stream.has_hello && stream.has_bye);
	assert_string_equal(stream.brand, "Synthetic CPU @ 1.00GHz");
	assert_int_equal(stream.ncommands, 1);
	command = &stream.commands[0];
	assert_int_equal(command->samples, NSAMPLES);
	assert_int_equal(command->ncounts, 1);
	assert_int_equal(command->counts[0].count.value, 123456789);
	assert_string_equal(command->events[0].name, "instructions");
	assert_int_equal(command->events[0].ids[0], 77);
	stream_free(&stream);
	buf_free(&bytes);
}

/* What makes a run incomplete: each damage to a stream, and the word in the reason for it. */
struct damage {
	const char *word;
	void (*change)(struct synth *s, struct wire_books *books, struct wire_books *total);
};

static void lose_a_frame(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)books;
	(void)total;
	s->seq[WIRE_STREAM_MAIN]++;
}

static void repeat_a_frame(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)books;
	(void)total;
	s->seq[WIRE_STREAM_MAIN]--;
}

static void lose_an_overflow(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)s;
	books->overflows++;
	total->overflows++;
}

static void claim_a_sample(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)s;
	books->written++;
	books->overflows++;
	*total = *books;
}

static void claim_bytes(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)s;
	books->sent += 8;
	*total = *books;
}

static void wrong_total(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)s;
	(void)books;
	total->lost++;
}

static void tear_a_record(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)books;
	(void)total;
	synth_frame(s, WIRE_DATA, 0, "\x09\0\0\0\0\0\x10\0", 8);
}

static void forge_a_result(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)total;
	synth_result(s, 9, 0, books);
}

static void shorten_a_count(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)books;
	(void)total;
	synth_frame(s, WIRE_COUNT, WIRE_STREAM_MAIN, "abc", 3);
}

static void begin_twice(struct synth *s, struct wire_books *books, struct wire_books *total)
{
	(void)books;
	(void)total;
	synth_begin(s, 0, "again");
}

static const struct damage damages[] = {
	{"missing", lose_a_frame},
	{"out of order", repeat_a_frame},
	{"overflows", lose_an_overflow},
	{"samples written", claim_a_sample},
	{"bytes of records", claim_bytes},
	{"total", wrong_total},
	{"torn", tear_a_record},
	{"does not run", forge_a_result},
	{"makes no sense", shorten_a_count},
	{"began twice", begin_twice},
};

static struct buf make_damaged(const struct damage *damage)
{
	struct perf_event_attr attr = synth_attr();
	const struct wire_hello hello = make_hello(NULL);
	struct wire_books books = {0}, total;
	struct buf records = {0};
	struct synth s = {0};

	synth_hello(&s, &hello);
	synth_begin(&s, 0, "record loop");
	synth_event(&s, 0, &attr, "instructions", 77);
	synth_sample(&records, 77, 1, 2, 0);
	send_records(&s, 0, &records, &books);
	total = books;
	damage->change(&s, &books, &total);
	synth_result(&s, 0, 0, &books);
	synth_bye(&s, 0, 1, &total);
	return s.out;
}

static void test_incomplete_streams(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct buf bytes = make_damaged(&damages[i]);
		struct stream stream;
		struct frame_stats stats = synth_read(&bytes, &stream);
		struct reason why = {""};

		assert_int_not_equal(stream_check(&stream, &stats, &why), 0);
		if (!strstr(why.text, damages[i].word))
			fail_msg("'%s' is not in: %s", damages[i].word, why.text);
		stream_free(&stream);
		buf_free(&bytes);
	}
}

static void test_no_bye_no_result_no_hello(void **state)
{
	struct buf whole = make_stream(NULL);
	const size_t bye = FRAME_OVERHEAD + sizeof(struct wire_bye);
	const size_t result = FRAME_OVERHEAD + sizeof(struct wire_result);
	const struct {
		size_t cut;
		const char *word;
	} cuts[] = {{bye, "BYE"}, {bye + result, "BYE"}, {whole.size, "HELLO"}};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct buf part = whole;
		struct stream stream;
		struct frame_stats stats;
		struct reason why;

		part.size -= cuts[i].cut;
		stats = synth_read(&part, &stream);
		assert_int_not_equal(stream_check(&stream, &stats, &why), 0);
		assert_non_null(strstr(why.text, cuts[i].word));
		stream_free(&stream);
	}
	buf_free(&whole);
}

/* A stream of another version is not guessed at. */
static void test_other_version(void **state)
{
	struct wire_hello hello = make_hello(NULL);
	struct synth s = {0};
	struct stream stream;
	struct frame_stats stats;
	struct reason why;

	(void)state;
	hello.version = WIRE_VERSION + 1;
	synth_hello(&s, &hello);
	stats = synth_read(&s.out, &stream);
	assert_int_not_equal(stream_check(&stream, &stats, &why), 0);
	assert_non_null(strstr(why.text, "version 2"));
	stream_free(&stream);
	buf_free(&s.out);
}

/* A perf.data taken apart again: fails where a size does not fit. */
struct parsed {
	const uint8_t *at;
	size_t size;
};

static uint64_t word_at(const struct buf *file, size_t offset)
{
	uint64_t word;

	assert_true(offset + sizeof(word) <= file->size);
	memcpy(&word, file->data + offset, sizeof(word));
	return word;
}

static struct parsed section_at(const struct buf *file, size_t offset)
{
	uint64_t at = word_at(file, offset), size = word_at(file, offset + 8);

	assert_true(at + size <= file->size);
	return (struct parsed){file->data + at, size};
}

static struct buf build(const struct buf *bytes, const struct elf_image *elf)
{
	struct buf file = {0};
	struct stream stream;
	struct reason why = {""};

	synth_read(bytes, &stream);
	if (perfdata_build(&file, &stream,
			   recording_choose(&stream, ANY_COMMAND, &out_perfdata, &why), elf, &why))
		fail_msg("%s", why.text);
	stream_free(&stream);
	return file;
}

static void read_self(struct elf_image *elf)
{
	struct reason why;

	if (elf_image_read(elf, "/proc/self/exe", &why))
		fail_msg("%s", why.text);
	assert_int_equal(elf->build_id_size, 20);
	assert_true(elf->nsegments > 0);
}

static void test_golden_bytes(void **state)
{
	struct buf bytes = make_damaged(&(struct damage){"", lose_a_frame});
	struct buf file = build(&bytes, NULL);
	struct synth_sample sample = {
		.header = {.type = PERF_RECORD_SAMPLE,
			   .misc = PERF_RECORD_MISC_USER,
			   .size = sizeof(sample)},
		.id = 77,
		.ip = 1,
		.pid = 1,
		.tid = 1,
		.time = 2,
		.period = 10007,
	};
	const struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char name[8];
		struct synth_trailer trailer;
	} comm = {{PERF_RECORD_COMM, 0, sizeof(comm)}, 1, 1, "record", {0}};
	struct parsed attrs, data;
	struct perf_event_attr attr = synth_attr();

	(void)state;
	assert_memory_equal(file.data, "PERFILE2", 8);
	assert_int_equal(word_at(&file, 8), 104);
	assert_int_equal(word_at(&file, 16), 144);
	attrs = section_at(&file, 24);
	assert_int_equal(attrs.size, 144);
	assert_ptr_equal(attrs.at, file.data + 104);
	attr.exclude_kernel = attr.exclude_hv = 1;
	assert_memory_equal(attrs.at, &attr, sizeof(attr));
	assert_int_equal(word_at(&file, 104 + 128), 104 + 144); /* the ids follow */
	assert_int_equal(word_at(&file, 104 + 128 + 8), 8);
	assert_int_equal(word_at(&file, 104 + 144), 77);
	data = section_at(&file, 40);
	assert_int_equal(data.size, sizeof(comm) + sizeof(sample));
	assert_memory_equal(data.at, &comm, sizeof(comm));
	assert_memory_equal(data.at + sizeof(comm), &sample, sizeof(sample));
	assert_int_equal(word_at(&file, 72), 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8 |
						     1 << 9 | 1 << 10 | 1 << 11 | 1 << 12 |
						     1 << 21);
	buf_free(&file);
	buf_free(&bytes);
}

/* Every record in order of time, sizes that add up, all samples of user mode, all addresses mapped.
 */
static void test_records_are_sorted_and_mapped(void **state)
{
	static struct elf_image elf;
	struct buf bytes, file;
	struct parsed data;
	uint64_t last = 0, samples = 0, maps = 0;

	(void)state;
	read_self(&elf);
	bytes = make_stream(&elf);
	file = build(&bytes, &elf);
	data = section_at(&file, 40);
	for (size_t at = 0; at < data.size;) {
		const struct perf_event_header *record = (const void *)(data.at + at);
		const struct synth_sample *sample = (const void *)record;

		assert_true(record->size >= 8 && record->size % 8 == 0);
		assert_true(record->size <= data.size - at);
		at += record->size;
		if (record->type == PERF_RECORD_MMAP2) {
			maps++;
			assert_int_equal(samples, 0);
		}
		if (record->type != PERF_RECORD_SAMPLE)
			continue;
		samples++;
		assert_int_equal(record->misc, PERF_RECORD_MISC_USER);
		assert_true(sample->time >= last);
		last = sample->time;
	}
	assert_int_equal(samples, NSAMPLES);
	assert_int_equal(maps, 2 * elf.nsegments);
	buf_free(&file);
	buf_free(&bytes);
}

/* The image's own COMM and MMAP2 are kept, with the path put in, and not doubled. */
static void test_sideband_of_the_image(void **state)
{
	static struct elf_image elf;
	const struct wire_hello *hello;
	struct perf_event_attr attr = synth_attr();
	struct stream_event event = {.attr = attr};
	const struct record_format format = {.events = &event, .nevents = 1};
	struct wire_books books = {0};
	struct buf records = {0}, file;
	struct wire_hello made;
	struct record_map map;
	struct parsed data;
	struct synth s = {0};
	size_t comms = 0, maps = 0;

	(void)state;
	read_self(&elf);
	made = make_hello(&elf);
	hello = &made;
	synth_hello(&s, hello);
	synth_begin(&s, 0, "record -e instructions loop");
	synth_event(&s, 0, &attr, "instructions", 77);
	map = (struct record_map){
		.pid = 1,
		.tid = 1,
		.addr = USER_BASE,
		.len = 1 << 30,
		.build_id = elf.build_id,
		.build_id_size = elf.build_id_size,
		.path = "[image]",
	};
	record_add_comm(&records, &format, record_task(1, 1), "loop");
	record_add_map(&records, &format, &map);
	synth_frame(&s, WIRE_DATA, 0, records.data, records.size);
	books.sent = records.size;
	buf_free(&records);
	synth_sample(&records, 77, USER_BASE + 1, 5, 0);
	send_records(&s, 0, &records, &books);
	synth_result(&s, 0, 0, &books);
	synth_bye(&s, 0, 1, &books);

	file = build(&s.out, &elf);
	data = section_at(&file, 40);
	for (size_t at = 0; at < data.size;) {
		const struct perf_event_header *record = (const void *)(data.at + at);

		comms += record->type == PERF_RECORD_COMM;
		if (record->type == PERF_RECORD_MMAP2) {
			maps++;
			assert_non_null(memmem(record, record->size, elf.path, strlen(elf.path)));
			assert_null(memmem(record, record->size, "[image]", 7));
		}
		at += record->size;
	}
	assert_int_equal(comms, 1);
	assert_int_equal(maps, 1 + elf.nsegments); /* the image's, and ring 0's */
	buf_free(&file);
	buf_free(&s.out);
}

static void test_events_that_perf_could_not_tell_apart(void **state)
{
	struct perf_event_attr attr = synth_attr();
	const struct wire_hello hello = make_hello(NULL);
	struct buf file = {0};
	struct stream stream;
	struct synth s = {0};
	struct reason why;

	(void)state;
	attr.sample_type &= ~(uint64_t)PERF_SAMPLE_IDENTIFIER;
	synth_hello(&s, &hello);
	synth_begin(&s, 0, "record");
	synth_event(&s, 0, &attr, "cycles", 1);
	synth_event(&s, 0, &attr, "branches", 2);
	synth_read(&s.out, &stream);
	assert_int_not_equal(perfdata_build(&file, &stream, &stream.commands[0], NULL, &why), 0);
	assert_non_null(strstr(why.text, "IDENTIFIER"));
	stream_free(&stream);
	buf_free(&s.out);
}

/* Files. */

static char folder[] = "/tmp/perf0-test-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

static int save(const char *path, const struct buf *bytes, const struct elf_image *elf,
		struct reason *why)
{
	struct buf file = {0};
	struct stream stream;
	int err;

	synth_read(bytes, &stream);
	err = perfdata_build(&file, &stream, &stream.commands[0], elf, why);
	if (!err)
		err = outfile_replace(path, &file, true, why);
	buf_free(&file);
	stream_free(&stream);
	return err;
}

static void test_old_file_is_kept(void **state)
{
	struct buf bytes = make_stream(NULL);
	char path[64], old[72];
	struct reason why;
	struct stat st;

	(void)state;
	snprintf(path, sizeof(path), "%s/kept", folder);
	snprintf(old, sizeof(old), "%s.old", path);
	assert_int_equal(save(path, &bytes, NULL, &why), 0);
	assert_int_not_equal(stat(old, &st), 0);
	assert_int_equal(save(path, &bytes, NULL, &why), 0);
	assert_int_equal(stat(old, &st), 0);
	assert_true(st.st_size > 0);
	buf_free(&bytes);
}

static void test_only_plain_files_are_replaced(void **state)
{
	struct buf bytes = make_stream(NULL);
	struct reason why;
	struct stat st;
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/fifo", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_not_equal(save(path, &bytes, NULL, &why), 0);
	assert_non_null(strstr(why.text, "no plain file"));
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	snprintf(path, sizeof(path), "%s/nosuch/perf.data", folder);
	assert_int_not_equal(save(path, &bytes, NULL, &why), 0);
	buf_free(&bytes);
}

/* Stock perf. Each command's output must have a line that matches, and no complaint. */
static const struct {
	const char *command; /* after "perf", before "-i FILE" */
	const char *pattern;
} perf_views[] = {
	{"report --stdio --sort symbol", "^ +75\\.00% +\\[\\.\\] hot"},
	{"report --stdio --sort symbol", "^ +25\\.00% +\\[\\.\\] cold"},
	{"report --stdio", "^# Samples: 1000  of event .instructions."},
	{"report --header-only", "^# hostname : perf0"},
	{"report --header-only", "^# cpudesc : Synthetic CPU @ 1.00GHz"},
	{"report --header-only", "^# cmdline : perf0 record -e instructions -c 10007 -- hotcold 5"},
	{"report --header-only", "^# cpuid : GenuineIntel,6,85,4"},
	{"evlist -v", "^instructions: size: 128, config: 0x1, .*sample_period.*: 10007"},
	{"script -F comm,tid,cpu,time,event,ip,sym",
	 "^ *hotcold +1 \\[000\\] +0\\.000001: +instructions: +"
	 "[0-9a-f]+ cold"},
	{"script", "hotcold +2 \\[001\\].* hot\\+0x4 \\(.*test_perfdata\\)"},
	{"annotate --stdio -s hot", "Disassembly of section .text|Percent.*Source code"},
	{"buildid-list", "^[0-9a-f]{40} .*test_perfdata"},
};

static int run_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int run_shell(const char *format, ...)
{
	char command[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	return system(command);
}

static bool has_perf(void)
{
	return !run_shell("perf version >%s/version 2>&1", folder);
}

static void make_file(char *path, size_t size)
{
	static struct elf_image elf;
	struct reason why = {""};
	struct buf bytes;

	read_self(&elf);
	bytes = make_stream(&elf);
	snprintf(path, size, "%s/perf.data", folder);
	if (save(path, &bytes, &elf, &why))
		fail_msg("%s", why.text);
	buf_free(&bytes);
}

static void test_stock_perf_reads_it(void **state)
{
	char path[64];

	(void)state;
	if (!has_perf()) {
		print_message("perf is not installed: its opinion is not heard\n");
		skip();
	}
	make_file(path, sizeof(path));
	for (size_t i = 0; i < sizeof(perf_views) / sizeof(perf_views[0]); i++) {
		if (run_shell("HOME=%s perf %s -i %s >%s/out 2>%s/err </dev/null", folder,
			      perf_views[i].command, path, folder, folder))
			fail_msg("perf %s failed", perf_views[i].command);
		if (run_shell("grep -Eq '%s' %s/out", perf_views[i].pattern, folder)) {
			run_shell("head -n 30 %s/out %s/err", folder, folder);
			fail_msg("perf %s shows no: %s", perf_views[i].command,
				 perf_views[i].pattern);
		}
	}
	assert_int_equal(run_shell("perf data convert --to-json %s/json -i %s >%s/out 2>&1 && "
				   "test $(grep -c '\"ip\"' %s/json) = %d",
				   folder, path, folder, folder, NSAMPLES),
			 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_whole_stream),
		cmocka_unit_test(test_incomplete_streams),
		cmocka_unit_test(test_no_bye_no_result_no_hello),
		cmocka_unit_test(test_other_version),
		cmocka_unit_test(test_golden_bytes),
		cmocka_unit_test(test_records_are_sorted_and_mapped),
		cmocka_unit_test(test_sideband_of_the_image),
		cmocka_unit_test(test_events_that_perf_could_not_tell_apart),
		cmocka_unit_test(test_old_file_is_kept),
		cmocka_unit_test(test_only_plain_files_are_replaced),
		cmocka_unit_test(test_stock_perf_reads_it),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
