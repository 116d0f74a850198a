// SPDX-License-Identifier: BSD-2-Clause
/* pack_writer.c - see pack_writer.h. */
#include "tools/program/pack_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "include/perf0/programs.h"
#include "lib/format/cpio.h"

static const uint32_t kinds[] = {
	[TREE_FILE] = CPIO_FILE, [TREE_DIRECTORY] = CPIO_DIRECTORY, [TREE_LINK] = CPIO_LINK};

/* Position and inode number of the next entry. */
struct layout {
	uint64_t at;
	uint32_t ino;
	bool of_initrd; /* names in an initrd have no extra padding */
};

/* A file of at least one page begins at a page, so that the image can map it in place. */
static uint32_t content_align(const struct layout *layout, const struct tree_entry *entry)
{
	return !layout->of_initrd && entry->kind == TREE_FILE && entry->bytes >= PROGRAMS_PAGE
		       ? PROGRAMS_PAGE
		       : CPIO_ALIGN;
}

static uint32_t permissions_of(const struct tree_entry *entry)
{
	if (entry->kind == TREE_LINK)
		return 0777;
	return entry->kind == TREE_DIRECTORY || entry->is_executable ? 0755 : 0644;
}

/* Lays out an entry at layout->at, and advances layout->at to the next one. */
static struct cpio_entry lay_out_entry(struct layout *layout, const struct tree_entry *entry)
{
	const uint32_t name_bytes =
		cpio_name_bytes(layout->at, strlen(entry->path), content_align(layout, entry));
	uint64_t end = layout->at + CPIO_HEADER + name_bytes + entry->bytes;

	end += cpio_padding(end);
	layout->at = end < layout->at ? UINT64_MAX : end;
	return (struct cpio_entry){
		.ino = ++layout->ino,
		.mode = kinds[entry->kind] | permissions_of(entry),
		.bytes = (uint32_t)entry->bytes,
		.name_bytes = name_bytes,
	};
}

static int add_bytes_of(void *ctx, const struct tree_entry *entry)
{
	struct layout *layout = ctx;

	if (layout->at <= PROGRAMS_PACK_MOST && entry->bytes <= PROGRAMS_PACK_MOST)
		lay_out_entry(layout, entry);
	else
		layout->at = UINT64_MAX;
	return 0;
}

uint64_t pack_bytes(const struct tree *tree)
{
	const struct tree_entry trailer = {.path = (char *)CPIO_TRAILER, .kind = TREE_FILE};
	struct layout layout = {0};

	tree_each(tree, add_bytes_of, &layout);
	add_bytes_of(&layout, &trailer);
	return layout.at;
}

/* --- Output --- */

struct writing {
	int fd;
	struct layout layout;
	struct reason *why;
};

static int write_bytes(struct writing *w, const void *bytes, size_t n)
{
	while (n) {
		const ssize_t done = write(w->fd, bytes, n);

		if (done < 0)
			return refuse(w->why, errno, "the programs can not be handed over: %s",
				      strerror(errno));
		bytes = (const char *)bytes + done;
		n -= (size_t)done;
	}
	return 0;
}

static int write_zeros(struct writing *w, size_t n)
{
	static const char zeros[PROGRAMS_PAGE];

	return write_bytes(w, zeros, n);
}

static int copy_source(struct writing *w, const struct tree_entry *entry)
{
	int from = open(entry->source, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint64_t left = entry->bytes;
	ssize_t n = 1;

	while (from >= 0 && left && n > 0) {
		n = sendfile(w->fd, from, NULL, left);
		left -= n > 0 ? (uint64_t)n : 0;
	}
	if (from < 0 || n < 0)
		refuse(w->why, errno, "%s: %s", entry->source, strerror(errno));
	else if (left)
		refuse(w->why, EIO, "%s: it became shorter while it was read", entry->source);
	if (from >= 0)
		close(from);
	return from < 0 || left ? -EIO : 0;
}

static int write_entry(void *ctx, const struct tree_entry *entry)
{
	const size_t length = strlen(entry->path);
	struct writing *w = ctx;
	struct cpio_entry head;
	char header[CPIO_HEADER];
	int err;

	if (w->layout.of_initrd && entry->path[0] != '/' && strcmp(entry->path, CPIO_TRAILER))
		return 0;
	head = lay_out_entry(&w->layout, entry);
	cpio_header(header, &head);
	err = write_bytes(w, header, sizeof(header));
	if (!err)
		err = write_bytes(w, entry->path, length);
	if (!err)
		err = write_zeros(w, head.name_bytes - length);
	if (!err && entry->source)
		err = copy_source(w, entry);
	else if (!err)
		err = write_bytes(w, entry->content.data, entry->content.size);
	return err ? err : write_zeros(w, cpio_padding(entry->bytes));
}

static int write_pack(struct writing *w, const struct tree *tree)
{
	const struct tree_entry trailer = {.path = (char *)CPIO_TRAILER, .kind = TREE_FILE};
	int err = tree_each(tree, write_entry, w);

	return err ? err : write_entry(w, &trailer);
}

static int write_to_memory(const struct tree *tree, bool of_initrd, struct reason *why)
{
	struct writing w = {.layout.of_initrd = of_initrd, .why = why};
	int err;

	if (pack_bytes(tree) > PROGRAMS_PACK_MOST)
		return refuse(why, EFBIG,
			      "the programs and files of a run have more than 4 GiB together");
	w.fd = memfd_create("perf0-programs", 0);
	if (w.fd < 0)
		return refuse(why, errno, "the programs can not be handed over: %s",
			      strerror(errno));
	err = write_pack(&w, tree);
	if (!err)
		return w.fd;
	close(w.fd);
	return err;
}

int pack_write(const struct tree *tree, struct reason *why)
{
	return write_to_memory(tree, false, why);
}

int pack_write_initrd(const struct tree *tree, struct reason *why)
{
	return write_to_memory(tree, true, why);
}
