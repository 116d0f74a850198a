// SPDX-License-Identifier: BSD-2-Clause
/*
 * volume.c - see volume.h. Microsoft FAT Specification, "Boot Sector and BPB", "FAT Data
 * Structure", "Directory Structure": numbers are little-endian. The root directory is the first
 * cluster of data, and the files follow each other behind it. What is zero is never written, so
 * the file in memory takes what the files take.
 */
#include "tools/guest/volume.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTOR           512u
#define CLUSTER_SECTORS  8u
#define CLUSTER          (SECTOR * CLUSTER_SECTORS)
#define RESERVED_SECTORS 32u
#define ENTRY_BYTES      4u
#define FIRST_CLUSTER    2u
#define ROOT             FIRST_CLUSTER
#define LEAST_CLUSTERS   65600u     /* with fewer it would be FAT16 */
#define MOST_BYTES       UINT32_MAX /* of a file */
#define END_OF_CHAIN     0x0fffffffu
#define MEDIA_FIXED      0xf8u
#define FAT_ZERO         (0x0fffff00u | MEDIA_FIXED)
#define NAME_BYTES       11u
#define DIR_ENTRY        32u
#define ATTR_READ_ONLY   1u

struct volume {
	int fd;
	uint32_t clusters, fat_sectors;
	struct reason *why;
};

