// SPDX-License-Identifier: BSD-2-Clause
/* proc_memory.c - maps, smaps and sizes of a process's memory. */
#include "linux/proc/proc_parts.h"

#include "lib/printf.h"
#include "linux/file/file.h"
#include "linux/tree/proc_text.h"

#include <linux/mman.h>

static const char *area_name(const struct area *a)
{
	if (a->from && a->from->path)
		return a->from->path;
	return a->flags & AREA_STACK ? "[stack]" : a->flags & AREA_HEAP ? "[heap]" : "";
}

static void write_area(const struct area *a, struct text *text)
{
	const struct proc_area line = {
		.start = a->start,
		.end = a->end,
		.offset = a->from ? a->offset : 0,
		.inode = a->from ? a->from->inode : 0,
		.device = a->from ? a->from->device : 0,
		.prot = a->prot,
		.shared = a->flags & AREA_SHARED,
		.name = area_name(a),
	};

	proc_text_area(text, &line);
}

/* --- Pages --- */

/* Accessed and dirty bits are not used: each page without a file counts as written to. */
struct counted {
	const struct area *area;
	uint64_t all, shared, anonymous, large;
	uint64_t parts; /* sum of shares: each page counts 4096 divided by its holders */
};

/* The file itself holds a reference to its pages. */
static bool is_of_file(const struct counted *c, unsigned holders)
{
	return c->area->from && (c->area->flags & AREA_SHARED || holders != 1);
}

static void count_page(uint64_t pte, void *arg)
{
	struct counted *c = arg;
	const unsigned holders = page_maps(pte & PTE_ADDRESS);
	const bool of_file = is_of_file(c, holders);
	const unsigned mappings = of_file && holders > 1 ? holders - 1 : holders;

	c->all++;
	c->large += pte & PTE_LARGE ? 1 : 0;
	c->anonymous += !of_file;
	c->shared += mappings != 1;
	c->parts += PAGE_SIZE / (mappings ? mappings : 1);
}

static struct counted count_pages(struct mm *mm, const struct area *a)
{
	struct counted c = {.area = a};

	space_each(&mm->space, a->start, (a->end - a->start) / PAGE_SIZE, count_page, &c);
	return c;
}

/* --- Sizes --- */

struct measuring {
	struct mm *mm;
	struct proc_memory sum;
};

static bool is_private_data(const struct area *a)
{
	return a->prot & PROT_WRITE && !(a->flags & (AREA_SHARED | AREA_STACK));
}

static void measure_code(const struct area *a, struct measuring *m)
{
	const uint64_t bytes = a->end - a->start;

	if (a->from != m->mm->exe) {
		m->sum.libraries += bytes;
		return;
	}
	m->sum.code += bytes;
	m->sum.code_start = m->sum.code_start ? m->sum.code_start : a->start;
	m->sum.code_end = a->end;
}

static void measure_area(const struct area *a, void *arg)
{
	struct measuring *m = arg;
	const uint64_t bytes = a->end - a->start;
	const struct counted pages = count_pages(m->mm, a);

	m->sum.all += bytes;
	m->sum.locked += a->flags & AREA_LOCKED ? bytes : 0;
	if (is_private_data(a))
		m->sum.data += bytes;
	if (a->flags & AREA_STACK)
		m->sum.stack += bytes;
	if (a->from && a->prot & PROT_EXEC)
		measure_code(a, m);
	m->sum.resident += pages.all * PAGE_SIZE;
	if (a->flags & AREA_SHARED)
		m->sum.resident_shared += a->from && a->from->path ? 0 : pages.all * PAGE_SIZE;
	m->sum.resident_of_files += (pages.all - pages.anonymous) * PAGE_SIZE;
}

struct proc_memory proc_measure(struct mm *mm)
{
	struct measuring m = {.mm = mm};

	if (!mm)
		return m.sum;
	mm_each(mm, measure_area, &m);
	m.sum.most = mm->areas.bytes_most;
	m.sum.resident_most = mm->resident_most * PAGE_SIZE;
	return m.sum;
}

/* --- Files --- */

static void write_maps_line(const struct area *a, void *text)
{
	write_area(a, text);
}

static int write_maps(const uint64_t *id, struct text *text)
{
	struct proc_seen s;
	int err = proc_see(id, false, &s);

	if (err)
		return err;
	if (s.mm)
		mm_each(s.mm, write_maps_line, text);
	proc_unsee(&s);
	return 0;
}

static void write_kib(struct text *text, const char *name, uint64_t bytes)
{
	char label[32];

	fmt_print(label, sizeof(label), "%s:", name);
	text_print(text, "%-16s %11llu kB\n", label, (unsigned long long)bytes / 1024);
}

static void write_flags(struct text *text, const struct area *a)
{
	static const struct {
		unsigned prot, area;
		const char *name;
	} flags[] = {
		{PROT_READ, 0, "rd"},  {PROT_WRITE, 0, "wr"},
		{PROT_EXEC, 0, "ex"},  {0, AREA_SHARED, "sh"},
		{0, 0, "mr"},          {0, 0, "mw"},
		{0, 0, "me"},          {0, AREA_SHARED, "ms"},
		{0, AREA_STACK, "gd"}, {0, AREA_UNCOPIED, "dc"},
		{0, AREA_LARGE, "hg"}, {0, AREA_SMALL, "nh"},
	};

	text_print(text, "VmFlags:");
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if ((a->prot & flags[i].prot) == flags[i].prot &&
		    (a->flags & flags[i].area) == flags[i].area)
			text_print(text, " %s", flags[i].name);
	text_print(text, " \n");
}

struct smaps {
	struct mm *mm;
	struct text *text;
};

