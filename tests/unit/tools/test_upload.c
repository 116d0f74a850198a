// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_upload.c - uploads of ELF files to a running machine: all files arrive unchanged over any
 * line, and a file that the machine has is not sent again.
 */
#include "tests/unit/tools/upload_line.h"

#include "lib/format/xxh64.h"

static struct programs programs = {.file = files};

static void check_kept(size_t i, const uint8_t *bytes, size_t n)
{
	assert_int_equal(kept[i].file.bytes, n);
	assert_memory_equal(kept[i].content, bytes, n);
}

static uint8_t *prepare(size_t n)
{
	uint8_t *bytes = make_bytes(n);

	forget_kept();
	harm = 0;
	make_program_file(0, bytes, n);
	programs.n = 1;
	return bytes;
}

TEST(test_clean_line)
{
	static const size_t sizes[] = {1, 63, 64, 65, 1023, 1024, 1025, 4999, 5000, 5001, 300000};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint8_t *bytes = prepare(sizes[i]);

		run_upload(&programs);
		assert_int_equal(sender.state, UPLOAD_DONE);
		assert_int_equal(sender.resent, 0);
		assert_int_equal(machine_reader.damaged, 0);
		assert_int_equal(nkeys, 0);
		check_kept(0, bytes, sizes[i]);
		assert_string_equal(kept[0].file.path, files[0].path);
		assert_int_equal(kept[0].file.hash, xxh64(bytes, sizes[i]));
		free(bytes);
	}
}

/* A third of these files is zeros. In random bytes an eighth needs escapes, in programs a
 * fiftieth. */
TEST(test_few_bytes)
{
	uint8_t *bytes = prepare(300000);

	run_upload(&programs);
	assert_true(sender.typed < 300000 * 2 / 3 * 117 / 100);
	free(bytes);
}

TEST(test_held_is_not_sent)
{
	uint8_t *bytes = prepare(100000);

	run_upload(&programs);
	run_upload(&programs);
	assert_int_equal(sender.state, UPLOAD_DONE);
	assert_true(sender.typed < 300);
	assert_int_equal(begun, 1);
	bytes[50000] ^= 1;
	make_program_file(0, bytes, 100000);
	run_upload(&programs);
	assert_int_equal(begun, 2);
	check_kept(1, bytes, 100000);
	free(bytes);
}

TEST(test_several_files)
{
	uint8_t *bytes[3];

	forget_kept();
	for (size_t i = 0; i < 3; i++) {
		bytes[i] = make_bytes(1000 + 7000 * i);
		make_program_file(i, bytes[i], 1000 + 7000 * i);
	}
	programs.n = 3;
	for (harm = 0; harm <= 2; harm += 2) {
		forget_kept();
		run_upload(&programs);
		assert_int_equal(sender.state, UPLOAD_DONE);
		for (size_t i = 0; i < 3; i++)
			check_kept(i, bytes[i], 1000 + 7000 * i);
	}
	for (size_t i = 0; i < 3; i++)
		free(bytes[i]);
}

/* The line damages up to one byte in 200: smaller pieces arrive. */
TEST(test_noise)
{
	static const unsigned harms[] = {1, 3, 5};

	for (unsigned turn = 0; turn < 30; turn++) {
		const size_t n = 1 + draw(40000);
		uint8_t *bytes = prepare(n);

		harm = harms[turn % 3];
		run_upload(&programs);
		assert_string_equal(sender.why.text, "");
		assert_int_equal(sender.state, UPLOAD_DONE);
		check_kept(0, bytes, n);
		assert_true(sender.typed < 60 * n + 100000);
		free(bytes);
	}
}

/* An upload that is broken off anywhere continues there with another sender. */
TEST(test_goes_on)
{
	for (unsigned turn = 0; turn < 10; turn++) {
		uint8_t *bytes = prepare(100000);
		uint64_t had;

		begin_upload(&programs);
		while (machine.have < draw(90000))
			pass_once();
		had = machine.have;
		upload_end(&sender);
		typed_byte(&machine_reader, WIRE_TYPED_FRAME); /* in the middle of a frame */
		typed_byte(&machine_reader, '_');
		run_upload(&programs);
		assert_int_equal(sender.state, UPLOAD_DONE);
		assert_true(sender.had >= had);
		assert_int_equal(begun, 1);
		check_kept(0, bytes, 100000);
		free(bytes);
	}
}

TEST(test_machine_starts_anew)
{
	uint8_t *bytes = prepare(100000);

	begin_upload(&programs);
	while (machine.have < 50000)
		pass_once();
	start_machine();
	while (!upload_is_over(&sender))
		if (!pass_once())
			line_now += 100;
	assert_int_equal(sender.state, UPLOAD_DONE);
	check_kept(0, bytes, 100000);
	free(bytes);
}

TEST(test_no_room)
{
	uint8_t *bytes = prepare(100000);

	room = 99999;
	run_upload(&programs);
	assert_int_equal(sender.state, UPLOAD_FAILED);
	assert_non_null(strstr(sender.why.text, ": the machine has no room for it"));
	upload_end(&sender);
	free(bytes);
}

