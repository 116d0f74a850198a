// SPDX-License-Identifier: BSD-2-Clause
/* process.c - see process.h. */
#include "rt/task/process.h"

#include "arch/x86/cpu/image.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/cpu/user.h"
#include "include/perf0/task.h"
#include "lib/string.h"
#include "pmu/api/pmu.h"
#include "rt/task/program.h"

#include <linux/auxvec.h>
#include <linux/elf.h>
#include <linux/errno.h>
#include <stddef.h>

#define MAP_END    (WORKLOAD_MAP + WORKLOAD_MAP_BYTES)
#define MAP_MOST   (64ull << 20)
#define IMAGE_FILE "perf0.elf" /* what the image was made from */

_Static_assert(WORKLOAD_STACKS == 64, "process.stacks has a bit for each");

struct user_section {
	const uint8_t *start, *end;
	unsigned prot;
};

static const struct user_section sections[] = {
	{__user_text_start, __user_text_end, PAGE_EXEC},
	{__user_rodata_start, __user_rodata_end, PAGE_READ},
	{__user_data_start, __user_data_end, PAGE_WRITE},
};

#define NSECTIONS (sizeof(sections) / sizeof(sections[0]))

static uint64_t user_address(const void *in_image)
{
	return WORKLOAD_BASE + image_offset((uintptr_t)in_image);
}

static size_t process_pages_of(uint64_t bytes)
{
	return (bytes + PAGE_SIZE - 1) / PAGE_SIZE;
}

/* --- Areas --- */

static struct process_area *free_area(struct process *p)
{
	for (unsigned i = 0; i < PROCESS_AREAS; i++)
		if (!p->area[i].end)
			return &p->area[i];
	return NULL;
}

static struct process_area *area_at(struct process *p, uint64_t address)
{
	for (unsigned i = 0; i < PROCESS_AREAS; i++) {
		struct process_area *a = &p->area[i];

		if (address >= a->start && address < a->end)
			return a;
	}
	return NULL;
}

static bool area_allows(const struct process_area *a, enum process_access access)
{
	if (access == PROCESS_WRITE)
		return a->prot & PAGE_WRITE;
	return access == PROCESS_READ || a->prot & PAGE_EXEC;
}

/* A page of its own, with what of the file belongs there. */
static int make_page(struct process *p, const struct process_area *a, uint64_t va)
{
	const uint64_t offset = va - a->start;
	uint8_t *page = page_alloc_user(1);
	int err;

	if (!page)
		return -ENOMEM;
	if (a->file && offset < a->file_bytes) {
		uint64_t n = a->file_bytes - offset;

		memcpy(page, a->file + offset, n < PAGE_SIZE ? n : PAGE_SIZE);
	}
	err = space_map(&p->space, va, page, 1, a->prot, true);
	if (err)
		page_free(page, 1);
	return err;
}

/* Another thread may have been here first: then the access is simply made again. */
enum process_fault process_fault_in(struct process *p, uint64_t address, enum process_access access)
{
	const uint64_t va = address & ~(PAGE_SIZE - 1);
	enum process_fault kind = PROCESS_FAULT_BAD;
	struct process_area *a;

	lock_take(&p->lock);
	a = area_at(p, address);
	if (a && !a->shared && area_allows(a, access)) {
		kind = a->file ? PROCESS_FAULT_MAJOR : PROCESS_FAULT_MINOR;
		if (!space_lookup(&p->space, va) && make_page(p, a, va))
			kind = PROCESS_FAULT_NO_MEMORY;
	}
	lock_release(&p->lock);
	return kind;
}

static void flush_here(void *unused)
{
	(void)unused;
	space_flush();
}

static void flush_everywhere(void)
{
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		smp_call(cpu, flush_here, NULL);
}

/* `bytes` in whole pages, with a page that faults behind them. NULL: there is no room. */
static struct process_area *new_area(struct process *p, uint64_t pages)
{
	struct process_area *a = free_area(p);
	const uint64_t room = (MAP_END - p->map_next) / PAGE_SIZE;

