// SPDX-License-Identifier: BSD-2-Clause
/* run_files.c - see run_files.h. */
#include "linux/task/run_files.h"

#include "arch/x86/dev/shared_areas.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "lib/string.h"
#include "rt/clock/alarm.h"
#include "rt/print/print.h"
#include "linux/tree/device.h"
#include "linux/file/fd_table.h"
#include "linux/file/file_host.h"
#include "linux/file/hostin.h"
#include "linux/file/regular.h"
#include "linux/tree/tree.h"
#include "rt/base/heap.h"
#include "linux/program/random.h"
#include "rt/clock/times.h"
#include "linux/program/exec.h"
#include "linux/program/program_pack.h"
#include "linux/task/process.h"
#include "linux/task/sched.h"
#include "rt/wire/wire.h"

#include <linux/errno.h>

/* --- Standard input, output, error --- */

/* Standard input of the program, with a reference. */
static struct file *input_file;

/* Opens an unnamed file with the content that the pack has for it. */
static int open_packed_input(struct file **out)
{
	const struct pack_note note = pack_stdin();
	struct file *writer;
	struct io io = io_kernel(note.bytes, note.size);
	int err;

	err = memfd_open("stdin", 0, &writer);
	if (err)
		return err;
	if (file_write(writer, &io) != (long)note.size)
		err = -ENOMEM;
	else
		err = file_open_inode(writer->inode, O_RDONLY, out);
	file_put(writer);
	return err;
}

static void forget_input(void)
{
	if (input_file)
		file_put(input_file);
	input_file = NULL;
}

static int open_input(struct file **out)
{
	uint32_t ignored;
	int err;

	if (pack_asks_for_input() && shared_area(SHARED_IN, &ignored))
		return hostin_open(out);
	if (!pack_stdin().size)
		return device_null(O_RDONLY, out);
	err = open_packed_input(out);
	if (!err) {
		forget_input();
		input_file = file_get(*out);
	}
	return err;
}

void run_files_end(void)
{
	if (input_file)
		wire_input(input_file->offset, 0);
	forget_input();
}

static int open_standard(struct fd_table *files, int fd)
{
	struct file *f;
	int err = fd ? device_output((unsigned)fd, &f) : open_input(&f);

	if (err)
		return err;
	err = fd_install(files, f, fd, false);
	if (err < 0)
		file_put(f);
	return err < 0 ? err : 0;
}

const char *run_files_open(struct process *p, struct inode *root)
{
	struct fd_table *files = fd_table_new();
	struct inode *cwd = pack_folder(root);
	int err = files ? 0 : -ENOMEM;

	for (int fd = 0; fd < 3 && !err; fd++)
		err = open_standard(files, fd);
	if (err) {
		if (files)
			fd_table_put(files);
	} else {
		process_set_files(p, files, root, cwd);
	}
	inode_put(cwd);
	random_start(pack_seed());
	return err ? "there is no memory for its files" : NULL;
}

static int place_image(struct inode *root)
{
	const struct tree_view view = {root, root, 0};
	struct inode *image = NULL, *folder;
	int err = tree_mkdir(&view, NULL, RUN_IMAGE_FOLDER, 0755);

	if (!err)
		image = exec_image_inode();
	if (!image)
		return err ? err : -ENOMEM;
	err = walk_inode(&view, NULL, RUN_IMAGE_FOLDER, true, &folder);
	if (!err) {
		err = tree_place(folder, RUN_IMAGE_NAME, strlen(RUN_IMAGE_NAME), image);
		inode_put(folder);
	}
	if (err)
		inode_put(image);
	return err;
}

struct inode *run_tree_of_builtins(void)
{
	static struct inode *tree;

	if (tree)
		return tree;
	tree = tree_create();
	if (tree && place_image(tree)) {
		tree_destroy(tree);
		tree = NULL;
	}
	return tree;
}

struct inode *run_image_inode(void)
{
	struct inode *root = run_tree_of_builtins(), *image;
	const struct tree_view view = {root, root, 0};

