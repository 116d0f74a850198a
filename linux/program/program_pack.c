// SPDX-License-Identifier: BSD-2-Clause
/*
 * program_pack.c - see program_pack.h. Each archive lies in memory in one piece, of which each page
 * has a reference: files of the tree share those pages until they are written to.
 */
#include "linux/program/program_pack.h"

#include "arch/x86/dev/fwcfg.h"
#include "arch/x86/mem/paging.h"
#include "include/perf0/programs.h"
#include "lib/string.h"
#include "linux/tree/tree_cpio.h"
#include "linux/tree/tree.h"
#include "linux/program/store.h"

#include <linux/errno.h>

#define NOTES_MOST 64
#define NOTE_NAME  24 /* bytes of a name, with its end */

struct archive {
	const uint8_t *memory; /* NULL: there is no archive */
	size_t bytes, pages;
	bool is_own; /* the archive owns its pages */
};

static struct {
	bool loaded;                 /* pack_load() has run */
	struct archive sent, beside; /* sent by a host; found beside the image */
	struct reason why;
	struct {
		char name[NOTE_NAME];
		struct pack_note note;
	} note[NOTES_MOST];
	unsigned nnotes;
	struct inode *tree; /* a tree that no run has used yet */
} pack;

static const void *(*find_elsewhere)(size_t *bytes, const char **why);

void pack_set_source(const void *(*find)(size_t *bytes, const char **why))
{
	find_elsewhere = find;
}

bool pack_has_volume(void)
{
	return find_elsewhere;
}

/* --- Reading --- */

static void *read_pack(const struct fwcfg_file *file, size_t pages)
{
	void *memory = page_alloc_user(pages);

	if (memory && fwcfg_read(file, 0, memory, file->bytes))
		return memory;
	if (memory)
		page_free(memory, pages);
	return NULL;
}

static void hold_pages(struct archive *archive)
{
	if (!archive->memory)
		return;
	archive->pages = pages_of(archive->bytes);
	for (size_t i = 0; i < archive->pages; i++)
		page_get(phys_of(archive->memory) + i * PAGE_SIZE);
}

/* An archive sent to the running machine has priority over the one it was started with. */
static const char *find_sent(struct archive *sent)
{
	struct fwcfg_file file;

	sent->memory = store_find(PROGRAMS_PACK, &sent->bytes);
	if (sent->memory || !fwcfg_find(PROGRAMS_PACK, &file) || !file.bytes)
		return NULL;
	sent->bytes = file.bytes;
	sent->memory = read_pack(&file, pages_of(file.bytes));
	sent->is_own = true;
	return sent->memory ? NULL
			    : "there is no memory for the files that the host tool handed in";
}

/* A volume that cannot be read does not prevent the use of files that a host has sent. */
static const char *find_archives(void)
{
	const char *why = find_sent(&pack.sent), *volume = NULL;

	if (!why && find_elsewhere)
		pack.beside.memory = find_elsewhere(&pack.beside.bytes, &volume);
	hold_pages(&pack.sent);
	hold_pages(&pack.beside);
	return why || pack.sent.memory ? why : volume;
}

struct archive_source {
	struct cpio_source source; /* first */
	const struct archive *archive;
};

static const uint8_t *archive_at(const struct cpio_source *source, uint64_t offset)
{
	return ((const struct archive_source *)source)->archive->memory + offset;
}

static int copy_bytes(struct cpio_source *source, uint64_t offset, void *to, size_t n)
{
	memcpy(to, archive_at(source, offset), n);
	return 0;
}

static void *page_at(struct cpio_source *source, uint64_t offset)
{
	const uint8_t *page = archive_at(source, offset);

	if ((uintptr_t)page % PAGE_SIZE)
		return NULL;
	page_get(phys_of(page));
	return (void *)(uintptr_t)page;
}

/* Notes are taken from the first tree only: later trees have the same. */
static int take_note(struct cpio_source *source, const char *name, uint64_t offset, uint64_t bytes,
		     struct reason *why)
{
	(void)why;
	if (pack.loaded || pack.nnotes == NOTES_MOST || strlen(name) >= NOTE_NAME)
		return 0;
	memcpy(pack.note[pack.nnotes].name, name, strlen(name) + 1);
	pack.note[pack.nnotes++].note =
		(struct pack_note){(const char *)archive_at(source, offset), (size_t)bytes};
	return 0;
}