	if (!a || pages >= room)
		return NULL;
	*a = (struct process_area){.start = p->map_next, .end = p->map_next + pages * PAGE_SIZE};
	p->map_next = a->end + PAGE_SIZE;
	return a;
}

/* What MAP_FILE maps: of a built-in program its code, constants and data, as the image has them. */
static void use_file(const struct process *p, struct process_area *a, uint64_t offset)
{
	const struct program *program = p->call.program;
	const uint8_t *file = program ? program->elf.file : __user_text_start;
	uint64_t bytes =
		program ? program->elf.bytes : (uint64_t)(__user_text_end - __user_text_start);

	a->file = file + (offset < bytes ? offset : bytes);
	a->file_bytes = offset < bytes ? bytes - offset : 0;
}

long process_map_memory(struct process *p, uint64_t bytes, uint64_t flags, uint64_t offset)
{
	const uint64_t known = WORKLOAD_MAP_READ_ONLY | WORKLOAD_MAP_FILE;
	struct process_area *a;
	long result = -ENOMEM;

	if (!bytes || flags & ~known || offset & (PAGE_SIZE - 1) ||
	    (offset && !(flags & WORKLOAD_MAP_FILE)))
		return -EINVAL;
	if (bytes > MAP_MOST)
		return -ENOMEM;
	lock_take(&p->lock);
	a = new_area(p, process_pages_of(bytes));
	if (a) {
		a->prot = flags & WORKLOAD_MAP_READ_ONLY ? PAGE_READ : PAGE_WRITE;
		if (flags & WORKLOAD_MAP_FILE)
			use_file(p, a, offset);
		result = (long)a->start;
	}
	lock_release(&p->lock);
	return result;
}

/* Takes it out of the list, so that no page of it comes into being any more. */
static bool take_area(struct process *p, uint64_t address, bool shared, struct process_area *taken)
{
	struct process_area *a;
	bool found;

	lock_take(&p->lock);
	a = area_at(p, address);
	found = a && a->start == address && a->shared == shared && !a->fixed;
	if (found) {
		*taken = *a;
		a->end = 0;
		space_hide(&p->space, taken->start, (taken->end - taken->start) / PAGE_SIZE);
	}
	lock_release(&p->lock);
	return found;
}

static void drop_area(struct process *p, const struct process_area *a)
{
	flush_everywhere();
	lock_take(&p->lock);
	space_unmap(&p->space, a->start, (a->end - a->start) / PAGE_SIZE);
	lock_release(&p->lock);
}

static bool is_range_whole(struct process *p, uint64_t address, uint64_t bytes)
{
	const struct process_area *a;
	bool whole;

	lock_take(&p->lock);
	a = area_at(p, address);
	whole = a && bytes && bytes <= a->end - a->start &&
		process_pages_of(bytes) == (a->end - a->start) / PAGE_SIZE;
	lock_release(&p->lock);
	return whole;
}

int process_unmap_memory(struct process *p, uint64_t address, uint64_t bytes)
{
	struct process_area a;

	if (!is_range_whole(p, address, bytes) || !take_area(p, address, false, &a))
		return -EINVAL;
	drop_area(p, &a);
	return 0;
}

int process_map_at(struct process *p, uint64_t va, void *memory, size_t pages, unsigned prot)
{
	struct process_area *a;
	int err = -ENOMEM;

	lock_take(&p->lock);
	a = free_area(p);
	if (a)
		err = space_map(&p->space, va, memory, pages, prot, false);
	if (!err)
		*a = (struct process_area){
			.start = va, .end = va + pages * PAGE_SIZE, .prot = prot, .shared = true};
	lock_release(&p->lock);
	return err;
}

void process_unmap(struct process *p, uint64_t address)
{
	struct process_area a;

	if (take_area(p, address, true, &a))
		drop_area(p, &a);
}

/* --- Stacks --- */

