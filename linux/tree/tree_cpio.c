// SPDX-License-Identifier: BSD-2-Clause
/* tree_cpio.c - see tree_cpio.h. */
#include "linux/tree/tree_cpio.h"

#include "lib/string.h"
#include "linux/file/regular.h"
#include "linux/tree/tree.h"
#include "rt/base/heap.h"

#include <linux/errno.h>

/* The header of each member: cpio(5), "New ASCII Format". All numbers have 8 hexadecimal digits. */
struct cpio_head {
	char magic[6]; /* MAGIC */
	char ino[8], mode[8], uid[8], gid[8], links[8], mtime[8], bytes[8];
	char major[8], minor[8], device_major[8], device_minor[8];
	char name_bytes[8]; /* with the 0 at its end */
	char check[8];
} __attribute__((packed));
_Static_assert(sizeof(struct cpio_head) == 110, "as cpio(5) has it");

#define MAGIC   "070701"
#define TRAILER "TRAILER!!!" /* the name of the last member */

/* One member. */
struct member {
	uint64_t at; /* offset of the header in the archive */
	uint32_t mode, links;
	uint64_t name_bytes;
	uint64_t content, bytes; /* offset and length of its content */
	uint64_t next;           /* offset of the next header */
	char *name;              /* PATH_BYTES_MOST */
};

struct unpacking {
	struct cpio_source *source;
	struct reason *why;
	struct tree_view view;
	struct member member;
};

static unsigned long long at_of(const struct unpacking *u)
{
	return (unsigned long long)u->member.at;
}

static uint64_t round_up(uint64_t n)
{
	return (n + 3) & ~(uint64_t)3;
}

/* --- Headers --- */

static bool read_digit(char c, uint32_t *value)
{
	if (c >= '0' && c <= '9')
		*value = *value << 4 | (uint32_t)(c - '0');
	else if (c >= 'a' && c <= 'f')
		*value = *value << 4 | (uint32_t)(c - 'a' + 10);
	else if (c >= 'A' && c <= 'F')
		*value = *value << 4 | (uint32_t)(c - 'A' + 10);
	else
		return false;
	return true;
}

static bool read_hex_digits(const char digits[8], uint32_t *value)
{
	*value = 0;
	for (unsigned i = 0; i < 8; i++)
		if (!read_digit(digits[i], value))
			return false;
	return true;
}

static int parse_head(struct unpacking *u, const struct cpio_head *head)
{
	struct member *m = &u->member;
	uint32_t name_bytes, bytes;

	if (memcmp(head->magic, MAGIC, sizeof(head->magic)) != 0)
		return refuse(u->why, EINVAL, "no head of a cpio archive (newc) at byte %llu",
			      at_of(u));
	if (!read_hex_digits(head->mode, &m->mode) || !read_hex_digits(head->links, &m->links) ||
	    !read_hex_digits(head->bytes, &bytes) ||
	    !read_hex_digits(head->name_bytes, &name_bytes))
		return refuse(u->why, EINVAL, "a number that is none in the head at byte %llu",
			      at_of(u));
	m->name_bytes = name_bytes;
	m->bytes = bytes;
	m->content = round_up(m->at + sizeof(*head) + name_bytes);
	m->next = round_up(m->content + bytes);
	return 0;
}

static int read_archive(struct unpacking *u, uint64_t offset, void *to, uint64_t n)
{
	if (offset > u->source->bytes || n > u->source->bytes - offset)
		return refuse(u->why, EINVAL, "the archive ends within the member at byte %llu",
			      at_of(u));
	return u->source->read(u->source, offset, to, n);
}

static int refuse_length(struct unpacking *u)
{
	return refuse(u->why, EINVAL, "a name of %llu bytes in the head at byte %llu",
		      (unsigned long long)u->member.name_bytes, at_of(u));
}

static int read_name(struct unpacking *u)
{
	struct member *m = &u->member;
	const uint64_t n = m->name_bytes < PATH_BYTES_MOST ? m->name_bytes : PATH_BYTES_MOST;
	int error;

	/* Several zeros may follow a name, to align the content to a page. */
	if (!n || m->name_bytes > 2 * PATH_BYTES_MOST)
		return refuse_length(u);
	error = read_archive(u, m->at + sizeof(struct cpio_head), m->name, n);
	if (error)
		return error;
	if (strnlen(m->name, n) == n && n < m->name_bytes)
		return refuse_length(u);
	if (strnlen(m->name, n) == n)
		return refuse(u->why, EINVAL, "a name without its end in the head at byte %llu",
			      at_of(u));
	if (m->content > u->source->bytes || m->bytes > u->source->bytes - m->content)
		return refuse(u->why, EINVAL, "the archive ends within %s", m->name);
	return 0;
}

