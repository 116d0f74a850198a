// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_cache.c - any bytes as a saved machine. If the first byte is odd, the header gets a right
 * MAC, so that the fuzzer reaches the code after that check. An accepted file has the right key and
 * a state within the file; a damaged file is removed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/saved/cache.h"

#define KEY      "a machine\nof the fuzzer\n"
#define HEAD     96 /* bytes of the header; its MAC is the last of them */
#define HEAD_MAC (HEAD - TRUST_BYTES)
#define MOST     (1 << 14)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char home[] = "/tmp/perf0-fuzz-XXXXXX";
static char path[256];
static struct trust_key trust;

static void remove_home(void)
{
	char folder[64];

	unlink(path);
	snprintf(folder, sizeof(folder), "%s/perf0", home);
	rmdir(folder);
	rmdir(home);
}

static void make_home(void)
{
	char digits[CACHE_KEY_MAX];
	struct reason why;

	if (!mkdtemp(home) || setenv("XDG_CACHE_HOME", home, 1) ||
	    setenv(TRUST_KEY_VARIABLE, "a key for the fuzzer", 1) || trust_find_key(&trust, &why))
		abort();
	cache_key(digits, KEY);
	snprintf(path, sizeof(path), "%s/perf0", home);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/perf0/%s.machine", home, digits);
	atexit(remove_home);
}

/* Puts the MAC of header, key and text into the header, if the file has all of them. */
static void sign(uint8_t *file, size_t size)
{
	uint32_t bytes[2];
	struct trust_mac mac;
	uint64_t covered;

	memcpy(bytes, file + 16, sizeof(bytes));
	covered = (uint64_t)bytes[0] + bytes[1];
	if (covered > size - HEAD)
		return;
	memmove(file + HEAD_MAC, file + HEAD, covered);
	trust_sum(&mac, &trust, file, HEAD_MAC + covered);
	memmove(file + HEAD, file + HEAD_MAC, covered);
	memcpy(file + HEAD_MAC, mac.bytes, sizeof(mac.bytes));
}

static void write_machine(const uint8_t *bytes, size_t size)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	close(fd);
}

static void open_machine(size_t size)
{
	struct cache_file file;
	struct reason why = {""};
	const int err = cache_open(&file, KEY, &why);

	if (err) {
		if (!why.text[0] || (err == -EBADMSG && !access(path, F_OK)))
			abort();
		return;
	}
	if (file.state_at + file.state_bytes != size || file.said.size > size)
		abort();
	cache_read(&file);
	cache_close(&file);
}

static void list_machines(void)
{
	struct cache_entries entries;
	struct reason why;

	if (cache_list(&entries, &why))
		abort();
	free(entries.entry);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t machine[MOST];

	if (!path[0])
		make_home();
	if (size < 1 || size > MOST)
		return 0;
	memcpy(machine, data + 1, size - 1);
	if (data[0] & 1 && size > HEAD)
		sign(machine, size - 1);
	write_machine(machine, size - 1);
	list_machines();
	open_machine(size - 1);
	return 0;
}
