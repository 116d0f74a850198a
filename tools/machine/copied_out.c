// SPDX-License-Identifier: BSD-2-Clause
/* copied_out.c - see copied_out.h. */
#include "tools/machine/copied_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/perf0/wire_frames.h"
#include "tools/symbols/perfmap.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

/*
 * Returns HOST, or, if HOST is a folder, the path of the guest's file name in it. Without HOST,
 * returns the file name.
 */
static char *host_path(const char *word)
{
	const size_t n = strcspn(word, ":");
	const char *host = word[n] ? word + n + 1 : "", *name = word + n;
	struct buf path = {0};
	struct stat st;

	while (name > word && name[-1] != '/')
		name--;
	buf_printf(&path, "%s", host);
	if (*host && !stat(host, &st) && S_ISDIR(st.st_mode))
		buf_printf(&path, "/");
	if (!path.size || path.data[path.size - 1] == '/')
		buf_printf(&path, "%.*s", (int)(word + n - name), name);
	buf_text(&path);
	return (char *)path.data;
}

void bring_begin(struct bring *bring, const struct option_values *words)
{
	*bring = (struct bring){.words = words};
	bring->file = memory_checked(calloc(words->n + 1, sizeof(*bring->file)));
	for (size_t i = 0; i < words->n; i++) {
		bring->file[i].path = host_path(words->word[i]);
		refuse(&bring->file[i].wrong, ENODATA, "the image did not send it");
	}
}

/* --- The file that is being written --- */

static void open_copy(struct bring *bring, uint32_t index)
{
	struct bring_file *file = &bring->file[index];

	bring->index = index;
	bring->have = 0;
	bring->is_open = !outfile_begin(&bring->out, file->path, &file->wrong);
	bring->bytes = (struct buf){.file = &bring->out.file};
	if (!bring->is_open)
		file->is_there = false;
}

static void end_file(struct bring *bring, int err)
{
	struct bring_file *file = &bring->file[bring->index];

	if (!bring->is_open)
		return;
	if (!err)
		buf_settle(&bring->bytes, true);
	buf_free(&bring->bytes);
	bring->is_open = false;
	file->is_there = !outfile_end(&bring->out, false, err, &file->wrong);
}

static void break_off(struct bring *bring, const char *why)
{
	if (bring->is_open)
		refuse(&bring->file[bring->index].wrong, EIO, "%s", why);
	end_file(bring, -EIO);
}

static void make_executable(const char *path)
{
	struct stat st;

	if (!stat(path, &st))
		chmod(path, st.st_mode | (st.st_mode >> 2 & 0111));
}

static void append_copied(struct bring *bring, const struct wire_file *head, const void *bytes,
			  size_t n)
{
	if (!bring->is_open || head->offset != bring->have) {
		break_off(bring, "a part of it was lost on the line");
		return;
	}
	buf_add(&bring->bytes, bytes, n);
	buf_settle(&bring->bytes, false);
	bring->have += n;
	if (!(head->flags & WIRE_FILE_LAST))
		return;
	end_file(bring, 0);
	if (bring->file[head->index].is_there && head->mode & 0111)
		make_executable(bring->file[head->index].path);
}

void bring_frame(struct bring *bring, const struct frame *frame)
{
	struct wire_file head;

	if (frame->type != WIRE_FILE || frame->length < sizeof(head) || !bring->words)
		return;
	memcpy(&head, frame->payload, sizeof(head));
	if (head.index >= bring->words->n)
		return;
	if (bring->is_open && (head.index != bring->index || !head.offset))
		break_off(bring, "its end was lost on the line");
	if (head.error) {
		if (!bring->file[head.index].is_there)
			refuse(&bring->file[head.index].wrong, head.error, "%s",
			       strerror(head.error));
		return;
	}
	if (!head.offset)
		open_copy(bring, head.index);
	append_copied(bring, &head, (const uint8_t *)frame->payload + sizeof(head),
		      frame->length - sizeof(head));
}

/* Notes a perf map of a JIT compiler, so that it names functions in the output of this run. */
static bool note_perfmap(const char *word, const char *path)
{
	char *guest = copy_text(word, strcspn(word, ":"));
	const bool is_map = perfmap_note(guest, path);

	free(guest);
	return is_map;
}

bool bring_note_perfmaps(const struct option_values *words)
{
	bool is_any = false;

	for (size_t i = 0; i < words->n; i++) {
		char *path = host_path(words->word[i]);

		is_any |= !access(path, R_OK) && note_perfmap(words->word[i], path);
		free(path);
	}
	return is_any;
}

int bring_end(struct bring *bring)
{
	const size_t n = bring->words ? bring->words->n : 0;
	int status = 0;

	break_off(bring, "its end did not come");
	for (size_t i = 0; i < n; i++) {
		struct bring_file *file = &bring->file[i];

		if (!file->is_there) {
			message("perf0: --bring %s: %s", bring->words->word[i], file->wrong.text);
			status = STATUS_FAILED;
		} else {
			note_perfmap(bring->words->word[i], file->path);
		}
		free(file->path);
	}
	free(bring->file);
	*bring = (struct bring){0};
	return status;
}