static uint64_t stack_top(unsigned n)
{
	return WORKLOAD_STACK_TOP - n * WORKLOAD_STACK_STRIDE;
}

static int map_fresh(struct process *p, uint64_t va, const void *content, size_t bytes,
		     unsigned prot)
{
	for (size_t at = 0; at < bytes; at += PAGE_SIZE) {
		void *page;

		if (space_lookup(&p->space, va + at))
			continue; /* from a try that did not find memory for all */
		page = page_alloc_user(1);
		if (!page)
			return -ENOMEM;
		if (content)
			memcpy(page, (const uint8_t *)content + at,
			       bytes - at < PAGE_SIZE ? bytes - at : PAGE_SIZE);
		if (space_map(&p->space, va + at, page, 1, prot, true)) {
			page_free(page, 1);
			return -ENOMEM;
		}
	}
	return 0;
}

/* Stacks of threads that have ended are used again as they are. */
uint64_t process_stack(struct process *p, unsigned *n)
{
	uint64_t bottom, top = 0;

	lock_take(&p->lock);
	*n = ~p->stacks ? (unsigned)__builtin_ctzll(~p->stacks) : WORKLOAD_STACKS;
	if (*n < WORKLOAD_STACKS) {
		bottom = stack_top(*n) - WORKLOAD_STACK_BYTES;
		if (space_lookup(&p->space, stack_top(*n) - PAGE_SIZE) ||
		    !map_fresh(p, bottom, NULL, WORKLOAD_STACK_BYTES, PAGE_WRITE)) {
			p->stacks |= 1ull << *n;
			top = stack_top(*n);
		}
	}
	lock_release(&p->lock);
	return top;
}

void process_free_stack(struct process *p, unsigned n)
{
	lock_take(&p->lock);
	p->stacks &= ~(1ull << n);
	lock_release(&p->lock);
}

/* --- Programs --- */

static int map_section(struct process *p, const struct user_section *s)
{
	const size_t bytes = (size_t)(s->end - s->start);

	if (!bytes)
		return 0;
	if (s->prot & PAGE_WRITE)
		return map_fresh(p, user_address(s->start), s->start, bytes, s->prot);
	return space_map(&p->space, user_address(s->start), (void *)(uintptr_t)s->start,
			 process_pages_of(bytes), s->prot, false);
}

static int load_builtin(struct process *p, struct process_start *start)
{
	int err = 0;

	for (size_t i = 0; i < NSECTIONS && !err; i++)
		err = map_section(p, &sections[i]);
	p->area[0] = (struct process_area){
		.start = WORKLOAD_HEAP,
		.end = WORKLOAD_HEAP + WORKLOAD_HEAP_BYTES,
		.prot = PAGE_WRITE,
		.fixed = true,
	};
	start->rip = user_address((const void *)p->call.workload->entry);
	start->rsp = WORKLOAD_STACK_TOP - 8;
	memcpy(start->args, p->call.args, sizeof(start->args));
	return err;
}

/* --- ELF files --- */

/* Writes into pages that are mapped, whatever ring 3 may do with them. */
static int poke_pages(struct process *p, uint64_t va, const void *from, size_t bytes)
{
	const uint8_t *at = from;

	while (bytes) {
		const uint64_t pte = space_lookup(&p->space, va), in_page = va & (PAGE_SIZE - 1);
		const size_t n = bytes < PAGE_SIZE - in_page ? bytes : PAGE_SIZE - in_page;

		if (!pte)
			return -EFAULT;
		memcpy((uint8_t *)virt_of(pte & PTE_ADDRESS) + in_page, at, n);
		va += n;
		at += n;
		bytes -= n;
	}
	return 0;
}

void process_refresh(struct process *p, const void *in_image, size_t bytes)
{
	lock_take(&p->lock);
	poke_pages(p, user_address(in_image), in_image, bytes);
	lock_release(&p->lock);
}

static int store_word(void *p, uint64_t address, uint64_t value)
{
	return poke_pages(p, address, &value, sizeof(value));
}

