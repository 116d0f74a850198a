/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * played_qemu.h - a fake QEMU with one vCPU for the plugin: it translates blocks, and runs them
 * with the attached callbacks. Its machine has vpmu's bell and one program. Include it once in a
 * program.
 */
#ifndef TESTS_PLAYED_QEMU_H
#define TESTS_PLAYED_QEMU_H

#include "include/perf0/events_page.h"
#include "vpmu/plugin/vcpu_counts.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HOST_CODE  0x100000ull /* vpmu's code, at its address in the guest */
#define GUEST_CODE 0x401000ull
#define INSNS      4  /* of the program */
#define BLOCK_MOST 16 /* instructions of a block */
#define CALLBACKS  512

extern int qemu_plugin_install(plugin_id id, const struct plugin_info *info, int argc, char **argv);

static const uint8_t bell[] = EVENTS_BELL_BYTES;

/* --- QEMU --- */

struct qemu_plugin_insn {
	uint64_t va;
	const uint8_t *code;
	size_t size;
};

struct qemu_plugin_tb {
	struct qemu_plugin_insn insns[BLOCK_MOST];
	size_t n;
};

/* The callbacks that are attached to instructions of the last block. */
static struct attached {
	const struct qemu_plugin_insn *insn;
	plugin_cb run;
	plugin_access_cb access;
	uint64_t *count, more;
	void *data;
} attached[CALLBACKS];
static size_t nattached;

static plugin_block_cb translated;
static plugin_reset_cb flushed;
static unsigned resets; /* of all translations */

static struct attached *attach(struct qemu_plugin_insn *insn, void *data)
{
	struct attached *a = &attached[nattached++];

	if (nattached > CALLBACKS)
		abort();
	*a = (struct attached){.insn = insn, .data = data};
	return a;
}

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, plugin_block_cb cb)
{
	(void)id;
	translated = cb;
}

void qemu_plugin_register_flush_cb(plugin_id id, plugin_reset_cb cb)
{
	(void)id;
	flushed = cb;
}

void qemu_plugin_reset(plugin_id id, plugin_reset_cb done)
{
	resets++;
	flushed(id);
	done(id);
}

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block)
{
	return block->n;
}

struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t i)
{
	return (struct qemu_plugin_insn *)&block->insns[i];
}

size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn)
{
	return insn->size;
}

uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn)
{
	return insn->va;
}

void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn)
{
	return (void *)(uintptr_t)insn->code;
}

uintptr_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t room)
{
	(void)to;
	(void)room;
	return (uintptr_t)insn->code;
}

void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, plugin_cb cb,
					    enum plugin_registers registers, void *data)
{
	(void)registers;
	attach(insn, data)->run = cb;
}

void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, plugin_access_cb cb,
				      enum plugin_registers registers, enum plugin_rw rw,
				      void *data)
{
	(void)registers;
	(void)rw;
	attach(insn, data)->access = cb;
}

void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, enum plugin_op op,
						void *at, uint64_t more)
{
	struct attached *a = attach(insn, NULL);

	(void)op;
	a->count = at;
	a->more = more;
}

void qemu_plugin_register_vcpu_mem_inline(struct qemu_plugin_insn *insn, enum plugin_rw rw,
					  enum plugin_op op, void *at, uint64_t more)
{
	(void)rw;
	qemu_plugin_register_vcpu_insn_exec_inline(insn, op, at, more);
}

bool qemu_plugin_mem_is_store(plugin_access info)
{
	return info >> 8;
}

unsigned qemu_plugin_mem_size_shift(plugin_access info)
{
	return info & 3;
}

/* Memory with physical addresses. */
static struct {
	uint64_t va, physical, bytes;
} memory;

/* Where the next accesses go, as physical address; NULL: by `memory`. */
static const uint64_t *accessed;

struct qemu_plugin_hwaddr {
	uint64_t physical;
};

struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(plugin_access info, uint64_t va)
{
	static struct qemu_plugin_hwaddr at;

	(void)info;
	if (accessed) {
		at.physical = *accessed;
		return &at;
	}
	if (va - memory.va >= memory.bytes)
		return NULL;
	at.physical = memory.physical + (va - memory.va);
	return &at;
}

uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *address)
{
	return address->physical;
}

/* --- Stops of the guest --- */

static jmp_buf block_left;
static unsigned nmis; /* so far */
bool one_insn_per_tb;

struct plugin_vcpu *qemu_get_cpu(int index)
{
	(void)index;
	return (struct plugin_vcpu *)&nmis;
}

void cpu_interrupt(struct plugin_vcpu *vcpu, int mask)
{
	(void)vcpu;
	(void)mask;
	nmis++;
}

void async_run_on_cpu(struct plugin_vcpu *vcpu, plugin_work work, void *data)
{
	work(vcpu, data);
}

void cpu_loop_exit_restore(struct plugin_vcpu *vcpu, uintptr_t return_address)
{
	(void)vcpu;
	(void)return_address;
	longjmp(block_left, 1);
}

/* --- Registers and memory --- */

static uint64_t registers[4]; /* by gdb's numbers */

