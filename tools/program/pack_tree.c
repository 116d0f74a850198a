// SPDX-License-Identifier: BSD-2-Clause
/* pack_tree.c - see pack_tree.h. */
#include "tools/program/pack_tree.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/util/memory.h"
#include "tools/util/message.h"

#define LINKS_MOST 40 /* Linux's limit for one path */

/* Treatment of a path component that is missing in the tree. */
enum walk_kind {
	WALK_FINDS,   /* the walk fails */
	WALK_MAKES,   /* it becomes a directory, except the last component, which is only located */
	WALK_MIRRORS, /* it is copied from the host */
};

struct walk {
	struct tree *tree;
	enum walk_kind kind;
	const char *path;     /* the whole path, as it was given */
	char place[PATH_MAX]; /* the directory reached so far; "": the root */
	char rest[PATH_MAX];  /* components that are left */
	unsigned links;
};

/* --- Entries --- */

static int compare_entries(const void *a, const void *b)
{
	return strcmp(((const struct tree_entry *)a)->path, ((const struct tree_entry *)b)->path);
}

static struct tree_entry *find_tree_entry(const struct tree *tree, const char *path)
{
	const struct tree_entry key = {.path = (char *)path};
	struct tree_entry *const *found = tfind(&key, &tree->root, compare_entries);

	return found ? *found : NULL;
}

static void empty_entry(struct tree_entry *entry)
{
	free(entry->source);
	buf_free(&entry->content);
	*entry = (struct tree_entry){.path = entry->path};
}

static void free_entry(void *node)
{
	struct tree_entry *entry = node;

	empty_entry(entry);
	free(entry->path);
	free(entry);
}

/* Returns the entry of that path, made anew. */
static struct tree_entry *make_entry(struct tree *tree, const char *path, enum tree_kind kind)
{
	struct tree_entry *entry = find_tree_entry(tree, path);

	if (entry) {
		empty_entry(entry);
	} else {
		entry = memory_checked(calloc(1, sizeof(*entry)));
		entry->path = copy_text(path, strlen(path));
		memory_checked(tsearch(entry, &tree->root, compare_entries));
		tree->n++;
	}
	entry->kind = kind;
	return entry;
}

static void add_link(struct tree *tree, const char *path, const char *target, size_t n)
{
	struct tree_entry *entry = make_entry(tree, path, TREE_LINK);

	buf_add(&entry->content, target, n);
	buf_text(&entry->content);
	entry->bytes = n;
}

static void add_plain_file(struct tree *tree, const char *path, const char *source,
			   const struct stat *st)
{
	struct tree_entry *entry = make_entry(tree, path, TREE_FILE);

	entry->source = copy_text(source, strlen(source));
	entry->bytes = (uint64_t)st->st_size;
	entry->is_executable = st->st_mode & 0111;
}

static int copy_link(struct tree *tree, const char *path, const char *source, struct reason *why)
{
	char target[PATH_MAX];
	const ssize_t n = readlink(source, target, sizeof(target) - 1);

	if (n <= 0)
		return refuse(why, n ? errno : ENOENT, "%s: %s", source, strerror(errno));
	add_link(tree, path, target, (size_t)n);
	return 0;
}

/* Copies the host's entry at `source`, but not the contents of a folder. */
static int copy_entry(struct tree *tree, const char *path, const char *source,
		      const struct stat *st, struct reason *why)
{
	if (S_ISLNK(st->st_mode))
		return copy_link(tree, path, source, why);
	if (S_ISDIR(st->st_mode))
		make_entry(tree, path, TREE_DIRECTORY);
	else if (S_ISREG(st->st_mode))
		add_plain_file(tree, path, source, st);
	else
		return refuse(why, EINVAL, "%s: it is neither a plain file nor a folder", source);
	return 0;
}

/* --- Paths --- */

static int too_long(const struct walk *w, struct reason *why)
{
	return refuse(why, ENAMETOOLONG, "%.100s...: its path has more than %d characters", w->path,
		      PATH_MAX - 1);
}

/* Takes the first component of the rest; false: no component is left. */
static bool take_component(struct walk *w, char name[PATH_MAX])
{
	const char *start = w->rest + strspn(w->rest, "/");
	const size_t n = strcspn(start, "/");

	memcpy(name, start, n);
	name[n] = '\0';
	memmove(w->rest, start + n, strlen(start + n) + 1);
	return n;
}

static bool is_last(const struct walk *w)
{
	return !w->rest[strspn(w->rest, "/")];
}