	return root && !walk_inode(&view, NULL, RUN_IMAGE_PATH, true, &image) ? image : NULL;
}

/* --- Hooks of linux/file --- */

struct wanted_input {
	uint64_t at;
	uint32_t bytes;
};

/* Runs on the boot CPU, which sends all frames. The machine stands still during the write to the
 * port. */
static void ask_for_input(void *arg)
{
	const struct wanted_input *wanted = arg;

	wire_input(wanted->at, wanted->bytes);
	outb(SHARED_STOP_PORT, SHARED_STOP_VALUE);
}

static long read_host_input(uint64_t at, uint32_t n, const void **bytes)
{
	uint32_t area_bytes;
	volatile struct shared_input *answer = shared_area(SHARED_IN, &area_bytes);
	struct wanted_input wanted = {at, n};

	_Static_assert(SHARED_PAGE + HOST_INPUT_MOST <= SHARED_IN_BYTES, "it finds room");
	answer->bytes = -EINTR;
	smp_call(0, ask_for_input, &wanted);
	*bytes = (const uint8_t *)answer + SHARED_PAGE;
	return answer->bytes;
}

static uint64_t now(enum host_clock clock)
{
	return times_monotonic() + (clock == HOST_REALTIME ? times_real_offset() : 0);
}

static void count_memory(uint64_t *pages, uint64_t *free)
{
	*pages = page_total_count();
	*free = page_free_count() > page_reserve_count() ? page_free_count() - page_reserve_count()
							 : 0;
}

static void print_output(unsigned which, const void *bytes, size_t n)
{
	out_program(which, bytes, n);
}

static void unmap_pages(const struct inode *inode, uint64_t first, uint64_t end, const void *page)
{
	mm_unmap_content(inode, first, end, page);
}

/* A timer of a file; it exists while it is armed. */
struct armed {
	struct alarm alarm;
	struct host_timer *of;
};

static void run_armed_timer(struct alarm *alarm)
{
	struct armed *armed = (struct armed *)alarm;

	armed->of->fn(armed->of);
}

/* Two CPUs may ask for the timer at once. */
static struct armed *armed_of(struct host_timer *timer)
{
	void *other = NULL;
	struct armed *armed = timer->private;

	if (armed)
		return armed;
	armed = heap_alloc(sizeof(*armed));
	if (!armed)
		return NULL;
	*armed = (struct armed){.alarm = {.fn = run_armed_timer}, .of = timer};
	if (__atomic_compare_exchange_n(&timer->private, &other, armed, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return armed;
	heap_free(armed);
	return other;
}

static void arm_timer(struct host_timer *timer, uint64_t deadline)
{
	struct armed *armed = armed_of(timer);

	if (armed)
		alarm_set(&armed->alarm, times_to_clock(deadline));
}

static void cancel_timer(struct host_timer *timer)
{
	struct armed *armed = timer->private;

	if (!armed)
		return;
	alarm_cancel(&armed->alarm);
	heap_free(armed);
	timer->private = NULL;
}

static void own_credentials(struct host_owner *owner)
{
	const struct task *t = sched_current();
	const struct process *p = t ? t->process : NULL;

	*owner = (struct host_owner){0};
	if (p)
		*owner = (struct host_owner){(int32_t)p->pid, p->credentials.user.file,
					     p->credentials.group.file};
}

void run_files_init(void)
{
	file_host = (struct file_host){
		.now = now,
		.owner = own_credentials,
		.random = random_bytes,
		.memory = count_memory,
		.print = print_output,
		.input = read_host_input,
		.unmap = unmap_pages,
		.timer_arm = arm_timer,
		.timer_cancel = cancel_timer,
		.signal_pending = signal_file_pending,
		.signal_queue = signal_file_queue,
		.signal_take = signal_file_take,
	};
	run_tree_of_builtins(); /* the tree is never freed, so it is allocated at start-up rather
				   than during a command */
}
