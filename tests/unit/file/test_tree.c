// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_tree.c - names: paths and links, directories, effects and refusals of rename(2), link(2) and
 * unlink(2); a file exists without a name. At the end of each test all memory is free.
 */
#include "tests/unit/file/test_files.h"

TEST(test_a_new_tree_has_what_each_run_has)
{
	char list[512];

	files_begin();
	list_names("/", list, sizeof(list));
	assert_string_equal(list, ". .. dev proc sys tmp ");
	list_names("/dev", list, sizeof(list));
	assert_string_equal(list,
			    ". .. shm null zero full random urandom tty fd stdin stdout stderr ");
	assert_int_equal(stat_of("/tmp", true).st_mode, MODE_DIRECTORY | 01777);
	assert_int_equal(stat_of("/dev/null", true).st_rdev, 0x103);
	files_end();
}

TEST(test_numbers_are_the_same_in_each_run)
{
	unsigned long number;

	files_begin();
	make_file("/tmp/a", "x");
	number = stat_of("/tmp/a", true).st_ino;
	files_end();
	files_begin();
	make_file("/tmp/a", "x");
	assert_int_equal(stat_of("/tmp/a", true).st_ino, number);
	files_end();
}

TEST(test_paths_lead_where_they_should)
{
	files_begin();
	assert_int_equal(make_dir("/a"), 0);
	assert_int_equal(make_dir("/a/b"), 0);
	make_file("/a/b/f", "content");
	assert_content("/a/b/f", "content");
	assert_content("//a//b/./../b/f", "content");
	assert_content("/../../a/b/f", "content");
	assert_content("a/b/f", "content");
	assert_int_equal(walk_error(""), -ENOENT);
	assert_int_equal(walk_error("/a/x/f"), -ENOENT);
	assert_int_equal(walk_error("/a/b/f/"), -ENOTDIR);
	assert_int_equal(walk_error("/a/b/f/x"), -ENOTDIR);
	assert_int_equal(walk_error("/a/b/f/.."), -ENOTDIR);
	assert_int_equal(walk_error("/a/b/"), 0);
	files_end();
}

TEST(test_paths_are_from_where_the_process_stands)
{
	struct inode *dir = NULL;
	struct file *f = NULL;

	files_begin();
	assert_int_equal(make_dir("/a"), 0);
	make_file("/a/f", "x");
	assert_int_equal(walk_inode(&view, NULL, "/a", true, &dir), 0);
	assert_int_equal(tree_open(&view, dir, "f", O_RDONLY, 0, &f), 0);
	file_put(f);
	assert_int_equal(tree_open(&view, dir, "/f", O_RDONLY, 0, &f), -ENOENT);
	assert_int_equal(tree_chdir(&view, dir), 0);
	inode_put(dir);
	assert_content("f", "x");
	assert_content("../a/f", "x");
	assert_int_equal(walk_inode(&view, NULL, "f", true, &dir), 0);
	assert_int_equal(tree_chdir(&view, dir), -ENOTDIR);
	inode_put(dir);
	files_end();
}

TEST(test_names_have_their_lengths)
{
	char path[PATH_BYTES_MOST + 2];

	files_begin();
	memset(path, 'n', sizeof(path));
	path[255] = 0;
	assert_int_equal(make_dir(path), 0);
	path[255] = 'n';
	path[256] = 0;
	assert_int_equal(make_dir(path), -ENAMETOOLONG);
	memset(path, '/', sizeof(path));
	path[PATH_BYTES_MOST - 1] = 0;
	assert_int_equal(walk_error(path), 0);
	path[PATH_BYTES_MOST - 1] = '/';
	path[PATH_BYTES_MOST] = 0;
	assert_int_equal(walk_error(path), -ENAMETOOLONG);
	files_end();
}