static void put_le(uint8_t *to, uint32_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t clusters_of(uint64_t bytes)
{
	return (uint32_t)((bytes + CLUSTER - 1) / CLUSTER);
}

static uint64_t place_of_cluster(const struct volume *v, uint32_t cluster)
{
	return (uint64_t)(RESERVED_SECTORS + v->fat_sectors) * SECTOR +
	       (uint64_t)(cluster - FIRST_CLUSTER) * CLUSTER;
}

static int put_bytes(const struct volume *v, const void *bytes, size_t n, uint64_t at)
{
	if (pwrite(v->fd, bytes, n, (off_t)at) == (ssize_t)n)
		return 0;
	return refuse(v->why, EIO, "the guest's disk can not be made: %s", strerror(errno));
}

static int put_boot_sector(const struct volume *v)
{
	static const uint8_t begin[] = {0xeb, 0x58, 0x90, 'P', 'E', 'R', 'F', '0', ' ', ' ', ' '};
	uint8_t b[SECTOR] = {0};

	memcpy(b, begin, sizeof(begin));
	put_le(b + 11, SECTOR, 2);
	b[13] = CLUSTER_SECTORS;
	put_le(b + 14, RESERVED_SECTORS, 2);
	b[16] = 1; /* FATs */
	b[21] = MEDIA_FIXED;
	put_le(b + 24, 63, 2);  /* sectors per track */
	put_le(b + 26, 255, 2); /* heads */
	put_le(b + 32, RESERVED_SECTORS + v->fat_sectors + v->clusters * CLUSTER_SECTORS, 4);
	put_le(b + 36, v->fat_sectors, 4);
	put_le(b + 44, ROOT, 4);
	b[64] = 0x80;                  /* drive */
	b[66] = 0x29;                  /* there is a serial number, a label and a type */
	put_le(b + 67, 0x50455246, 4); /* a number that is always the same */
	memcpy(b + 71, "PERF0      FAT32   ", 19);
	put_le(b + 510, 0xaa55, 2);
	return put_bytes(v, b, sizeof(b), 0);
}

static int put_fat_entry(const struct volume *v, uint32_t cluster, uint32_t value)
{
	uint8_t entry[ENTRY_BYTES];

	put_le(entry, value, ENTRY_BYTES);
	return put_bytes(v, entry, sizeof(entry),
			 RESERVED_SECTORS * SECTOR + (uint64_t)cluster * ENTRY_BYTES);
}

static int put_chain(const struct volume *v, uint32_t first, uint32_t n)
{
	uint8_t piece[1024 * ENTRY_BYTES];
	int err = 0;

	for (uint32_t done = 0; done < n && !err;) {
		uint32_t i;

		for (i = 0; i < 1024 && done + i < n; i++)
			put_le(piece + i * ENTRY_BYTES,
			       done + i + 1 < n ? first + done + i + 1 : END_OF_CHAIN, ENTRY_BYTES);
		err = put_bytes(v, piece, i * ENTRY_BYTES,
				RESERVED_SECTORS * SECTOR + (uint64_t)(first + done) * ENTRY_BYTES);
		done += i;
	}
	return err;
}

static int copy_content(const struct volume *v, const struct volume_file *file, uint64_t bytes,
			uint64_t at)
{
	off_t from = 0;

	if (lseek(v->fd, (off_t)at, SEEK_SET) < 0)
		return refuse(v->why, errno, "the guest's disk: %s", strerror(errno));
	while (bytes) {
		const ssize_t n = sendfile(v->fd, file->fd, &from, bytes);

		if (n <= 0)
			return refuse(v->why, EIO, "%s: %s", file->path,
				      n ? strerror(errno) : "it became shorter while it was read");
		bytes -= (uint64_t)n;
	}
	return 0;
}

static int put_file(const struct volume *v, const struct volume_file *file, unsigned number,
		    uint32_t first, uint64_t bytes)
{
	uint8_t entry[DIR_ENTRY] = {0};
	int err;

	memcpy(entry, file->name, NAME_BYTES);
	entry[11] = ATTR_READ_ONLY;
	put_le(entry + 20, first >> 16, 2);
	put_le(entry + 26, first & 0xffff, 2);
	put_le(entry + 28, (uint32_t)bytes, 4);
	err = put_bytes(v, entry, sizeof(entry), place_of_cluster(v, ROOT) + number * DIR_ENTRY);
	if (!err)
		err = put_chain(v, first, clusters_of(bytes));
	return err ? err : copy_content(v, file, bytes, place_of_cluster(v, first));
}

static int fill_volume(struct volume *v, const struct volume_file *files, size_t n,
		       const uint64_t *bytes)
{
	uint32_t first = ROOT + 1;
	int err = ftruncate(v->fd, (off_t)place_of_cluster(v, FIRST_CLUSTER + v->clusters));

	if (err)
		return refuse(v->why, errno, "the guest's disk: %s", strerror(errno));
	err = put_boot_sector(v);
	if (!err)
		err = put_fat_entry(v, 0, FAT_ZERO);
	if (!err)
		err = put_fat_entry(v, 1, END_OF_CHAIN);
	if (!err)
		err = put_fat_entry(v, ROOT, END_OF_CHAIN);
	for (size_t i = 0; i < n && !err; i++) {
		err = put_file(v, &files[i], (unsigned)i, first, bytes[i]);
		first += clusters_of(bytes[i]);
	}
	return err;
}

/* Of each file, which is not empty. */
static int take_sizes(const struct volume_file *files, size_t n, uint64_t *bytes,
		      uint64_t *clusters, struct reason *why)
{
	struct stat st;

	for (size_t i = 0; i < n; i++) {
		if (fstat(files[i].fd, &st))
			return refuse(why, errno, "%s: %s", files[i].path, strerror(errno));
		if (st.st_size <= 0 || (uint64_t)st.st_size > MOST_BYTES)
			return refuse(why, EFBIG, "%s: it has %s", files[i].path,
				      st.st_size ? "more than 4 GiB" : "no bytes");
		bytes[i] = (uint64_t)st.st_size;
		*clusters += clusters_of(bytes[i]);
	}
	return 0;
}

int volume_make(const struct volume_file *files, size_t n, struct reason *why)
{
	uint64_t bytes[CLUSTER / DIR_ENTRY], clusters = 1;
	struct volume v = {.why = why};
	int err = take_sizes(files, n, bytes, &clusters, why);

	if (err)
		return err;
	v.clusters = clusters < LEAST_CLUSTERS ? LEAST_CLUSTERS : (uint32_t)clusters;
	v.fat_sectors = ((v.clusters + FIRST_CLUSTER) * ENTRY_BYTES + SECTOR - 1) / SECTOR;
	v.fd = memfd_create("perf0-guest", 0);
	if (v.fd < 0)
		return refuse(why, errno, "the guest's disk can not be made: %s", strerror(errno));
	err = fill_volume(&v, files, n, bytes);
	if (!err)
		return v.fd;
	close(v.fd);
	return err;
}