static int unpack_archive(struct inode *root, const struct archive *archive)
{
	struct archive_source from = {
		.source = {.bytes = archive->bytes,
			   .read = copy_bytes,
			   .page = page_at,
			   .note = take_note},
		.archive = archive,
	};

	return archive->memory ? cpio_unpack(root, &from.source, &pack.why) : 0;
}

/* The first of several notes with the same name wins, but the last of several files: the host
 * decides about the run, and the user's volume about programs. */
static int fill_tree(struct inode *root)
{
	const int err = unpack_archive(root, &pack.sent);

	return err ? err : unpack_archive(root, &pack.beside);
}

static struct inode *make_tree(void)
{
	struct inode *root = tree_create();

	if (!root || !fill_tree(root))
		return root;
	tree_destroy(root);
	return NULL;
}

const char *pack_load(void)
{
	const char *why;

	if (pack.loaded)
		return NULL;
	why = find_archives();
	if (why)
		return why;
	pack.tree = make_tree();
	if (!pack.tree) {
		why = pack.why.text[0] ? pack.why.text : "there is no memory for its files";
		pack_forget();
		return why;
	}
	pack.loaded = true;
	return NULL;
}

struct inode *pack_tree(void)
{
	struct inode *tree = pack.tree;

	pack.tree = NULL;
	return tree ? tree : make_tree();
}

static struct pack_note find_note(const char *name)
{
	for (unsigned i = 0; i < pack.nnotes; i++)
		if (!strcmp(pack.note[i].name, name))
			return pack.note[i].note;
	return (struct pack_note){0};
}

struct inode *pack_folder(struct inode *root)
{
	const struct tree_view view = {root, root, 0};
	const struct pack_note note = find_note(PROGRAMS_CWD);
	char path[PATH_BYTES_MOST];
	struct inode *cwd;

	if (!note.size || note.size >= sizeof(path))
		return inode_get(root);
	memcpy(path, note.bytes, note.size);
	path[note.size] = '\0';
	return walk_inode(&view, NULL, path, true, &cwd) ? inode_get(root) : cwd;
}

bool pack_has(const char *path)
{
	struct inode *found = NULL;
	struct tree_view view;

	if (!pack.tree)
		pack.tree = make_tree();
	if (!pack.tree)
		return false;
	view = (struct tree_view){pack.tree, pack_folder(pack.tree), 0};
	if (walk_inode(&view, NULL, path, true, &found))
		found = NULL;
	inode_put(view.cwd);
	inode_put(found);
	return found;
}

void pack_forget_tree(void)
{
	if (pack.tree)
		tree_destroy(pack.tree);
	pack.tree = NULL;
}

static void let_pages_go(const struct archive *archive)
{
	for (size_t i = 0; i < archive->pages; i++) {
		const uint64_t page = phys_of(archive->memory) + i * PAGE_SIZE;

		if (archive->is_own)
			page_put(page);
		else
			page_unmapped(page);
	}
}

void pack_forget(void)
{
	pack_forget_tree();
	let_pages_go(&pack.sent);
	let_pages_go(&pack.beside);
	memset(&pack, 0, sizeof(pack));
}

/* --- Notes --- */

struct pack_note pack_environment(void)
{
	return find_note(PROGRAMS_ENV);
}

struct pack_note pack_stdin(void)
{
	return find_note(PROGRAMS_STDIN);
}

bool pack_asks_for_input(void)
{
	return find_note(PROGRAMS_INPUT).size;
}

struct pack_note pack_bring(void)
{
	return find_note(PROGRAMS_BRING);
}

struct pack_note pack_arguments(const char *word)
{
	return find_note(word);
}

static bool read_note_number(const char *name, uint64_t *value)
{
	const struct pack_note note = find_note(name);
	uint64_t sum = 0;

	for (size_t i = 0; i < note.size; i++) {
		if (note.bytes[i] < '0' || note.bytes[i] > '9')
			break;
		sum = sum * 10 + (uint64_t)(note.bytes[i] - '0');
	}
	*value = sum;
	return note.size;
}

uint64_t pack_seed(void)
{
	uint64_t seed;

	read_note_number(PROGRAMS_SEED, &seed);
	return seed;
}

bool pack_prefault(bool otherwise)
{
	uint64_t on;

	return read_note_number(PROGRAMS_PREFAULT, &on) ? on : otherwise;
}

bool pack_allows_wx(void)
{
	uint64_t on;

	return read_note_number(PROGRAMS_ALLOW_WX, &on) && on;
}