TEST(test_links_are_followed)
{
	struct text text = {0};
	struct inode *link;

	files_begin();
	make_dir("/a");
	make_file("/a/f", "x");
	assert_int_equal(make_symlink("a", "/to_a"), 0);
	assert_int_equal(make_symlink("/to_a/f", "/a/to_f"), 0);
	assert_int_equal(make_symlink("nowhere", "/dangling"), 0);
	assert_int_equal(make_symlink("x", "/to_a"), -EEXIST);
	assert_int_equal(make_symlink("", "/empty"), -ENOENT);
	assert_int_equal(make_symlink("x", "/slash/"), -ENOENT);
	assert_content("/to_a/to_f", "x");
	assert_int_equal(stat_of("/to_a", false).st_mode, MODE_LINK | 0777);
	assert_int_equal(stat_of("/to_a", false).st_size, 1);
	assert_int_equal(stat_of("/to_a", true).st_mode, MODE_DIRECTORY | 0755);
	assert_int_equal(stat_of("/to_a/", false).st_mode, MODE_DIRECTORY | 0755);
	assert_int_equal(walk_error("/a/to_f/"), -ENOTDIR);
	assert_int_equal(walk_error("/dangling"), -ENOENT);
	assert_int_equal(walk_inode(&view, NULL, "/a/to_f", false, &link), 0);
	assert_int_equal(inode_readlink(link, &text), 0);
	assert_string_equal(text_end(&text), "/to_a/f");
	text_free(&text);
	inode_put(link);
	make_file("/dangling", "made");
	assert_content("/nowhere", "made");
	files_end();
}

TEST(test_links_in_a_circle_are_refused)
{
	char path[16], to[16];

	files_begin();
	make_symlink("/self", "/self");
	assert_int_equal(walk_error("/self"), -ELOOP);
	assert_int_equal(open_error("/self", O_RDONLY), -ELOOP);
	make_file("/l0", "x");
	for (int i = 1; i <= 41; i++) {
		snprintf(path, sizeof(path), "/l%d", i);
		snprintf(to, sizeof(to), "l%d", i - 1);
		assert_int_equal(make_symlink(to, path), 0);
	}
	assert_content("/l40", "x");
	assert_int_equal(walk_error("/l41"), -ELOOP);
	files_end();
}

TEST(test_open_makes_and_refuses)
{
	files_begin();
	make_dir("/d");
	make_file("/f", "abc");
	make_symlink("f", "/l");
	assert_int_equal(open_error("/no", O_RDONLY), -ENOENT);
	assert_int_equal(open_error("/f", O_CREAT | O_EXCL | O_WRONLY), -EEXIST);
	assert_int_equal(open_error("/l", O_CREAT | O_EXCL | O_WRONLY), -EEXIST);
	assert_int_equal(open_error("/l", O_NOFOLLOW), -ELOOP);
	assert_int_equal(open_error("/l", O_NOFOLLOW | O_PATH), 0);
	assert_int_equal(open_error("/f", O_DIRECTORY), -ENOTDIR);
	assert_int_equal(open_error("/d", O_WRONLY), -EISDIR);
	assert_int_equal(open_error("/d", O_CREAT), -EISDIR);
	assert_int_equal(open_error("/d", O_DIRECTORY), 0);
	assert_int_equal(open_error("/new/", O_CREAT | O_WRONLY), -EISDIR);
	assert_int_equal(open_error("/f", 3), -EINVAL);
	assert_int_equal(open_error("/d", O_CREAT | O_DIRECTORY), -EINVAL);
	assert_int_equal(open_error("/proc/no", O_CREAT | O_WRONLY), -EPERM);
	file_put(must_open("/f", O_WRONLY | O_TRUNC));
	assert_int_equal(stat_of("/f", true).st_size, 0);
	assert_int_equal(stat_of("/f", true).st_mode, MODE_REGULAR | 0644);
	files_end();
}

TEST(test_a_file_lives_without_a_name)
{
	struct text path = {0};
	char bytes[8] = {0};
	struct file *f;

	files_begin();
	make_file("/tmp/f", "alive");
	f = must_open("/tmp/f", O_RDONLY);
	assert_int_equal(unlink_file("/tmp/f"), 0);
	assert_int_equal(walk_error("/tmp/f"), -ENOENT);
	make_file("/tmp/f", "other");
	assert_int_equal(get(f, bytes, sizeof(bytes)), 5);
	assert_string_equal(bytes, "alive");
	assert_int_equal(f->inode->links, 0);
	assert_int_equal(file_path(f, view.root, &path), 0);
	assert_string_equal(text_end(&path), "/tmp/f (deleted)");
	text_free(&path);
	assert_int_equal(tree_link(f->inode, &view, NULL, "/again"), -ENOENT);
	file_put(f);
	files_end();
}

