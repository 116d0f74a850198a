/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_branches.h - the branches of exact profiles: how often ring 3 goes from each branch to
 * each address, if the host wants it (`wants_branches` of include/perf0/profile_file.h). A
 * conditional branch that is not taken goes to the instruction after it.
 */
#ifndef VPMU_PLUGIN_PROFILE_BRANCHES_H
#define VPMU_PLUGIN_PROFILE_BRANCHES_H

#include <stddef.h>
#include <stdint.h>

#include "vpmu/plugin/insn_counts.h"
#include "vpmu/plugin/qemu_api.h"

/* branches_begin() - after profile_begin(). Otherwise, the other functions do nothing. */
void branches_begin(unsigned vcpus);

/* branches_attach_block() - attaches callbacks to the profiled block that is being translated: at
 * its start, and at a branch at its end. Before anything is counted. */
void branches_attach_block(const struct qemu_plugin_tb *block, const struct decoded *decoded,
			   size_t n);

/*
 * A task may lose its vCPU between a branch and its target. branches_suspend() takes the branch off
 * the vCPU, and returns its number; 0: there is none. branches_resume() gives it to a vCPU, on
 * which the task goes on. branches_drop() - the task goes on elsewhere: the branch is not counted.
 */
uint32_t branches_suspend(unsigned vcpu);
void branches_resume(unsigned vcpu, uint32_t branch);
void branches_drop(uint32_t branch);

#endif
