// SPDX-License-Identifier: BSD-2-Clause
/* test_volume.c - a file system of a few files, read back by what FAT's specification says. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tools/guest/volume.h"
#include "tools/util/buf.h"

static uint32_t number_at(int fd, uint64_t at, unsigned bytes)
{
	uint8_t b[4] = {0};

	assert_int_equal(pread(fd, b, bytes, (off_t)at), bytes);
	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* What a reader of FAT goes by. */
struct fat {
	int fd;
	uint32_t cluster_bytes, fat_at, data_at, clusters, root;
};

static struct fat read_fat(int fd)
{
	const uint32_t sector = number_at(fd, 11, 2), reserved = number_at(fd, 14, 2);
	const uint32_t nfats = number_at(fd, 16, 1), fat_sectors = number_at(fd, 36, 4);
	const uint32_t sectors = number_at(fd, 32, 4), per_cluster = number_at(fd, 13, 1);
	const uint32_t before = reserved + nfats * fat_sectors;
	struct stat st;

	assert_int_equal(number_at(fd, 510, 2), 0xaa55);
	assert_int_equal(number_at(fd, 17, 2), 0); /* entries of a root that is no chain */
	assert_int_equal(number_at(fd, 22, 2), 0); /* sectors of a FAT of 16 bits */
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, (uint64_t)sectors * sector);
	return (struct fat){
		.fd = fd,
		.cluster_bytes = per_cluster * sector,
		.fat_at = reserved * sector,
		.data_at = before * sector,
		.clusters = (sectors - before) / per_cluster,
		.root = number_at(fd, 44, 4),
	};
}

static uint64_t place_of(const struct fat *fat, uint32_t cluster)
{
	return fat->data_at + (uint64_t)(cluster - 2) * fat->cluster_bytes;
}

static uint32_t next_of(const struct fat *fat, uint32_t cluster)
{
	assert_in_range(cluster, 2, fat->clusters + 1);
	return number_at(fat->fd, fat->fat_at + (uint64_t)cluster * 4, 4);
}

/* The file by the chain of its clusters. */
static void read_chain(const struct fat *fat, uint64_t entry, struct buf *out)
{
	uint32_t cluster =
		number_at(fat->fd, entry + 20, 2) << 16 | number_at(fat->fd, entry + 26, 2);
	const uint32_t bytes = number_at(fat->fd, entry + 28, 4);

	while (cluster < 0x0ffffff8) {
		void *to = buf_extend(out, fat->cluster_bytes);

		assert_int_equal(
			pread(fat->fd, to, fat->cluster_bytes, (off_t)place_of(fat, cluster)),
			fat->cluster_bytes);
		cluster = next_of(fat, cluster);
	}
	assert_in_range(bytes, out->size - fat->cluster_bytes + 1, out->size);
	out->size = bytes;
}

static int file_of(size_t bytes, unsigned seed)
{
	const int fd = memfd_create("file", 0);
	struct buf content = {0};
	uint8_t *b = buf_extend(&content, bytes);

	for (size_t i = 0; i < bytes; i++)
		b[i] = (uint8_t)(i * 7 + i / 251 + seed);
	assert_int_equal(write(fd, b, bytes), bytes);
	buf_free(&content);
	return fd;
}

static void expect_file(const struct fat *fat, unsigned number, const char *name, int fd)
{
	const uint64_t entry = place_of(fat, fat->root) + number * 32;
	struct buf is = {0}, wanted = {0};
	char found[12] = {0};
	struct stat st;

	assert_int_equal(pread(fat->fd, found, 11, (off_t)entry), 11);
	assert_string_equal(found, name);
	assert_int_equal(fstat(fd, &st), 0);
	read_chain(fat, entry, &is);
	assert_int_equal(is.size, st.st_size);
	assert_int_equal(pread(fd, buf_extend(&wanted, is.size), is.size, 0), st.st_size);
	assert_memory_equal(is.data, wanted.data, is.size);
	buf_free(&is);
	buf_free(&wanted);
}

static void test_files(void **state)
{
	static const size_t sizes[][2] = {
		{1, 1}, {4096, 4097}, {4095, 12288}, {8 << 20, 33 << 20}, {3, 300 << 20}};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct volume_file files[] = {{"GUEST   EFI", file_of(sizes[i][0], 1), "a"},
						    {"INITRD  IMG", file_of(sizes[i][1], 2), "b"}};
		struct reason why;
		const int fd = volume_make(files, 2, &why);
		struct fat fat;

		assert_true(fd >= 0);
		fat = read_fat(fd);
		assert_true(fat.clusters >= 65525); /* fewer are FAT16 */
		assert_int_equal(next_of(&fat, fat.root), 0x0fffffff);
		expect_file(&fat, 0, "GUEST   EFI", files[0].fd);
		expect_file(&fat, 1, "INITRD  IMG", files[1].fd);
		assert_int_equal(number_at(fd, place_of(&fat, fat.root) + 64, 1), 0);
		close(files[0].fd);
		close(files[1].fd);
		close(fd);
	}
}

static void test_bad_files(void **state)
{
	struct volume_file file = {"GUEST   EFI", memfd_create("empty", 0), "this.efi"};
	struct reason why;

	(void)state;
	assert_int_equal(volume_make(&file, 1, &why), -EFBIG);
	assert_string_equal(why.text, "this.efi: it has no bytes");
	assert_int_equal(ftruncate(file.fd, 5ll << 30), 0);
	assert_int_equal(volume_make(&file, 1, &why), -EFBIG);
	assert_string_equal(why.text, "this.efi: it has more than 4 GiB");
	close(file.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_bad_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