TEST(test_unnamed_files_can_get_a_name)
{
	struct text path = {0};
	struct file *f;

	files_begin();
	f = must_open("/tmp", O_TMPFILE | O_RDWR);
	assert_int_equal(put(f, "abc", 3), 3);
	assert_int_equal(file_path(f, view.root, &path), 0);
	assert_non_null(strstr(text_end(&path), " (deleted)"));
	text_free(&path);
	assert_int_equal(tree_link(f->inode, &view, NULL, "/tmp/named"), 0);
	assert_content("/tmp/named", "abc");
	file_put(f);
	f = must_open("/tmp", O_TMPFILE | O_RDWR | O_EXCL);
	assert_int_equal(tree_link(f->inode, &view, NULL, "/tmp/never"), -ENOENT);
	file_put(f);
	assert_int_equal(open_error("/tmp", O_TMPFILE | O_RDONLY), -EINVAL);
	assert_int_equal(open_error("/tmp/named", O_TMPFILE | O_RDWR), -ENOTDIR);
	assert_int_equal(open_error("/proc", O_TMPFILE | O_RDWR), -EOPNOTSUPP);
	files_end();
}

TEST(test_directories_come_and_go)
{
	files_begin();
	assert_int_equal(make_dir("/d/"), 0);
	assert_int_equal(make_dir("/d"), -EEXIST);
	assert_int_equal(make_dir("/"), -EEXIST);
	assert_int_equal(make_dir("/no/d"), -ENOENT);
	assert_int_equal(make_dir("/proc/d"), -EPERM);
	assert_int_equal(make_dir("/d/e"), 0);
	assert_int_equal(stat_of("/d", true).st_nlink, 3);
	make_file("/d/f", "");
	assert_int_equal(remove_dir("/d"), -ENOTEMPTY);
	assert_int_equal(remove_dir("/d/f"), -ENOTDIR);
	assert_int_equal(unlink_file("/d"), -EISDIR);
	assert_int_equal(unlink_file("/d/no"), -ENOENT);
	assert_int_equal(unlink_file("/d/f/"), -ENOTDIR);
	assert_int_equal(remove_dir("/d/."), -EINVAL);
	assert_int_equal(remove_dir("/d/e/.."), -ENOTEMPTY);
	assert_int_equal(remove_dir("/"), -EBUSY);
	assert_int_equal(remove_dir("/proc"), -EBUSY);
	assert_int_equal(unlink_file("/proc/filesystems"), -EPERM);
	assert_int_equal(remove_dir("/d/e"), 0);
	assert_int_equal(stat_of("/d", true).st_nlink, 2);
	assert_int_equal(unlink_file("/d/f"), 0);
	assert_int_equal(remove_dir("/d"), 0);
	files_end();
}

TEST(test_a_removed_directory_is_still_somewhere)
{
	struct inode *dir;
	struct text path = {0};

	files_begin();
	make_dir("/a");
	make_dir("/a/b");
	walk_inode(&view, NULL, "/a/b", true, &dir);
	tree_chdir(&view, dir);
	inode_put(dir);
	assert_int_equal(remove_dir("/a/b"), 0);
	assert_int_equal(open_error("f", O_CREAT | O_WRONLY), -ENOENT);
	assert_int_equal(make_dir("d"), -ENOENT);
	assert_int_equal(walk_error(".."), 0);
	assert_int_equal(inode_path(view.cwd, view.root, &path), 0);
	assert_string_equal(text_end(&path), "/a/b (deleted)");
	text_free(&path);
	assert_int_equal(remove_dir("/a"), 0);
	files_end();
}

TEST(test_names_move)
{
	files_begin();
	make_dir("/a");
	make_dir("/a/b");
	make_dir("/full");
	make_file("/full/x", "");
	make_file("/f", "f");
	make_file("/g", "g");
	assert_int_equal(move("/f", "/a/f"), 0);
	assert_int_equal(walk_error("/f"), -ENOENT);
	assert_content("/a/f", "f");
	assert_int_equal(move("/a/f", "/g"), 0);
	assert_content("/g", "f");
	assert_int_equal(move("/g", "/g"), 0);
	assert_int_equal(move("/no", "/g"), -ENOENT);
	assert_int_equal(move("/a", "/a/b/c"), -EINVAL);
	assert_int_equal(move("/a", "/a/b"), -EINVAL);
	assert_int_equal(move("/a/b", "/a"), -ENOTEMPTY);
	assert_int_equal(move("/a", "/full"), -ENOTEMPTY);
	assert_int_equal(move("/a", "/g"), -ENOTDIR);
	assert_int_equal(move("/g", "/a"), -EISDIR);
	assert_int_equal(move("/g", "/h/"), -ENOTDIR);
	assert_int_equal(move("/g", "/a/."), -EBUSY);
	assert_int_equal(move("/proc", "/p"), -EBUSY);
	assert_int_equal(move("/g", "/dev/g"), -EXDEV);
	assert_int_equal(move("/proc/filesystems", "/proc/x"), -EPERM);
	assert_int_equal(unlink_file("/full/x"), 0);
	assert_int_equal(move("/a", "/full/"), 0);
	assert_int_equal(walk_error("/full/b"), 0);
	assert_int_equal(stat_of("/full/b/../..", true).st_ino, view.root->number);
	assert_int_equal(stat_of("/full", true).st_nlink, 3);
	assert_int_equal(stat_of("/", true).st_nlink, 2 + 5);
	files_end();
}

