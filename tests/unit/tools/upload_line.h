/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * upload_line.h - a sender of ELF files, the machine's receiver, and a line between them that
 * loses, flips, repeats and inserts bytes at given rates. Time is a number.
 */
#ifndef TESTS_UPLOAD_LINE_H
#define TESTS_UPLOAD_LINE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "include/perf0/shared.h"
#include "lib/format/typed.h"
#include "rt/portable/upload_reader.h"
#include "tools/machine/upload.h"

#define FILES_MOST 8

/* A file that the machine keeps. */
struct kept_file {
	struct upload_file file;
	uint8_t *content;
};

static struct kept_file kept[FILES_MOST];
static size_t nkept;
static uint64_t room; /* bytes that the machine has for files */
static unsigned begun;

static bool holds(const struct upload_file *file)
{
	for (size_t i = 0; i < nkept; i++)
		if (kept[i].file.bytes == file->bytes && kept[i].file.hash == file->hash)
			return true;
	return false;
}

static uint8_t *alloc_in_room(const struct upload_file *file)
{
	begun++;
	return file->bytes <= room ? calloc(1, file->bytes) : NULL;
}

static bool keep(const struct upload_file *file, uint8_t *memory)
{
	if (nkept == FILES_MOST)
		return false;
	kept[nkept++] = (struct kept_file){*file, memory};
	return true;
}

static void drop(const struct upload_file *file, uint8_t *memory)
{
	(void)file;
	free(memory);
}

static const struct upload_store test_store = {holds, alloc_in_room, keep, drop};

/* The machine at the other end. */
static struct typed_reader machine_reader;
static struct upload machine;
static uint8_t *shared_in; /* memory that both ends share; NULL: there is none */
static char keys[256];     /* the latest keys outside of frames */
static size_t nkeys;

static void start_machine(void)
{
	if (machine.memory)
		free(machine.memory);
	memset(&machine_reader, 0, sizeof(machine_reader));
	machine = (struct upload){.store = &test_store,
				  .shared = shared_in,
				  .shared_bytes = shared_in ? SHARED_IN_BYTES : 0};
	nkeys = 0;
}

static void forget_kept(void)
{
	while (nkept)
		free(kept[--nkept].content);
	start_machine();
	begun = 0;
	room = UINT64_MAX;
}

/* The line damages this number of 1000 bytes, in each direction. */
static unsigned harm;

static uint64_t draw(uint64_t below)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x % below;
}

static void pass(struct buf *to, const void *bytes, size_t n)
{
	const uint8_t *from = bytes;

	for (; n; n--, from++) {
		uint8_t byte = *from;

		if (draw(1000) >= harm) {
			buf_add(to, &byte, 1);
			continue;
		}
		switch (draw(4)) {
		case 0: /* the byte is lost */
			break;
		case 1: /* the byte comes twice */
			buf_add(to, &byte, 1);
			buf_add(to, &byte, 1);
			break;
		case 2: /* a made-up byte follows */
			buf_add(to, &byte, 1);
			byte = (uint8_t)draw(256);
			buf_add(to, &byte, 1);
			break;
		default:
			byte ^= (uint8_t)(1u << draw(8));
			buf_add(to, &byte, 1);
		}
	}
}

static uint64_t line_now = 1000;
static struct upload_sender sender;
static struct frame_reader host_reader;

static void answer_upload(void *ctx, const struct frame *frame)
{
	(void)ctx;
	upload_answer(&sender, line_now, frame);
}

static void on_other(void *ctx, const void *bytes, size_t n)
{
	(void)ctx;
	(void)bytes;
	(void)n;
}

static void answer_frame(struct buf *back)
{
	uint8_t frame[FRAME_OVERHEAD + sizeof(struct wire_taken)];
	struct wire_taken taken;

	if (!upload_frame(&machine, &machine_reader.frame, &taken))
		return;
	assert_true(taken.have <= machine.file.bytes);
	pass(back, frame,
	     frame_encode(frame, WIRE_TAKEN, WIRE_STREAM_MAIN, 0, &taken, sizeof(taken)));
}

static void take_typed(const struct buf *typed, struct buf *back)
{
	for (size_t i = 0; i < typed->size; i++) {
		const enum typed what = typed_byte(&machine_reader, typed->data[i]);

		if (what == TYPED_KEY)
			keys[nkeys++ % sizeof(keys)] = (char)typed->data[i];
		if (what == TYPED_FRAME)
			answer_frame(back);
	}
}

/* Lets some ms pass for the bytes on the line. False: there were none. */
static bool pass_once(void)
{
	struct buf typed = {0}, there = {0}, back = {0};
	size_t before;
	bool any;

	do {
		before = typed.size;
		upload_next(&sender, line_now, &typed);
	} while (typed.size != before);
	for (size_t i = 0; i < typed.size; i++) /* no key that acts is in a frame */
		assert_true(typed.data[i] >= WIRE_TYPED_CONTROL ||
			    typed.data[i] == WIRE_TYPED_FRAME || typed.data[i] == WIRE_TYPED_END ||
			    typed.data[i] == WIRE_TYPED_ESCAPE);
	any = typed.size;
	pass(&there, typed.data, typed.size);
	line_now += 1 + typed.size / 11;
	take_typed(&there, &back);
	frame_reader_feed(&host_reader, back.data, back.size);
	buf_free(&typed);
	buf_free(&there);
	buf_free(&back);
	return any;
}

static void begin_upload(const struct programs *programs)
{
	const struct frame_sink sink = {answer_upload, on_other, on_other, NULL};

	frame_reader_init(&host_reader, &sink);
	upload_begin(&sender, programs, shared_in, line_now);
}

static void run_upload(const struct programs *programs)
{
	begin_upload(programs);
	while (!upload_is_over(&sender))
		if (!pass_once())
			line_now += 100;
}

/* Files to send. */
static char folder[] = "/tmp/perf0-upload.XXXXXX";
static struct program_file files[FILES_MOST];

static void make_program_file(size_t i, const void *bytes, size_t n)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%zu", folder, i);
	file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, n, file), n);
	assert_int_equal(fclose(file), 0);
	if (files[i].path)
		close(files[i].fd);
	free(files[i].path);
	files[i] =
		(struct program_file){.path = strdup(path), .bytes = n, .fd = open(path, O_RDONLY)};
}

/* Bytes like a program's: code, and zeros between. */
static uint8_t *make_bytes(size_t n)
{
	uint8_t *bytes = malloc(n);

	for (size_t i = 0; i < n; i++)
		bytes[i] = i / 5000 % 3 == 1 ? 0 : (uint8_t)draw(256);
	return bytes;
}

#endif