static unsigned prot_of(const struct elf_segment *s)
{
	return s->prot & ELF_WRITE ? PAGE_WRITE : s->prot & ELF_EXEC ? PAGE_EXEC : PAGE_READ;
}

/* What is in the file is there at once; zeros behind it come into being. */
static int load_segment(struct process *p, const struct elf *elf, const struct elf_segment *s)
{
	const uint64_t filled = process_pages_of(s->skip + s->filed) * PAGE_SIZE;
	struct process_area *a = free_area(p);
	int err = map_fresh(p, s->address, NULL, s->filed ? filled : 0, prot_of(s));

	if (!err)
		err = poke_pages(p, s->address + s->skip, elf->file + s->offset, s->filed);
	if (err || !a)
		return err ? err : -ENOMEM;
	*a = (struct process_area){
		.start = s->address,
		.end = s->address + s->bytes,
		.prot = prot_of(s),
		.fixed = true,
	};
	return 0;
}

/* The stack of a process that starts, upwards: argc, argv, NULL, no environment, NULL, auxiliary
 * vector, words (System V ABI, AMD64 supplement, "Process Initialization"). */
#define AUX_MAX 8

struct stack_image {
	uint64_t word[1 + PROGRAM_WORDS_MAX + 1 + 1 + 2 * AUX_MAX];
	unsigned n;
};

static void push_aux(struct stack_image *image, uint64_t type, uint64_t value)
{
	image->word[image->n++] = type;
	image->word[image->n++] = value;
}

static size_t words_bytes(const struct workload_call *call)
{
	size_t bytes = 0;

	for (unsigned i = 0; i < call->nwords; i++)
		bytes += strlen(call->words + bytes) + 1;
	return bytes;
}

static int fill_stack(struct process *p, const struct elf *elf, uint64_t *rsp)
{
	const size_t text = words_bytes(&p->call);
	const uint64_t strings = (WORKLOAD_STACK_TOP - text) & ~15ull;
	struct stack_image image = {.n = 0};
	size_t at = 0;

	image.word[image.n++] = p->call.nwords;
	for (unsigned i = 0; i < p->call.nwords; i++) {
		image.word[image.n++] = strings + at;
		at += strlen(p->call.words + at) + 1;
	}
	image.word[image.n++] = 0;
	image.word[image.n++] = 0;
	push_aux(&image, AT_PAGESZ, PAGE_SIZE);
	push_aux(&image, AT_ENTRY, elf->entry);
	push_aux(&image, AT_PHENT, sizeof(Elf64_Phdr));
	push_aux(&image, AT_PHNUM, elf->headers ? elf->nheaders : 0);
	push_aux(&image, AT_PHDR, elf->headers);
	push_aux(&image, AT_NULL, 0);
	*rsp = (strings - image.n * sizeof(image.word[0])) & ~15ull;
	return poke_pages(p, strings, p->call.words, text) ||
			       poke_pages(p, *rsp, image.word, image.n * sizeof(image.word[0]))
		       ? -ENOMEM
		       : 0;
}

static int load_program(struct process *p, struct process_start *start)
{
	const struct elf *elf = &p->call.program->elf;
	int err = 0;

	for (unsigned i = 0; i < elf->nsegments && !err; i++)
		err = load_segment(p, elf, &elf->segment[i]);
	if (!err && elf_relocate(elf, store_word, p))
		err = -ENOEXEC;
	if (err)
		return err;
	*start = (struct process_start){.rip = elf->entry};
	return fill_stack(p, elf, &start->rsp);
}

static int load_any(struct process *p, struct process_start *start)
{
	unsigned first;

	if (!process_stack(p, &first))
		return -ENOMEM;
	return p->call.program ? load_program(p, start) : load_builtin(p, start);
}

#define PROCESS_PAGES ((sizeof(struct process) + PAGE_SIZE - 1) / PAGE_SIZE)

int process_create(struct process **to, uint32_t pid, const struct workload_call *call,
		   struct process_start *start)
{
	struct process *p = page_alloc_user(PROCESS_PAGES);
	int err;