/* On a slow line the answer comes after the sender gave up the OFFER. It is accepted. */
TEST(test_late_answer)
{
	uint8_t *bytes = prepare(1000);
	struct buf typed = {0}, back = {0};

	begin_upload(&programs);
	upload_next(&sender, line_now, &typed);
	line_now += 5000;
	upload_next(&sender, line_now, &back);
	assert_int_equal(sender.resent, 1);
	back.size = 0;
	take_typed(&typed, &back);
	frame_reader_feed(&host_reader, back.data, back.size);
	assert_int_equal(sender.state, UPLOAD_SENDS);
	upload_end(&sender);
	buf_free(&typed);
	buf_free(&back);
	free(bytes);
}

/* Without an answer the sender ends after a few tries. */
TEST(test_silence)
{
	const uint64_t began = line_now;
	uint8_t *bytes = prepare(100000);

	harm = 1000;
	run_upload(&programs);
	assert_int_equal(sender.state, UPLOAD_FAILED);
	assert_non_null(strstr(sender.why.text, "no answer for 30 s"));
	assert_in_range(line_now - began, 30000, 31000);
	assert_in_range(sender.resent, 3, 40);
	upload_end(&sender);
	free(bytes);
}

/* Both checks of each frame are right, but the file's hash is wrong. */
TEST(test_other_hash)
{
	uint8_t *bytes = prepare(10000);

	begin_upload(&programs);
	sender.hash ^= 1;
	while (!upload_is_over(&sender))
		if (!pass_once())
			line_now += 100;
	assert_int_equal(sender.state, UPLOAD_FAILED);
	assert_non_null(strstr(sender.why.text, "as another one twice"));
	assert_int_equal(nkept, 0);
	upload_end(&sender);
	free(bytes);
}

/* Senseless frames are refused, and nothing is written. */
TEST(test_nonsense)
{
	const struct upload_file file = {.path = "/a/b", .bytes = 100, .hash = 1};
	struct upload_file bad = file;
	uint8_t bytes[200] = {0};

	forget_kept();
	assert_int_equal(upload_piece(&machine, 1, 0, bytes, 10, 0), WIRE_TAKEN_UNKNOWN);
	bad.bytes = 0;
	assert_int_equal(upload_offer(&machine, 1, &bad), WIRE_TAKEN_REFUSED);
	bad.bytes = PROGRAM_MOST + 1ull;
	assert_int_equal(upload_offer(&machine, 1, &bad), WIRE_TAKEN_REFUSED);
	bad = file;
	bad.path[0] = '\0';
	assert_int_equal(upload_offer(&machine, 1, &bad), WIRE_TAKEN_REFUSED);
	assert_int_equal(upload_offer(&machine, 1, &file), WIRE_TAKEN_PART);
	assert_int_equal(upload_piece(&machine, 2, 0, bytes, 10, 0), WIRE_TAKEN_UNKNOWN);
	assert_int_equal(upload_piece(&machine, 1, 0, bytes, 101, 0), WIRE_TAKEN_REFUSED);
	assert_int_equal(upload_piece(&machine, 1, 0, bytes, 0, 0), WIRE_TAKEN_REFUSED);
	assert_int_equal(upload_piece(&machine, 1, 0, bytes, 1, UINT64_MAX), WIRE_TAKEN_REFUSED);
	assert_int_equal(upload_piece(&machine, 1, UINT64_MAX, bytes, 1, 1), WIRE_TAKEN_REFUSED);
	assert_int_equal(upload_piece(&machine, 1, 20, bytes, 80, 0), WIRE_TAKEN_GAP);
	assert_int_equal(machine.have, 0);
	assert_int_equal(upload_piece(&machine, 1, 0, bytes, 10, 89), WIRE_TAKEN_PART);
	assert_int_equal(upload_piece(&machine, 1, 0, bytes, 10, 0), WIRE_TAKEN_PART);
	assert_int_equal(machine.have, 99);
	assert_int_equal(upload_piece(&machine, 1, 99, bytes, 1, 0), WIRE_TAKEN_ANEW);
	assert_int_equal(machine.have, 0);
}

/* Uploads through shared memory, also while the typed frames about it are damaged: then frames come
 * late, twice, or not at all. */
static void check_shared(size_t n, unsigned harms)
{
	uint8_t *bytes;

	shared_in = calloc(1, SHARED_IN_BYTES);
	bytes = prepare(n);
	harm = harms;
	run_upload(&programs);
	assert_string_equal(sender.why.text, "");
	assert_int_equal(sender.state, UPLOAD_DONE);
	check_kept(0, bytes, n);
	assert_true(sender.placed >= n);
	if (!harms)
		assert_true(sender.placed == n && sender.typed < 300 + n / 4096);
	free(bytes);
	free(shared_in);
	shared_in = NULL;
	start_machine();
}

TEST(test_shared)
{
	static const size_t sizes[] = {1,
				       4096,
				       SHARED_IN_BYTES / UPLOAD_AHEAD,
				       SHARED_IN_BYTES / UPLOAD_AHEAD + 1,
				       SHARED_IN_BYTES,
				       3 * SHARED_IN_BYTES + 5};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		check_shared(sizes[i], 0);
		check_shared(sizes[i], 5);
	}
}

