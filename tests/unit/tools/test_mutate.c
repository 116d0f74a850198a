// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_mutate.c - no stream of intact frames with any contents harms the tool, which reads it,
 * checks it and writes every form. scripts/fuzz calls `test_mutate ROUNDS SEED` for longer runs
 * with other seeds.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tests/unit/tools/mutate.h"
#include "tools/out/out.h"
#include "tools/out/perfdata.h"
#include "tools/out/perfpipe.h"

static bool is_quiet = true;
static uint64_t rounds = 600, first_seed = 1;

/* Outcomes of the streams: enough of them get far. */
static struct {
	uint64_t complete, recordings, malformed;
} seen;

/* Checks that each record is whole, and that their bytes add up to the count. */
static void look_at_records(const struct stream_command *command)
{
	struct stream_cursor cursor = {0};
	const struct perf_event_header *record;
	uint64_t bytes = 0, samples = 0;

	while ((record = stream_next_record(command, &cursor))) {
		assert_int_equal((uintptr_t)record % 8, 0);
		assert_true(record->size >= sizeof(*record) && record->size % 8 == 0);
		bytes += record->type == PERF_RECORD_LOST_SAMPLES ? 0 : record->size;
		samples += record->type == PERF_RECORD_SAMPLE;
	}
	stream_cursor_free(&cursor);
	assert_true(bytes <= command->received);
	assert_int_equal(samples, command->samples);
}

static void write_forms(const struct stream *stream, const struct stream_command *command)
{
	static const char *const forms[] = {"csv", "json", "folded", "speedscope", "text"};
	static const struct elf_image elf = {
		.path = "/perf0.elf",
		.build_id_size = 20,
		.segments = {{0x1000, 0x1000, 0x2000}},
		.nsegments = 1,
	};
	const struct out_source source = {stream, command, &elf, ","};
	struct reason why;
	struct buf out = {0};

	seen.recordings += !perfdata_build(&out, stream, command, &elf, &why);
	out.size = 0;
	perfpipe_build(&out, stream, command, NULL, &why);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const struct out_format *format = out_find(forms[i]);

		out.size = 0;
		if (format->of_counts || stream_is_recording(command))
			format->build(&out, &source, &why);
	}
	buf_free(&out);
}

static void use(const struct buf *bytes)
{
	struct stream stream;
	struct frame_stats stats = synth_read(bytes, &stream);
	struct reason why;

	assert_int_equal(stats.bad_crcs + stats.bad_headers, 0);
	seen.complete += !stream_check(&stream, &stats, &why);
	stream_check_so_far(&stream, &stats, &why);
	seen.malformed += stream.malformed.frames > 0;
	for (size_t i = 0; i < stream.ncommands; i++) {
		look_at_records(&stream.commands[i]);
		write_forms(&stream, &stream.commands[i]);
	}
	stream_free(&stream);
}

TEST(wrong_frames_do_no_harm)
{
	struct synth s = mutate_stream();
	struct buf frames = mutate_split(&s.out);
	int console = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	/* Samples that do not parse make thousands of lines; with arguments they are kept. */
	if (is_quiet)
		dup2(null, STDERR_FILENO);
	for (uint64_t round = 0; round < rounds; round++) {
		struct mutate m = {(first_seed + round) * 0x9e3779b97f4a7c15 | 1};
		struct buf bytes = mutate_make(&m, &frames);

		use(&bytes);
		buf_free(&bytes);
	}
	dup2(console, STDERR_FILENO);
	close(console);
	close(null);
	assert_true(seen.recordings >= rounds / 2);
	assert_true(seen.malformed >= rounds / 10);
	buf_free(&frames);
	buf_free(&s.out);
}

int main(int argc, char **argv)
{
	if (argc > 2) {
		is_quiet = false;
		rounds = strtoull(argv[1], NULL, 10);
		first_seed = strtoull(argv[2], NULL, 10);
	}
	return unit_run(NULL);
}