static int read_member(struct unpacking *u)
{
	struct cpio_head head;
	int error = read_archive(u, u->member.at, &head, sizeof(head));

	if (!error)
		error = parse_head(u, &head);
	return error ? error : read_name(u);
}

/* --- Names --- */

/* Is it `/a/b/c`, with no part that is empty or dots? */
static bool is_plain_path(const char *name)
{
	while (*name == '/') {
		const char *part = ++name;
		size_t n;

		while (*name && *name != '/')
			name++;
		n = (size_t)(name - part);
		if (!n || n > NAME_BYTES_MOST || (n == 1 && part[0] == '.') ||
		    (n == 2 && part[0] == '.' && part[1] == '.'))
			return false;
	}
	return !*name;
}

static bool lies_below(const char *name, const char *dir)
{
	const size_t n = strlen(dir);

	return strncmp(name, dir, n) == 0 && (!name[n] || name[n] == '/');
}

static int fail_member(struct unpacking *u, int error)
{
	static const struct {
		int error;
		const char *text;
	} reasons[] = {
		{-ENOMEM, "there is no memory for it"},
		{-ENOSPC, "there is no memory for it"},
		{-EEXIST, "it is there already"},
		{-ENOTDIR, "a part of its path is no directory"},
		{-ENOENT, "a part of its path is a link that leads nowhere"},
		{-ELOOP, "links of its path lead in a circle"},
		{-ENAMETOOLONG, "its path is too long"},
	};

	for (unsigned i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i].error == error)
			return refuse(u->why, -error, "%s: %s", u->member.name, reasons[i].text);
	return refuse(u->why, -error, "%s cannot be made: error %d", u->member.name, -error);
}

/* Makes the parent directories that no member named. */
static int make_parents(struct unpacking *u)
{
	char *name = u->member.name;

	for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		int error;

		*slash = 0;
		error = tree_mkdir(&u->view, NULL, name, 0755);
		*slash = '/';
		if (error && error != -EEXIST)
			return error;
	}
	return 0;
}

/* --- Kinds of members --- */

static int make_directory(struct unpacking *u)
{
	const uint32_t mode = u->member.mode & MODE_BITS;
	struct inode *dir;
	int error = tree_mkdir(&u->view, NULL, u->member.name, mode);

	if (error != -EEXIST)
		return error;
	error = walk_inode(&u->view, NULL, u->member.name, false, &dir);
	if (error)
		return error;
	error = inode_is_directory(dir) ? 0 : -EEXIST;
	if (directory_is_real(dir) && dir->device == DEVICE_ROOT)
		inode_chmod(dir, mode);
	inode_put(dir);
	return error;
}

static int make_link(struct unpacking *u)
{
	const struct member *m = &u->member;
	char *target;
	int error;

	if (!m->bytes || m->bytes >= PATH_BYTES_MOST)
		return refuse(u->why, EINVAL, "%s: a link to a path of %llu bytes", m->name,
			      (unsigned long long)m->bytes);
	target = heap_alloc(PATH_BYTES_MOST);
	if (!target)
		return -ENOMEM;
	error = read_archive(u, m->content, target, m->bytes);
	if (!error && strlen(target) != m->bytes)
		error = refuse(u->why, EINVAL, "%s: a link to a path with a 0 in it", m->name);
	if (!error)
		error = tree_symlink(&u->view, NULL, m->name, target);
	heap_free(target);
	return error;
}

static int give_page(struct inode *inode, uint64_t index, void *page, bool borrowed)
{
	const uint64_t flags = tree_lock();
	const int error = content_give(&inode->content, index, page, borrowed);

	tree_unlock(flags);
	if (error)
		page_ref_put(page);
	return error;
}

static void *shared_page(struct cpio_source *source, uint64_t offset, uint64_t n)
{
	return n == PAGE_BYTES && source->page ? source->page(source, offset) : NULL;
}