struct plugin_bytes *g_byte_array_new(void)
{
	static struct plugin_bytes bytes;

	return &bytes;
}

uint8_t *g_byte_array_free(struct plugin_bytes *bytes, int and_data)
{
	(void)and_data;
	bytes->n = 0;
	return NULL;
}

int x86_cpu_gdb_read_register(struct plugin_vcpu *cpu, struct plugin_bytes *to, int number)
{
	(void)cpu;
	to->data = (uint8_t *)&registers[number];
	to->n = sizeof(*registers);
	return sizeof(*registers);
}

int x86_cpu_gdb_write_register(struct plugin_vcpu *cpu, uint8_t *from, int number)
{
	(void)cpu;
	memcpy(&registers[number], from, sizeof(*registers));
	return sizeof(*registers);
}

int cpu_memory_rw_debug(struct plugin_vcpu *cpu, uint64_t va, void *bytes, size_t n, bool writes)
{
	const uint64_t host = memory.physical + ((uint64_t)bell - HOST_CODE) + (va - memory.va);

	(void)cpu;
	if (writes || va - memory.va >= memory.bytes || n > memory.bytes - (va - memory.va))
		return -1;
	memcpy(bytes, (const void *)host, n);
	return 0;
}

/* --- A machine: vpmu's bell, and a program --- */

/* mov (%rax),%rbx; add %rbx,%rcx; dec %rdx; jne -11 */
static const uint8_t program[] = {0x48, 0x8b, 0x18, 0x48, 0x01, 0xd9, 0x48, 0xff, 0xca, 0x75, 0xf5};
static const uint8_t sizes[INSNS] = {3, 3, 3, 2};

static struct events_page *page;
static uint64_t accesses; /* so far */

/* Runs the instruction, a load of 8 bytes, with its callbacks. */
static void run_insn(const struct qemu_plugin_insn *insn)
{
	for (size_t i = 0; i < nattached; i++) {
		const struct attached *a = &attached[i];

		if (a->insn != insn)
			continue;
		if (a->run)
			a->run(0, a->data);
		else if (a->access)
			a->access(0, 3, 0x500000 + accesses++ % 5000 * 4093, a->data);
		else
			*a->count += a->more;
	}
}

static void translate(struct qemu_plugin_tb *block)
{
	nattached = 0;
	translated(1, block);
}

/* Rings the bell, with any contents of the page. */
static void ring(void)
{
	struct qemu_plugin_tb block = {.insns = {{HOST_CODE, bell, sizeof(bell)}}, .n = 1};

	translate(&block);
	run_insn(&block.insns[0]);
}

/* Rings the bell as vpmu does when it wants `level`. */
static inline void ask_for(uint32_t level)
{
	page->cpu[0].wanted = level;
	page->cpu[0].asked++;
	page->cpu[0].rip = GUEST_CODE;
	ring();
}

/* Runs the block until it is left. */
static inline void run_block(const struct qemu_plugin_tb *block)
{
	if (!setjmp(block_left))
		for (unsigned i = 0; i < block->n; i++)
			run_insn(&block->insns[i]);
}

/* Runs a block at each of `blocks` addresses `times` times. */
static inline void run_blocks(unsigned blocks, unsigned times)
{
	for (unsigned b = 0; b < blocks; b++) {
		struct qemu_plugin_tb block = {.n = INSNS};
		const uint8_t *code = program;
		uint64_t va = GUEST_CODE + b * 64ull;

		for (unsigned i = 0; i < INSNS; va += sizes[i], code += sizes[i], i++)
			block.insns[i] = (struct qemu_plugin_insn){va, code, sizes[i]};
		translate(&block);
		for (unsigned t = 0; t < times; t++)
			run_block(&block);
	}
}

/* Blocks of one instruction. */
static inline void run_alone(unsigned times)
{
	const uint8_t *code = program;
	uint64_t va = GUEST_CODE;

	for (unsigned i = 0; i < INSNS; va += sizes[i], code += sizes[i], i++) {
		struct qemu_plugin_tb block = {.insns = {{va, code, sizes[i]}}, .n = 1};

		translate(&block);
		for (unsigned t = 0; t < times; t++)
			run_block(&block);
	}
}

/* --- The page --- */

static char page_path[] = "/tmp/perf0-events-XXXXXX";

/* Starts the plugin. `option` is one more argument. Returns 0, or 1 if the plugin cannot start. */
static int install(char *option)
{
	static char argument[64], model[] = "level=model";
	char *argv[] = {argument, model, option};
	const struct plugin_info info = {
		.target_name = "x86_64", .system_emulation = true, .system = {1, 1}};
	const int fd = mkstemp(page_path);

	if (fd < 0 || ftruncate(fd, EVENTS_PAGE_BYTES))
		return 1;
	page = mmap(NULL, EVENTS_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	snprintf(argument, sizeof(argument), "page=%s", page_path);
	if (page == MAP_FAILED || qemu_plugin_install(1, &info, 3, argv))
		return 1;
	page->header.code = page->header.bell = HOST_CODE;
	page->header.code_end = HOST_CODE + sizeof(bell);
	strcpy(page->header.uarch, "skx");
	return 0;
}

#endif
