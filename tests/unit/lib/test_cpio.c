// SPDX-License-Identifier: BSD-2-Clause
/* test_cpio.c - headers of cpio archives, to the character. */
#include <string.h>

#include "tests/unit/test.h"

#include "lib/format/cpio.h"

TEST(test_header)
{
	const struct cpio_entry entry = {
		.ino = 0x2a, .mode = CPIO_FILE | 0755, .bytes = 0xfedcba98, .name_bytes = 6};
	const char *wanted = "070701"
			     "0000002a" /* ino */
			     "000081ed" /* mode */
			     "00000000" /* uid */
			     "00000000" /* gid */
			     "00000001" /* nlink */
			     "00000000" /* mtime */
			     "fedcba98" /* filesize */
			     "00000000" /* devmajor */
			     "00000000" /* devminor */
			     "00000000" /* rdevmajor */
			     "00000000" /* rdevminor */
			     "00000006" /* namesize */
			     "00000000" /* check */;
	char header[CPIO_HEADER + 1] = {0};

	cpio_header(header, &entry);
	assert_string_equal(header, wanted);
}

TEST(test_names)
{
	for (uint64_t offset = 0; offset < 9000; offset += 4)
		for (size_t length = 1; length < 9; length++) {
			const uint32_t least = cpio_name_bytes(offset, length, CPIO_ALIGN);
			const uint32_t paged = cpio_name_bytes(offset, length, 4096);

			assert_int_equal((offset + CPIO_HEADER + least) % CPIO_ALIGN, 0);
			assert_in_range(least, length + 1, length + CPIO_ALIGN);
			assert_int_equal((offset + CPIO_HEADER + paged) % 4096, 0);
			assert_in_range(paged, length + 1, length + 4096);
		}
	assert_int_equal(cpio_padding(0), 0);
	assert_int_equal(cpio_padding(5), 3);
	assert_int_equal(cpio_padding(UINT64_MAX), 1);
}
