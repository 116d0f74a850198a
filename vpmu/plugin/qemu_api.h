/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qemu_api.h - the used functions of QEMU's plugin interface, from its documentation ("QEMU TCG
 * Plugins", API). All are weak: some versions lack some, and the host tool loads the plugin without
 * a QEMU, even with LD_BIND_NOW. plugin.c refuses a QEMU that lacks what every version has. The
 * internal functions of QEMU below are not part of that interface; a QEMU that loads modules
 * exports them.
 */
#ifndef VPMU_PLUGIN_QEMU_API_H
#define VPMU_PLUGIN_QEMU_API_H

#include "include/perf0/formats.h" /* versions of the interface */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLUGIN_EXPORT __attribute__((visibility("default")))
#define PLUGIN_WEAK   __attribute__((weak))

typedef uint64_t plugin_id;
typedef uint32_t plugin_access;

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_scoreboard;

struct plugin_info {
	const char *target_name;
	struct {
		int min, cur;
	} version;
	bool system_emulation;
	struct {
		int smp_vcpus, max_vcpus;
	} system;
};

struct plugin_u64 {
	struct qemu_plugin_scoreboard *score;
	size_t offset;
};

enum plugin_op { PLUGIN_ADD_U64 };
enum plugin_rw { PLUGIN_READ = 1, PLUGIN_WRITE, PLUGIN_READ_WRITE };
enum plugin_registers { PLUGIN_NO_REGISTERS };

typedef void (*plugin_block_cb)(plugin_id id, struct qemu_plugin_tb *block);
typedef void (*plugin_cb)(unsigned vcpu, void *data);
typedef void (*plugin_access_cb)(unsigned vcpu, plugin_access info, uint64_t va, void *data);
typedef void (*plugin_reset_cb)(plugin_id id);

PLUGIN_WEAK void qemu_plugin_reset(plugin_id id, plugin_reset_cb done);
PLUGIN_WEAK void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, plugin_block_cb translated);
PLUGIN_WEAK void qemu_plugin_register_atexit_cb(plugin_id id,
						void (*ends)(plugin_id id, void *data), void *data);
PLUGIN_WEAK void qemu_plugin_register_flush_cb(plugin_id id, plugin_reset_cb flushed);

PLUGIN_WEAK size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
PLUGIN_WEAK struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block,
							     size_t i);
PLUGIN_WEAK size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
PLUGIN_WEAK uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
PLUGIN_WEAK void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);

PLUGIN_WEAK void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, plugin_cb cb,
							enum plugin_registers registers,
							void *data);
PLUGIN_WEAK void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
						  plugin_access_cb cb,
						  enum plugin_registers registers,
						  enum plugin_rw rw, void *data);
PLUGIN_WEAK bool qemu_plugin_mem_is_store(plugin_access info);
PLUGIN_WEAK unsigned qemu_plugin_mem_size_shift(plugin_access info);

struct qemu_plugin_hwaddr;
PLUGIN_WEAK struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(plugin_access info, uint64_t va);
PLUGIN_WEAK uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *address);

/* An instruction's bytes. Up to QEMU 9.0 the function has one argument, and returns their address.
 * Later it copies as many as fit, and returns how many. */
PLUGIN_WEAK uintptr_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to,
					    size_t room);

/* QEMU up to 8. */
PLUGIN_WEAK void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn,
							    enum plugin_op op, void *at,
							    uint64_t more);
PLUGIN_WEAK void qemu_plugin_register_vcpu_mem_inline(struct qemu_plugin_insn *insn,
						      enum plugin_rw rw, enum plugin_op op,
						      void *at, uint64_t more);

/* QEMU from 9.0 on. */
PLUGIN_WEAK struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t bytes);
PLUGIN_WEAK void *qemu_plugin_scoreboard_find(struct qemu_plugin_scoreboard *score, unsigned vcpu);
PLUGIN_WEAK void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(struct qemu_plugin_insn *insn,
								     enum plugin_op op,
								     struct plugin_u64 at,
								     uint64_t more);
PLUGIN_WEAK void qemu_plugin_register_vcpu_mem_inline_per_vcpu(struct qemu_plugin_insn *insn,
							       enum plugin_rw rw, enum plugin_op op,
							       struct plugin_u64 at, uint64_t more);

/* Internal functions: work for a vCPU's thread, interrupts, and leaving a block. */
struct plugin_vcpu;
typedef void (*plugin_work)(struct plugin_vcpu *cpu, void *data);
#define PLUGIN_INTERRUPT_NMI 0x0200 /* x86's value, which has never changed */
PLUGIN_WEAK struct plugin_vcpu *qemu_get_cpu(int number);
PLUGIN_WEAK void async_run_on_cpu(struct plugin_vcpu *cpu, plugin_work work, void *data);
PLUGIN_WEAK void cpu_interrupt(struct plugin_vcpu *cpu, int mask);
PLUGIN_WEAK void cpu_loop_exit_restore(struct plugin_vcpu *cpu, uintptr_t return_address);

/* Internal functions: a vCPU's registers, as gdb numbers them, and its memory. A GByteArray of GLib
 * gets the register's bytes. They return how many, and 0 for success. */
struct plugin_bytes {
	uint8_t *data;
	unsigned n;
};
PLUGIN_WEAK struct plugin_bytes *g_byte_array_new(void);
PLUGIN_WEAK uint8_t *g_byte_array_free(struct plugin_bytes *bytes, int and_data);
PLUGIN_WEAK int x86_cpu_gdb_read_register(struct plugin_vcpu *cpu, struct plugin_bytes *to,
					  int number);
PLUGIN_WEAK int x86_cpu_gdb_write_register(struct plugin_vcpu *cpu, uint8_t *from, int number);
PLUGIN_WEAK int cpu_memory_rw_debug(struct plugin_vcpu *cpu, uint64_t va, void *bytes, size_t n,
				    bool writes);

/* Limits blocks to one instruction: up to QEMU 8.0, and from 8.1 on. */
extern PLUGIN_WEAK int singlestep;
extern PLUGIN_WEAK bool one_insn_per_tb;

#endif