static int follow_link(struct walk *w, const struct tree_entry *link, struct reason *why)
{
	const char *target = (const char *)link->content.data;
	char rest[PATH_MAX];

	if (++w->links > LINKS_MOST)
		return refuse(why, ELOOP, "%s: %s", w->path, strerror(ELOOP));
	if (strlen(target) + 1 + strlen(w->rest) >= sizeof(rest))
		return too_long(w, why);
	strcpy(rest, target);
	strcat(rest, "/");
	strcat(rest, w->rest);
	strcpy(w->rest, rest);
	if (*target == '/')
		w->place[0] = '\0';
	return 0;
}

static int walk_into(struct walk *w, const struct tree_entry *entry, struct reason *why)
{
	if (entry->kind == TREE_LINK)
		return follow_link(w, entry, why);
	if (entry->kind == TREE_FILE && !is_last(w))
		return refuse(why, ENOTDIR, "%s: %s", w->path, strerror(ENOTDIR));
	strcpy(w->place, entry->path);
	return 0;
}

/*
 * Copies a component from the host. Links in the tree may lead to a path that the host lacks; then
 * the type of the whole requested path counts.
 */
static int mirror(struct walk *w, const char *path, struct reason *why)
{
	struct stat st;

	if (!lstat(path, &st))
		return copy_entry(w->tree, path, path, &st, why);
	if (stat(w->path, &st))
		return refuse(why, errno, "%s: %s", w->path, strerror(errno));
	if (!is_last(w) || S_ISDIR(st.st_mode))
		make_entry(w->tree, path, TREE_DIRECTORY);
	else
		return copy_entry(w->tree, path, w->path, &st, why);
	return 0;
}

static int walk_on(struct walk *w, const char *path, struct reason *why)
{
	const struct tree_entry *entry = find_tree_entry(w->tree, path);
	int err = 0;

	if (!entry && w->kind == WALK_FINDS)
		return -ENOENT;
	if (!entry && w->kind == WALK_MAKES && is_last(w)) {
		strcpy(w->place, path);
		return 0;
	}
	if (!entry && w->kind == WALK_MAKES)
		make_entry(w->tree, path, TREE_DIRECTORY);
	else if (!entry)
		err = mirror(w, path, why);
	return err ? err : walk_into(w, find_tree_entry(w->tree, path), why);
}

static void walk_up(struct walk *w)
{
	char *slash = strrchr(w->place, '/');

	if (slash)
		*slash = '\0';
}

/* Walks to the end of `path`, and leaves the result in w->place. */
static int walk_path(struct walk *w, struct tree *tree, enum walk_kind kind, const char *path,
		     struct reason *why)
{
	char name[PATH_MAX], next[PATH_MAX];
	int err = 0;

	*w = (struct walk){.tree = tree, .kind = kind, .path = path};
	if (strlen(path) >= sizeof(w->rest))
		return too_long(w, why);
	strcpy(w->rest, path);
	while (!err && take_component(w, name)) {
		if (!strcmp(name, "."))
			continue;
		if (!strcmp(name, "..")) {
			walk_up(w);
			continue;
		}
		if ((size_t)snprintf(next, sizeof(next), "%s/%s", w->place, name) >= sizeof(next))
			return too_long(w, why);
		err = walk_on(w, next, why);
	}
	return err;
}

int tree_host(struct tree *tree, const char *path, struct reason *why)
{
	struct walk w;

	return walk_path(&w, tree, WALK_MIRRORS, path, why);
}

const struct tree_entry *tree_find(const struct tree *tree, const char *path)
{
	struct walk w;

	if (*path != '/')
		return find_tree_entry(tree, path);
	if (walk_path(&w, (struct tree *)tree, WALK_FINDS, path, NULL))
		return NULL;
	return find_tree_entry(tree, w.place);
}

/* --- Replacing files --- */

/*
 * Finds the place for an entry. A link at the last component is not followed if the new entry is a
 * link.
 */
static int find_place(struct walk *w, struct tree *tree, const char *path, bool is_link,
		      struct reason *why)
{
	const char *name = strrchr(path, '/');
	char parent[PATH_MAX];
	int err;

	if (!is_link)
		return walk_path(w, tree, WALK_MAKES, path, why);
	snprintf(parent, sizeof(parent), "%.*s", (int)(name - path), path);
	err = walk_path(w, tree, WALK_MAKES, parent, why);
	if (!err && strlen(w->place) + strlen(name) >= sizeof(w->place))
		return too_long(w, why);
	if (!err)
		strcat(w->place, name);
	return err;
}

