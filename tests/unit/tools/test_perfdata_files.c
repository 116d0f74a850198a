// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_perfdata_files.c - streams to perf.data: order, side-band records, files that are replaced
 * on disk, and reading by stock perf.
 */
#include "tests/unit/tools/read_perfdata.h"

#include "tests/unit/test.h"

/* The image's COMM and MMAP2 records are kept once, with the path inserted. */
TEST(test_sideband_of_the_image)
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

/* The build-ids of all mapped files, each once, except for files without one. */
TEST(test_build_ids)
{
	static const uint8_t ids[][20] = {"program's.........", "library's........."};
	static const struct {
		const char *path;
		int id; /* -1: none */
	} rows[] = {{"/bin/prog", 0},
		    {"/lib/libx.so", 1},
		    {"/bin/prog", 0},
		    {"/lib/plain", -1},
		    {"/bin/prog", 1}};
	const struct perf_event_attr attr = synth_attr();
	const struct stream_event event = {.attr = attr};
	const struct record_format format = {.events = &event, .nevents = 1};
	const struct wire_hello hello = make_hello(NULL);
	struct buf records = {0}, file;
	struct wire_books books = {0};
	struct parsed data, section;
	struct synth s = {0};
	size_t found = 0;

	synth_hello(&s, &hello);
	synth_begin(&s, 0, "record -e instructions prog");
	synth_event(&s, 0, &attr, "instructions", 77);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct record_map map = {
			.pid = 1,
			.tid = 1,
			.addr = 0x1000 * i,
			.len = 0x1000,
			.build_id = ids[rows[i].id < 0 ? 0 : rows[i].id],
			.build_id_size = rows[i].id < 0 ? 0 : 20,
			.path = rows[i].path,
		};

		record_add_map(&records, &format, &map);
	}
	synth_frame(&s, WIRE_DATA, 0, records.data, records.size);
	books.sent = records.size;
	buf_free(&records);
	synth_result(&s, 0, 0, &books);
	synth_bye(&s, 0, 1, &books);
	file = build(&s.out, NULL);
	/* Build-ids are the first feature, so they are the first in the table after the data. */
	data = section_at(&file, 40);
	assert_int_equal(file.data[72] & 7, 1 << 2);
	section = section_at(&file, (size_t)(data.at - file.data) + data.size);
	for (size_t at = 0; at < section.size; found++) {
		const struct perf_event_header *row = (const void *)(section.at + at);
		static const int wanted[] = {0, 1, 4};

		assert_in_range(found, 0, 2);
		assert_int_equal(row->size % 64, 0);
		assert_memory_equal(section.at + at + 12, ids[rows[wanted[found]].id], 20);
		assert_string_equal((const char *)section.at + at + 36, rows[wanted[found]].path);
		at += row->size;
	}
	assert_int_equal(found, 3);
	buf_free(&file);
	buf_free(&s.out);
}

TEST(test_events_that_perf_could_not_tell_apart)
{
	struct perf_event_attr attr = synth_attr();
	const struct wire_hello hello = make_hello(NULL);
	struct buf file = {0};
	struct stream stream = {0};
	struct synth s = {0};
	struct reason why;

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

static int save(const char *path, const struct buf *bytes, const struct elf_image *elf,
		struct reason *why)
{
	struct buf file = {0};
	struct stream stream = {0};
	int err;

	synth_read(bytes, &stream);
	err = perfdata_build(&file, &stream, &stream.commands[0], elf, why);
	if (!err)
		err = outfile_replace(path, &file, true, why);
	buf_free(&file);
	stream_free(&stream);
	return err;
}

TEST(test_old_file_is_kept)
{
	struct buf bytes = make_stream(NULL);
	char path[64], old[72];
	struct reason why;
	struct stat st;

	snprintf(path, sizeof(path), "%s/kept", folder);
	snprintf(old, sizeof(old), "%s.old", path);
	assert_int_equal(save(path, &bytes, NULL, &why), 0);
	assert_int_not_equal(stat(old, &st), 0);
	assert_int_equal(save(path, &bytes, NULL, &why), 0);
	assert_int_equal(stat(old, &st), 0);
	assert_true(st.st_size > 0);
	buf_free(&bytes);
}

TEST(test_only_plain_files_are_replaced)
{
	struct buf bytes = make_stream(NULL);
	struct reason why;
	struct stat st;
	char path[64];

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

/* Stock perf: each command's output must have a matching line, and no complaint. */
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
	{"script", "hotcold +2 \\[001\\].* hot\\+0x4 \\(.*test_perfdata_files\\)"},
	{"annotate --stdio -s hot", "Disassembly of section .text|Percent.*Source code"},
	{"buildid-list", "^[0-9a-f]{40} .*test_perfdata_files"},
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

static void write_perfdata(char *path, size_t size)
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

TEST(test_stock_perf_reads_it)
{
	char path[64];

	if (!has_perf()) {
		print_message("perf is not installed: its opinion is not heard\n");
		skip();
	}
	write_perfdata(path, sizeof(path));
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

GROUP(make_folder, remove_folder);
