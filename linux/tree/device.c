// SPDX-License-Identifier: BSD-2-Clause
/* device.c - see device.h: one row for each device. */
#include "linux/tree/device.h"

#include "lib/string.h"
#include "linux/file/file_host.h"
#include "linux/tree/tree.h"

#define PIECE 512

/* A device, and its operations on memory of ring 0. */
struct device {
	const char *name;
	uint16_t major, minor;
	long (*fill)(void *to, size_t n); /* read(2): fills `to`; 0: the end. NULL: -EBADF */
	long (*take)(const void *from, size_t n); /* write(2): takes `from`. NULL: -EBADF */
	bool is_mappable;                         /* a mapping reads as zeros */
};

static long fill_nothing(void *to, size_t n)
{
	(void)to, (void)n;
	return 0;
}

static long fill_zeros(void *to, size_t n)
{
	memset(to, 0, n);
	return (long)n;
}

static long fill_random(void *to, size_t n)
{
	file_host.random(to, n);
	return (long)n;
}

static long discard_write(const void *from, size_t n)
{
	(void)from;
	return (long)n;
}

static long take_none(const void *from, size_t n)
{
	(void)from, (void)n;
	return -ENOSPC;
}

static long print_output(const void *from, size_t n)
{
	file_host.print(1, from, n);
	return (long)n;
}

static long print_errors(const void *from, size_t n)
{
	file_host.print(2, from, n);
	return (long)n;
}

/* Linux's numbers: Documentation/admin-guide/devices.txt. */
static const struct device devices[] = {
	{"null", 1, 3, fill_nothing, discard_write, false},
	{"zero", 1, 5, fill_zeros, discard_write, true},
	{"full", 1, 7, fill_zeros, take_none, false},
	{"random", 1, 8, fill_random, discard_write, false},
	{"urandom", 1, 9, fill_random, discard_write, false},
	{"tty", 5, 0, fill_nothing, print_output, false},
};
#define NDEVICES (sizeof(devices) / sizeof(*devices))

static const struct {
	const char *name, *target;
} links[] = {
	{"fd", "/proc/self/fd"},
	{"stdin", "/proc/self/fd/0"},
	{"stdout", "/proc/self/fd/1"},
	{"stderr", "/proc/self/fd/2"},
};
#define NLINKS (sizeof(links) / sizeof(*links))

/* --- As files --- */

static const struct device *device_of(const struct file *f)
{
	return f->private;
}

static long device_read(struct file *f, struct io *io, const uint64_t *at)
{
	uint8_t piece[PIECE];
	long done = 0, n = 1;

	(void)at;
	while (io->left && n > 0) {
		n = device_of(f)->fill(piece, io->left < PIECE ? io->left : PIECE);
		if (n > 0 && io_to_user(io, piece, (size_t)n))
			n = -EFAULT;
		done += n > 0 ? n : 0;
	}
	return done ? done : n < 0 ? n : 0;
}

static long device_write(struct file *f, struct io *io, const uint64_t *at)
{
	uint8_t piece[PIECE];
	long done = 0, n = 0;

	(void)at;
	while (io->left && n >= 0) {
		const size_t part = io->left < PIECE ? io->left : PIECE;

		n = io_from_user(io, piece, part) ? -EFAULT : device_of(f)->take(piece, part);
		done += n > 0 ? n : 0;
	}
	return done ? done : n;
}

static int64_t device_seek(struct file *f, int64_t offset, int whence)
{
	(void)f, (void)offset, (void)whence;
	return 0;
}

/* Page of a private mapping, which no other program sees. */
static int device_page(struct file *f, uint64_t index, bool own, void **page)
{
	(void)f, (void)index;
	*page = NULL;
	return own ? -ENODEV : 0;
}

static const struct file_ops mappable_ops = {
	.page = device_page,
	.read = device_read,
	.write = device_write,
	.seek = device_seek,
};

static const struct file_ops device_ops = {
	.read = device_read,
	.write = device_write,
	.seek = device_seek,
};

static int device_open(struct file *f)
{
	f->private = (void *)f->inode->device_row;
	f->ops = device_of(f)->is_mappable ? &mappable_ops : &device_ops;
	return 0;
}

static const struct inode_ops device_inode_ops = {.open = device_open};

/* The device number in the form of stat(2), for numbers below 256. */
static uint32_t device_number(const struct device *device)
{
	return (uint32_t)device->major << 8 | device->minor;
}

static struct inode *device_inode(const struct device *device)
{
	struct inode *inode = inode_new(&device_inode_ops, MODE_CHARACTER | 0666, DEVICE_DEV);

	if (!inode)
		return NULL;
	inode->rdev = device_number(device);
	inode->device_row = device;
	return inode;
}

static int place_new(struct inode *dir, const char *name, struct inode *inode)
{
	int error;

	if (!inode)
		return -ENOMEM;
	inode->device = DEVICE_DEV;
	error = tree_place(dir, name, (unsigned)strlen(name), inode);
	if (error)
		inode_put(inode);
	return error;
}

int device_fill(struct inode *dev)
{
	int error = place_new(dev, "shm", directory_new(01777, DEVICE_DEV));

	for (unsigned i = 0; !error && i < NDEVICES; i++)
		error = place_new(dev, devices[i].name, device_inode(&devices[i]));
	for (unsigned i = 0; !error && i < NLINKS; i++)
		error = place_new(dev, links[i].name, symlink_new(links[i].target));
	return error;
}

int device_null(unsigned flags, struct file **out)
{
	struct inode *inode = device_inode(&devices[0]);
	const int error = inode ? file_open_inode(inode, flags, out) : -ENOMEM;

	inode_put(inode);
	return error;
}

/* --- Standard output and error --- */

static const struct device outputs[] = {
	{"stdout", 0, 0, NULL, print_output, false},
	{"stderr", 0, 0, NULL, print_errors, false},
};

static const struct file_ops output_ops = {.is_stream = true, .write = device_write};

/* The output is a stream, as a pipe to the host tool would be. */
static int output_open(struct file *f)
{
	f->ops = &output_ops;
	f->private = (void *)f->inode->device_row;
	return 0;
}

static const struct inode_ops output_inode_ops = {.open = output_open};

int device_output(unsigned which, struct file **out)
{
	struct inode *inode = inode_new(&output_inode_ops, MODE_FIFO | 0600, DEVICE_PIPES);
	int error;

	if (!inode)
		return -ENOMEM;
	inode->device_row = &outputs[which - 1];
	error = file_open_inode(inode, O_WRONLY, out);
	inode_put(inode);
	return error;
}