TEST(test_names_move_as_flags_say)
{
	files_begin();
	make_file("/f", "f");
	make_dir("/d");
	make_dir("/d/e");
	assert_int_equal(tree_rename(&view, NULL, "/f", NULL, "/d", RENAME_NOREPLACE), -EEXIST);
	assert_int_equal(tree_rename(&view, NULL, "/f", NULL, "/g", RENAME_NOREPLACE), 0);
	assert_int_equal(tree_rename(&view, NULL, "/g", NULL, "/d/e", RENAME_EXCHANGE), 0);
	assert_content("/d/e", "f");
	assert_int_equal(stat_of("/g", true).st_mode & MODE_TYPE, MODE_DIRECTORY);
	assert_int_equal(stat_of("/d", true).st_nlink, 2);
	assert_int_equal(tree_rename(&view, NULL, "/d/e", NULL, "/d", RENAME_EXCHANGE), -EINVAL);
	assert_int_equal(tree_rename(&view, NULL, "/g", NULL, "/no", RENAME_EXCHANGE), -ENOENT);
	assert_int_equal(tree_rename(&view, NULL, "/g", NULL, "/h", 8), -EINVAL);
	files_end();
}

TEST(test_files_have_several_names)
{
	struct text path = {0};
	struct file *f;

	files_begin();
	make_file("/f", "f");
	make_dir("/d");
	assert_int_equal(hard_link("/f", "/d/g"), 0);
	assert_int_equal(stat_of("/f", true).st_nlink, 2);
	assert_int_equal(stat_of("/f", true).st_ino, stat_of("/d/g", true).st_ino);
	assert_int_equal(hard_link("/f", "/d/g"), -EEXIST);
	assert_int_equal(hard_link("/d", "/e"), -EPERM);
	assert_int_equal(hard_link("/f", "/dev/f"), -EXDEV);
	assert_int_equal(move("/f", "/d/g"), 0); /* both are the same: nothing happens */
	assert_content("/f", "f");
	f = must_open("/f", O_RDONLY);
	assert_int_equal(unlink_file("/d/g"), 0);
	assert_int_equal(file_path(f, view.root, &path), 0);
	assert_string_equal(text_end(&path), "/f");
	text_free(&path);
	file_put(f);
	assert_int_equal(stat_of("/f", true).st_nlink, 1);
	files_end();
}

TEST(test_nodes_of_all_kinds)
{
	files_begin();
	assert_int_equal(tree_mknod(&view, NULL, "/f", MODE_REGULAR | 0666), 0);
	assert_int_equal(tree_mknod(&view, NULL, "/p", MODE_FIFO | 0666), 0);
	assert_int_equal(tree_mknod(&view, NULL, "/c", MODE_CHARACTER | 0666), -EPERM);
	assert_int_equal(tree_mknod(&view, NULL, "/f", MODE_REGULAR | 0666), -EEXIST);
	assert_int_equal(stat_of("/p", true).st_mode, MODE_FIFO | 0644);
	files_end();
}