	if (!p)
		return -ENOMEM;
	p->pid = pid;
	p->call = *call;
	p->map_next = WORKLOAD_MAP;
	err = space_init(&p->space);
	if (!err)
		err = load_any(p, start);
	if (err)
		process_destroy(p);
	else
		*to = p;
	return err;
}

void process_destroy(struct process *p)
{
	space_destroy(&p->space);
	page_free(p, PROCESS_PAGES);
}

/* --- Names --- */

static bool is_code_of(const struct program *program, uint64_t ip)
{
	for (unsigned i = 0; i < program->elf.nsegments; i++) {
		const struct elf_segment *s = &program->elf.segment[i];

		if (s->prot & ELF_EXEC && ip - s->address < s->bytes)
			return true;
	}
	return false;
}

static bool is_builtin_code(uint64_t ip)
{
	return ip - user_address(__user_text_start) <
	       (uint64_t)(__user_text_end - __user_text_start);
}

bool process_find_place(const struct process *p, uint64_t ip, struct process_place *place)
{
	const struct program *program = p->call.program;

	if (program) {
		*place = (struct process_place){p->call.workload->name, ip - program->elf.base};
		return is_code_of(program, ip);
	}
	*place = (struct process_place){IMAGE_FILE, ip - WORKLOAD_BASE};
	return is_builtin_code(ip);
}

/* --- Records --- */

/* Where a user section lies in ring 3's memory and in the ELF file. */
static void announce_section(const struct pmu_task *task, const struct user_section *section)
{
	const uint8_t *build_id;
	size_t n = image_build_id(&build_id);

	if (section->start == section->end)
		return;
	pmu_output_mmap2(&(struct pmu_mmap){
		.task = task,
		.prot = PMU_PROT_READ | (section->prot & PAGE_WRITE ? PMU_PROT_WRITE : 0) |
			(section->prot & PAGE_EXEC ? PMU_PROT_EXEC : 0),
		.addr = user_address(section->start),
		.len = (uint64_t)(section->end - section->start),
		.pgoff = image_offset((uintptr_t)section->start),
		.build_id = build_id,
		.build_id_size = n,
		.filename = IMAGE_FILE,
	});
}

static void announce_memory(const struct pmu_task *task, uint64_t start, uint64_t bytes,
			    const char *name)
{
	pmu_output_mmap2(&(struct pmu_mmap){
		.task = task,
		.prot = PMU_PROT_READ | PMU_PROT_WRITE,
		.addr = start,
		.len = bytes,
		.filename = name,
	});
}

static void announce_segment(const struct pmu_task *task, const struct program *program,
			     const struct elf_segment *s)
{
	pmu_output_mmap2(&(struct pmu_mmap){
		.task = task,
		.prot = PMU_PROT_READ | (s->prot & ELF_WRITE ? PMU_PROT_WRITE : 0) |
			(s->prot & ELF_EXEC ? PMU_PROT_EXEC : 0),
		.addr = s->address,
		.len = s->bytes,
		.pgoff = s->offset - s->skip,
		.build_id = program->elf.build_id,
		.build_id_size = program->elf.build_id_bytes,
		.filename = program->path,
	});
}

static void announce_builtin(const struct pmu_task *task)
{
	for (size_t i = 0; i < NSECTIONS; i++)
		announce_section(task, &sections[i]);
	announce_memory(task, WORKLOAD_HEAP, WORKLOAD_HEAP_BYTES, "[heap]");
}

void process_announce(const struct process *p, const struct pmu_task *task)
{
	const struct program *program = p->call.program;

	for (unsigned i = 0; program && i < program->elf.nsegments; i++)
		announce_segment(task, program, &program->elf.segment[i]);
	if (!program)
		announce_builtin(task);
	announce_memory(task, WORKLOAD_STACK_TOP - WORKLOAD_STACK_BYTES, WORKLOAD_STACK_BYTES,
			"[stack]");
}