/* An upload continues at any offset, also within a piece of shared memory. */
TEST(test_shared_goes_on)
{
	uint8_t *bytes;
	uint64_t had;

	shared_in = calloc(1, SHARED_IN_BYTES);
	bytes = prepare(SHARED_IN_BYTES + 100);
	begin_upload(&programs);
	sender.shared = NULL;
	while (machine.have < 12345)
		pass_once();
	had = machine.have;
	upload_end(&sender);
	run_upload(&programs);
	assert_int_equal(sender.state, UPLOAD_DONE);
	assert_int_equal(sender.placed, SHARED_IN_BYTES + 100 - had);
	assert_int_equal(begun, 1);
	check_kept(0, bytes, SHARED_IN_BYTES + 100);
	free(bytes);
	free(shared_in);
	shared_in = NULL;
	start_machine();
}

static enum wire_taken_status place(uint32_t bytes, uint64_t offset, uint64_t at, uint16_t length)
{
	const struct wire_placed placed = {.upload = 1, .bytes = bytes, .offset = offset, .at = at};
	const struct frame frame = {.type = WIRE_PLACED, .length = length, .payload = &placed};
	struct wire_taken taken;

	assert_true(upload_frame(&machine, &frame, &taken));
	return taken.status;
}

/* No place outside of the shared memory is read, and none at all without a shared memory. */
TEST(test_shared_nonsense)
{
	const struct upload_file file = {.path = "/a/b", .bytes = 100, .hash = 1};
	const uint16_t whole = sizeof(struct wire_placed);

	forget_kept();
	assert_int_equal(upload_offer(&machine, 1, &file), WIRE_TAKEN_PART);
	assert_int_equal(place(10, 0, 0, whole), WIRE_TAKEN_REFUSED);
	shared_in = calloc(1, SHARED_IN_BYTES);
	forget_kept();
	assert_int_equal(place(10, 0, 0, whole), WIRE_TAKEN_UNKNOWN);
	assert_int_equal(upload_offer(&machine, 1, &file), WIRE_TAKEN_PART);
	assert_int_equal(place(10, 0, 0, whole - 1), WIRE_TAKEN_REFUSED);
	assert_int_equal(place(10, 0, SHARED_IN_BYTES - 9, whole), WIRE_TAKEN_REFUSED);
	assert_int_equal(place(10, 0, UINT64_MAX - 4, whole), WIRE_TAKEN_REFUSED);
	assert_int_equal(place(UINT32_MAX, 0, 0, whole), WIRE_TAKEN_REFUSED);
	assert_int_equal(place(101, 0, 0, whole), WIRE_TAKEN_REFUSED);
	assert_int_equal(place(0, 0, 0, whole), WIRE_TAKEN_REFUSED);
	assert_int_equal(place(10, 20, 0, whole), WIRE_TAKEN_GAP);
	assert_int_equal(place(10, 0, SHARED_IN_BYTES - 10, whole), WIRE_TAKEN_PART);
	assert_int_equal(machine.have, 10);
	free(shared_in);
	shared_in = NULL;
	start_machine();
}

static enum typed type_text(const char *text)
{
	enum typed what = TYPED_KEY;

	for (; *text; text++)
		what = typed_byte(&machine_reader, (uint8_t)*text);
	return what;
}

/* Keys before, after and within a frame: keys with an effect always have it. */
TEST(test_keys)
{
	forget_kept();
	assert_int_equal(type_text("a"), TYPED_KEY);
	assert_int_equal(type_text("\001b"), TYPED_KEY);
	assert_int_equal(type_text("c"), TYPED_KEY);
	assert_int_equal(type_text("\001_abc"), TYPED_TAKEN);
	assert_int_equal(type_text("\003"), TYPED_KEY);
	assert_int_equal(type_text("d"), TYPED_KEY);
	assert_int_equal(type_text("\001_abc\r"), TYPED_KEY);
	assert_int_equal(type_text("\001_abc\004"), TYPED_TAKEN);
	assert_int_equal(type_text("\004"), TYPED_KEY);
	assert_int_equal(type_text("\001_\020\020"), TYPED_TAKEN);
	assert_int_equal(type_text("e"), TYPED_KEY);
	assert_int_equal(type_text("\001_\020!"), TYPED_TAKEN);
	assert_int_equal(type_text("f"), TYPED_KEY);
}

/* A frame without an end takes at most the largest size of a frame. */
TEST(test_endless_frame)
{
	size_t n = 0;

	forget_kept();
	type_text("\001_");
	while (type_text("x") == TYPED_TAKEN)
		n++;
	assert_int_equal(n, FRAME_MAX_SIZE);
}

FIXTURE(make_folder)
{
	return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(remove_folder)
{
	forget_kept();
	for (size_t i = 0; i < FILES_MOST; i++) {
		if (files[i].path) {
			unlink(files[i].path);
			close(files[i].fd);
		}
		free(files[i].path);
	}
	return rmdir(folder);
}

GROUP(make_folder, remove_folder);