TEST(test_modes_and_times)
{
	struct inode *inode;

	files_begin();
	make_file("/f", "");
	walk_inode(&view, NULL, "/f", true, &inode);
	assert_int_equal(inode_access(inode, 6), 0);
	assert_int_equal(inode_access(inode, 1), -EACCES);
	assert_int_equal(inode_access(inode, 8), -EINVAL);
	clock_ns[HOST_REALTIME] = 7000000001;
	assert_int_equal(inode_chmod(inode, 04755), 0);
	assert_int_equal(inode_access(inode, 1), 0);
	assert_int_equal(stat_of("/f", true).st_mode, MODE_REGULAR | 04755);
	assert_int_equal(stat_of("/f", true).st_ctime, 7);
	assert_int_equal(stat_of("/f", true).st_ctime_nsec, 1);
	assert_int_equal(stat_of("/f", true).st_mtime, 1);
	inode_set_times(inode, TIME_ACCESS | TIME_MODIFY, 11000000000, 12000000000);
	assert_int_equal(stat_of("/f", true).st_atime, 11);
	assert_int_equal(stat_of("/f", true).st_mtime, 12);
	inode_put(inode);
	walk_inode(&view, NULL, "/proc/filesystems", true, &inode);
	assert_int_equal(inode_chmod(inode, 0777), -EPERM);
	inode_put(inode);
	files_end();
}

TEST(test_file_systems_tell_what_they_are)
{
	struct inode *inode;
	struct statfs fs;

	files_begin();
	inode_statfs(view.root, &fs);
	assert_int_equal(fs.f_type, 0x01021994);
	assert_int_equal(fs.f_blocks, 1000);
	assert_int_equal(fs.f_bfree, 900);
	walk_inode(&view, NULL, "/proc", true, &inode);
	inode_statfs(inode, &fs);
	assert_int_equal(fs.f_type, 0x9fa0);
	inode_put(inode);
	files_end();
}

/* --- Lists --- */

#define MANY 3000

TEST(test_thousands_of_names)
{
	char path[32], *list = malloc(MANY * 8);

	files_begin();
	make_dir("/d");
	for (int i = 0; i < MANY; i++) {
		snprintf(path, sizeof(path), "/d/%d", i);
		make_file(path, "");
	}
	list_names("/d", list, 700);
	assert_true(strncmp(list, ". .. 0 1 2 3 ", 13) == 0);
	assert_non_null(strstr(list, " 2998 2999 "));
	for (int i = 0; i < MANY; i++) {
		snprintf(path, sizeof(path), "/d/%d", (i * 7 + 3) % MANY);
		assert_int_equal(unlink_file(path), 0);
	}
	list_names("/d", list, 700);
	assert_string_equal(list, ". .. ");
	assert_int_equal(remove_dir("/d"), 0);
	free(list);
	files_end();
}

/* As `rm -r` does: removing names while listing skips no name. */
TEST(test_names_go_while_they_are_read)
{
	uint8_t bytes[120];
	unsigned seen = 0;
	struct file *f;
	char path[32];
	long n;

	files_begin();
	make_dir("/d");
	for (int i = 0; i < 100; i++) {
		snprintf(path, sizeof(path), "/d/%d", i);
		make_file(path, "");
	}
	f = must_open("/d", O_RDONLY);
	for (;;) {
		struct io io = io_user((uintptr_t)bytes, sizeof(bytes));

		n = file_readdir(f, &io);
		if (n <= 0)
			break;
		for (long at = 0; at < n; at += *(uint16_t *)(bytes + at + 16)) {
			snprintf(path, sizeof(path), "/d/%s", (char *)bytes + at + 19);
			if (bytes[at + 19] != '.')
				seen += !unlink_file(path);
		}
	}
	assert_int_equal(n, 0);
	assert_int_equal(seen, 100);
	assert_int_equal(remove_dir("/d"), 0);
	file_put(f);
	files_end();
}

TEST(test_lists_refuse)
{
	uint8_t bytes[64];
	struct file *f;
	struct io io;

	files_begin();
	f = must_open("/", O_RDONLY);
	io = io_user((uintptr_t)bytes, 23);
	assert_int_equal(file_readdir(f, &io), -EINVAL);
	io = io_user(BAD_ADDRESS, sizeof(bytes));
	assert_int_equal(file_readdir(f, &io), -EFAULT);
	io = io_user((uintptr_t)bytes, 24);
	assert_int_equal(file_readdir(f, &io), 24);
	assert_int_equal(file_seek(f, 0, SEEK_SET), 0);
	assert_int_equal(file_seek(f, -1, SEEK_SET), -EINVAL);
	assert_int_equal(get(f, (char *)bytes, 1), -EISDIR);
	file_put(f);
	make_file("/f", "");
	f = must_open("/f", O_RDONLY);
	io = io_user((uintptr_t)bytes, sizeof(bytes));
	assert_int_equal(file_readdir(f, &io), -ENOTDIR);
	file_put(f);
	files_end();
}