static void write_smaps_area(const struct area *a, void *arg)
{
	const struct smaps *smaps = arg;
	const struct counted c = count_pages(smaps->mm, a);
	const bool files = a->from != NULL;
	const uint64_t alone = c.all - c.shared;
	struct text *text = smaps->text;

	write_area(a, text);
	write_kib(text, "Size", a->end - a->start);
	write_kib(text, "KernelPageSize", PAGE_SIZE);
	write_kib(text, "MMUPageSize", PAGE_SIZE);
	write_kib(text, "Rss", c.all * PAGE_SIZE);
	write_kib(text, "Pss", c.parts);
	write_kib(text, "Shared_Clean", files ? c.shared * PAGE_SIZE : 0);
	write_kib(text, "Shared_Dirty", files ? 0 : c.shared * PAGE_SIZE);
	write_kib(text, "Private_Clean",
		  files && alone > c.anonymous ? (alone - c.anonymous) * PAGE_SIZE : 0);
	write_kib(text, "Private_Dirty", (files ? c.anonymous : alone) * PAGE_SIZE);
	write_kib(text, "Referenced", c.all * PAGE_SIZE);
	write_kib(text, "Anonymous", c.anonymous * PAGE_SIZE);
	write_kib(text, "LazyFree", 0);
	write_kib(text, "AnonHugePages", c.large * PAGE_SIZE);
	write_kib(text, "ShmemPmdMapped", 0);
	write_kib(text, "FilePmdMapped", 0);
	write_kib(text, "Shared_Hugetlb", 0);
	write_kib(text, "Private_Hugetlb", 0);
	write_kib(text, "Swap", 0);
	write_kib(text, "SwapPss", 0);
	write_kib(text, "Locked", 0);
	text_print(text, "THPeligible:    %d\n", mm_may_have_large(smaps->mm, a));
	write_flags(text, a);
}

static int write_smaps(const uint64_t *id, struct text *text)
{
	struct proc_seen s;
	int err = proc_see(id, false, &s);

	if (err)
		return err;
	if (s.mm)
		mm_each(s.mm, write_smaps_area, &(struct smaps){s.mm, text});
	proc_unsee(&s);
	return 0;
}

static int write_statm(const uint64_t *id, struct text *text)
{
	struct proc_memory m;
	struct proc_seen s;
	int err = proc_see(id, false, &s);

	if (err)
		return err;
	m = proc_measure(s.mm);
	text_print(text, "%llu %llu %llu %llu 0 %llu 0\n", (unsigned long long)(m.all / PAGE_SIZE),
		   (unsigned long long)(m.resident / PAGE_SIZE),
		   (unsigned long long)(m.resident_of_files / PAGE_SIZE),
		   (unsigned long long)(m.code / PAGE_SIZE),
		   (unsigned long long)((m.data + m.stack) / PAGE_SIZE));
	proc_unsee(&s);
	return 0;
}

/* --- mem: the memory itself, at the address that is the position --- */

#define PIECE 512

/* A process without memory reads as empty. */
static struct mm *memory_of(const struct file *f)
{
	struct proc_seen s;
	struct mm *mm;

	if (proc_see(f->inode->synth.id, false, &s))
		return NULL;
	mm = s.mm ? mm_get(s.mm) : NULL;
	proc_unsee(&s);
	return mm;
}

/* Moves a piece. Returns the bytes moved, or -errno. */
typedef long move_fn(struct mm *mm, struct io *io, uint64_t address, size_t bytes);

static long read_piece(struct mm *mm, struct io *io, uint64_t address, size_t bytes)
{
	uint8_t piece[PIECE];
	const size_t n = mm_read(mm, address, piece, bytes);

	if (!n)
		return -EIO;
	return io_to_user(io, piece, n) ? -EFAULT : (long)n;
}

static long write_piece(struct mm *mm, struct io *io, uint64_t address, size_t bytes)
{
	uint8_t piece[PIECE];
	size_t n;

	if (io_from_user(io, piece, bytes))
		return -EFAULT;
	n = mm_write(mm, address, piece, bytes);
	return n ? (long)n : -EIO;
}

static long move_pieces(struct mm *mm, struct io *io, uint64_t address, move_fn *move)
{
	long done = 0, n = 1;

	while (io->left && n > 0) {
		n = move(mm, io, address + (uint64_t)done, io->left < PIECE ? io->left : PIECE);
		done += n > 0 ? n : 0;
	}
	return done ? done : n < 0 ? n : 0;
}

static long move_memory(struct file *f, struct io *io, const uint64_t *at, move_fn *move)
{
	struct mm *mm = memory_of(f);
	const uint64_t start = at ? *at : f->offset;
	long n = 0;

	if (!mm)
		return 0;
	n = move_pieces(mm, io, start, move);
	mm_put(mm);
	if (n > 0 && !at)
		f->offset = start + (uint64_t)n;
	return n;
}

static long mem_read(struct file *f, struct io *io, const uint64_t *at)
{
	return move_memory(f, io, at, read_piece);
}

static long mem_write(struct file *f, struct io *io, const uint64_t *at)
{
	return move_memory(f, io, at, write_piece);
}

static const struct file_ops mem_ops = {
	.read = mem_read,
	.write = mem_write,
	.seek = file_seek_plain,
};

static int open_mem(struct file *f)
{
	f->ops = &mem_ops;
	return 0;
}

void proc_memory_init(void)
{
	synth_writers.pid_mem.open = open_mem;
	synth_writers.tid_mem.open = open_mem;
	synth_writers.pid_maps.write = write_maps;
	synth_writers.tid_maps.write = write_maps;
	synth_writers.pid_smaps.write = write_smaps;
	synth_writers.pid_statm.write = write_statm;
}