/* Fills page `index` with `n` bytes. */
static int fill_page(struct cpio_source *source, uint64_t offset, uint64_t n, struct inode *inode,
		     uint64_t index)
{
	void *page = shared_page(source, offset, n);
	int error;

	if (page)
		return give_page(inode, index, page, true);
	page = page_ref_new();
	if (!page)
		return -ENOMEM;
	error = source->read(source, offset, page, n);
	if (error) {
		page_ref_put(page);
		return error;
	}
	return give_page(inode, index, page, false);
}

static int fill_content(struct cpio_source *source, uint64_t offset, uint64_t bytes,
			struct inode *inode)
{
	int error = 0;

	inode->size = bytes;
	for (uint64_t done = 0; !error && done < bytes; done += PAGE_BYTES) {
		const uint64_t left = bytes - done;

		error = fill_page(source, offset + done, left < PAGE_BYTES ? left : PAGE_BYTES,
				  inode, done / PAGE_BYTES);
	}
	return error;
}

int cpio_content(struct cpio_source *source, uint64_t offset, uint64_t bytes, struct inode **out)
{
	int error;

	*out = regular_new(0600, DEVICE_ROOT);
	if (!*out)
		return -ENOMEM;
	error = fill_content(source, offset, bytes, *out);
	if (error)
		inode_put(*out);
	return error;
}

static int unpack_file(struct unpacking *u)
{
	const struct member *m = &u->member;
	struct inode *inode;
	int error;

	if (m->links > 1)
		return refuse(u->why, EINVAL, "%s: a hard link; each name is to be a file",
			      m->name);
	error = tree_mknod(&u->view, NULL, m->name, MODE_REGULAR | (m->mode & MODE_BITS));
	if (!error)
		error = walk_inode(&u->view, NULL, m->name, false, &inode);
	if (error)
		return error;
	error = fill_content(u->source, m->content, m->bytes, inode);
	inode_put(inode);
	return error;
}

static const struct member_kind {
	uint32_t type;
	int (*make)(struct unpacking *u);
} kinds[] = {
	{MODE_DIRECTORY, make_directory},
	{MODE_REGULAR, unpack_file},
	{MODE_LINK, make_link},
};

static int make_kind(struct unpacking *u)
{
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].type == (u->member.mode & MODE_TYPE))
			return kinds[i].make(u);
	return refuse(u->why, EINVAL, "%s is no file, directory or symbolic link: mode 0%o",
		      u->member.name, u->member.mode);
}

static int make_in_tree(struct unpacking *u)
{
	const char *name = u->member.name;
	int error;

	if (strcmp(name, "/") == 0)
		return 0;
	if (!is_plain_path(name))
		return refuse(u->why, EINVAL, "%s is no path without empty parts and dots", name);
	if (lies_below(name, "/proc") || lies_below(name, "/sys"))
		return 0;
	if (u->why)
		u->why->text[0] = 0;
	error = make_parents(u);
	if (!error)
		error = make_kind(u);
	if (error == -EEXIST && lies_below(name, "/dev"))
		return 0;
	return error && !(u->why && u->why->text[0]) ? fail_member(u, error) : error;
}

static int take_member(struct unpacking *u)
{
	const struct member *m = &u->member;

	if (m->name[0] == '/')
		return make_in_tree(u);
	if (!u->source->note)
		return refuse(u->why, EINVAL, "%s is no absolute path", m->name);
	return u->source->note(u->source, m->name, m->content, m->bytes, u->why);
}

static int unpack_members(struct unpacking *u)
{
	struct member *m = &u->member;

	for (;; m->at = m->next) {
		int error = read_member(u);

		if (error || strcmp(m->name, TRAILER) == 0)
			return error;
		error = take_member(u);
		if (error)
			return error;
	}
}

int cpio_unpack(struct inode *root, struct cpio_source *source, struct reason *why)
{
	struct unpacking u = {
		.source = source,
		.why = why,
		.view = {.root = root, .cwd = root},
		.member.name = heap_alloc(PATH_BYTES_MOST),
	};
	int error;

	if (!u.member.name)
		return refuse(why, ENOMEM, "there is no memory to read an archive");
	error = unpack_members(&u);
	heap_free(u.member.name);
	return error;
}
