// SPDX-License-Identifier: BSD-2-Clause
/* cmd_usb.c - `perf0 usb`: writes the image of a stick to a file or to a device. */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/options/option_scan.h"
#include "tools/stick/disk.h"
#include "tools/stick/gpt.h"
#include "tools/stick/stick_image.h"
#include "tools/util/message.h"
#include "tools/util/outfile.h"
#include "tools/util/status.h"

/* The values on the command line. */
static struct {
	const char *output, *device, *config, *key, *size;
	struct option_list add;
	bool yes;
} options;

static const struct option_target places[] = {
	{OPT_STICK_FILE, &options.output},   {OPT_STICK_WRITE, &options.device},
	{OPT_STICK_YES, &options.yes},       {OPT_STICK_SIZE, &options.size},
	{OPT_STICK_CONFIG, &options.config}, {OPT_STICK_ADD, &options.add},
	{OPT_STICK_SIGN, &options.key},
};

static int store_option(void *ctx, const struct scanned *option, struct reason *why)
{
	(void)ctx;
	return option_store(&OPTION_TARGETS(places), 1, option->id, option->value, why);
}

/* Behind the options stands the certificate of --sign, or nothing. */
static int take_operands(const char **words, const char **cert, struct reason *why)
{
	*cert = options.key ? words[0] : NULL;
	if (options.key && !*cert)
		return refuse(why, EINVAL, "--sign wants a key and a certificate: --sign KEY CERT");
	words += options.key != NULL;
	if (*words)
		return refuse(why, EINVAL, "takes no operand: '%s'", *words);
	if (!options.output && !options.device)
		return refuse(why, EINVAL, "-o FILE or --write DEVICE is needed");
	return 0;
}

/* Reads the size of the disk and rounds it down to the alignment of partitions. */
static int read_size(uint64_t *bytes, struct reason *why)
{
	int err = option_size(options.size, bytes);

	if (err || *bytes < STICK_LEAST || *bytes > STICK_MOST)
		return refuse(why, EINVAL, "--size %s is not 64M to 128G", options.size);
	*bytes &= ~(GPT_ALIGN - 1);
	return 0;
}

__attribute__((format(printf, 1, 2))) static void print_question(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message_progress(format, args);
	va_end(args);
}

static int ask_user(const struct disk *disk, struct reason *why)
{
	char answer[16];

	if (options.yes)
		return 0;
	if (!isatty(STDIN_FILENO))
		return refuse(why, EPERM,
			      "all that is on %s (%s, %" PRIu64 " MB) would be gone; there is no "
			      "terminal to ask, and --yes writes without",
			      disk->path, disk->model, disk->bytes / 1000000);
	print_question("All that is on %s (%s, %" PRIu64 " MB) will be gone. Write? [y/N] ",
		       disk->path, disk->model, disk->bytes / 1000000);
	if (fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y'))
		return 0;
	return refuse(why, ECANCELED, "nothing was written");
}

/* Writes the partition with the table before it, and the backup table at the disk's end. The
 * blocks between them keep their content. */
static int copy_to_disk(const struct disk *disk, int fd, uint64_t part, struct reason *why)
{
	const struct disk_extent extents[] = {{0, GPT_ALIGN + part},
					      {disk->bytes - GPT_TAIL, GPT_TAIL}};

	return disk_write(disk, fd, extents, 2, why);
}

/* Creates an unnamed temporary file with the stick's content, and returns its descriptor. */
static int make_image(const struct stick *stick, uint64_t disk, uint64_t part, struct reason *why)
{
	const char *tmp = getenv("TMPDIR");
	struct buf path = {0};
	struct outfile out;
	int fd, err;

	buf_printf(&path, "%s/perf0-usb", tmp ? tmp : "/tmp");
	err = outfile_begin(&out, buf_text(&path), why);
	if (!err) {
		err = stick_make(stick, buf_text(&out.temporary), disk, part, why);
		fd = err ? -1 : dup(out.file.fd);
		outfile_discard(&out);
		if (!err && fd < 0)
			err = refuse(why, errno, "%s: %s", buf_text(&path), strerror(errno));
	}
	buf_free(&path);
	return err ? err : fd;
}

static int write_disk(const struct stick *stick, uint64_t bytes, struct reason *why)
{
	struct disk disk;
	int fd, err = disk_check(&disk, &disk_world, options.device, why);

	if (!err && disk.bytes < bytes)
		return refuse(why, ENOSPC, "%s has %" PRIu64 " MB, less than --size %s",
			      options.device, disk.bytes / 1000000, options.size);
	if (!err)
		err = ask_user(&disk, why);
	if (err)
		return err;
	fd = make_image(stick, disk.bytes, gpt_part_bytes(bytes), why);
	if (fd < 0)
		return fd;
	err = copy_to_disk(&disk, fd, gpt_part_bytes(bytes), why);
	close(fd);
	if (!err)
		message("perf0 usb: %s is written, and was read back; it can be pulled out",
			disk.path);
	return err;
}

/* Writes the file. On failure the previous file stays. */
static int write_image_file(const struct stick *stick, uint64_t bytes, struct reason *why)
{
	struct outfile out;
	int err = outfile_check(options.output, why);

	if (!err)
		err = outfile_begin(&out, options.output, why);
	if (err)
		return err;
	err = stick_make(stick, buf_text(&out.temporary), bytes, gpt_part_bytes(bytes), why);
	outfile_look(&out);
	err = outfile_end(&out, false, err, why);
	if (!err)
		message("perf0 usb: wrote %s, %" PRIu64 " MiB; `dd if=%s of=/dev/sdX bs=1M "
			"conv=fsync` writes it to a stick",
			options.output, bytes >> 20, options.output);
	return err;
}

static int make_all(const struct stick *stick, uint64_t bytes, struct reason *why)
{
	int err = 0;

	if (options.output)
		err = write_image_file(stick, bytes, why);
	if (!err && options.device)
		err = write_disk(stick, bytes, why);
	return err;
}

/* Reads and checks the command line. */
static int read_options(struct stick *stick, uint64_t *bytes, const char **words,
			struct reason *why)
{
	bool ended;
	int err = scan_options(TAKER_USB, true, words, &ended, store_option, NULL, why);

	*stick = (struct stick){.config = options.config,
				.key = options.key,
				.add = options.add.text,
				.nadd = options.add.n};
	if (!err)
		err = take_operands(words, &stick->cert, why);
	if (!err)
		err = read_size(bytes, why);
	return err ? err : stick_check(stick, why);
}

int cmd_usb(const char **words)
{
	struct stick stick;
	struct reason why;
	uint64_t bytes;
	int status = 0;

	options_defaults(TAKER_USB, &OPTION_TARGETS(places), 1);
	if (read_options(&stick, &bytes, words + 1, &why))
		status = STATUS_USAGE;
	else if (make_all(&stick, bytes, &why))
		status = STATUS_FAILED;
	if (status)
		message("perf0 usb: %s", why.text);
	return status;
}
