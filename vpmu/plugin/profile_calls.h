/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_calls.h - the calls of exact profiles: a shadow stack for each task, which calls and
 * returns of ring 3 push and pop. The address of a call's return address identifies its frame, so
 * longjmp(3) and exceptions drop the frames that they leave behind.
 */
#ifndef VPMU_PLUGIN_PROFILE_CALLS_H
#define VPMU_PLUGIN_PROFILE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vpmu/plugin/insn_counts.h"
#include "vpmu/plugin/qemu_api.h"

/* calls_begin() - after profile_begin() and counted_begin(). */
void calls_begin(unsigned vcpus);

/* While no vCPU runs: calls_end() - open calls get their counts. calls_flushed(): QEMU has dropped
 * all translations. */
void calls_end(void);
void calls_flushed(void);

/* calls_attach_block() - attaches callbacks to the profiled block that is being translated: at its
 * start, and at a call or return at its end, unless the host wants no calls. Before anything is
 * counted. */
void calls_attach_block(const struct qemu_plugin_tb *block, const struct decoded *decoded,
			size_t n);

/*
 * The requests of the running task (profile_requests.h). calls_toggle(): it collects from now on,
 * or no longer. calls_ignore(): no task collects, whether it wants to or not; or all do that want
 * to. calls_zero(): all counts so far are dropped. calls_dump(): they become a part of the file.
 */
void calls_toggle(unsigned vcpu);
void calls_ignore(bool ignore);
void calls_zero(void);
void calls_dump(void);

/* calls_attach_mark() - attaches a callback to `insn` of ring 0, of `size` bytes at `code`, if it
 * is the mark of a task (include/perf0/task_mark.h). `ram` is QEMU's address of physical 0. */
void calls_attach_mark(struct qemu_plugin_insn *insn, const uint8_t *code, size_t size,
		       uint64_t ram);

#endif