/*
 * Adds or replaces an entry. An existing folder stays: a folder adds to it, and a link would hide
 * its contents.
 */
static int put_entry(struct tree *tree, const char *source, const struct stat *st, const char *path,
		     struct reason *why)
{
	const struct tree_entry *there;
	struct walk w;

	if (find_place(&w, tree, path, S_ISLNK(st->st_mode), why))
		return -EINVAL;
	there = find_tree_entry(tree, w.place);
	if (*w.place && (!there || there->kind != TREE_DIRECTORY))
		return copy_entry(tree, w.place, source, st, why);
	if (S_ISREG(st->st_mode))
		return refuse(why, EISDIR, "%s: there is a folder %s already", source, path);
	return 0;
}

static int put_found(struct tree *tree, const FTSENT *found, const char *path, struct reason *why)
{
	switch (found->fts_info) {
	case FTS_DP:
		return 0;
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		return refuse(why, found->fts_errno, "%s: %s", found->fts_path,
			      strerror(found->fts_errno));
	case FTS_D:
	case FTS_F:
	case FTS_SL:
	case FTS_SLNONE:
		return put_entry(tree, found->fts_path, found->fts_statp, path, why);
	default:
		if (tree->verbose)
			message("perf0: %s: left out: it is neither a plain file nor a folder",
				found->fts_path);
		return 0;
	}
}

/* Adds a folder, without file systems that are mounted inside of it. */
static int put_folder(struct tree *tree, const char *host, const char *path, struct reason *why)
{
	char *const roots[] = {(char *)host, NULL};
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV | FTS_COMFOLLOW, NULL);
	const FTSENT *found;
	struct buf inside = {0};
	int err = 0;

	if (!fts)
		return refuse(why, errno, "%s: %s", host, strerror(errno));
	while (!err && (errno = 0, found = fts_read(fts))) {
		inside.size = 0;
		buf_printf(&inside, "%s/%s", path, found->fts_path + strlen(host));
		err = put_found(tree, found, buf_text(&inside), why);
	}
	if (!err && errno)
		err = refuse(why, errno, "%s: %s", host, strerror(errno));
	buf_free(&inside);
	fts_close(fts);
	return err;
}

int tree_put(struct tree *tree, const char *host, const char *path, struct reason *why)
{
	struct stat st;

	if (stat(host, &st))
		return refuse(why, errno, "%s: %s", host, strerror(errno));
	return S_ISDIR(st.st_mode) ? put_folder(tree, host, path, why)
				   : put_entry(tree, host, &st, path, why);
}

int tree_content(struct tree *tree, const char *path, struct buf *bytes, struct reason *why)
{
	struct tree_entry *entry;
	struct walk w;

	if (*path == '/' && walk_path(&w, tree, WALK_MAKES, path, why))
		return -EINVAL;
	entry = make_entry(tree, *path == '/' ? w.place : path, TREE_FILE);
	entry->content = *bytes;
	entry->bytes = bytes->size;
	*bytes = (struct buf){0};
	return 0;
}

int tree_script(struct tree *tree, const char *path, struct buf *bytes, struct reason *why)
{
	struct tree_entry *entry;
	int err = tree_content(tree, path, bytes, why);

	entry = err ? NULL : find_tree_entry(tree, path);
	if (entry)
		entry->is_executable = true;
	return err;
}

int tree_folder(struct tree *tree, const char *path, struct reason *why)
{
	struct walk w;
	int err = walk_path(&w, tree, WALK_MAKES, path, why);

	if (!err && *w.place && !find_tree_entry(tree, w.place))
		make_entry(tree, w.place, TREE_DIRECTORY);
	return err;
}

/* --- Enumeration --- */

struct each {
	int (*take)(void *ctx, const struct tree_entry *entry);
	void *ctx;
	int result;
};

static void take_node(const void *node, VISIT visit, void *closure)
{
	struct each *each = closure;

	if (!each->result && (visit == postorder || visit == leaf))
		each->result = each->take(each->ctx, *(struct tree_entry *const *)node);
}

int tree_each(const struct tree *tree, int (*take)(void *ctx, const struct tree_entry *entry),
	      void *ctx)
{
	struct each each = {.take = take, .ctx = ctx};

	twalk_r(tree->root, take_node, &each);
	return each.result;
}

void tree_free(struct tree *tree)
{
	tdestroy(tree->root, free_entry);
	*tree = (struct tree){0};
}
