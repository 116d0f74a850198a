/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wx_memory.h - decides whether programs may have memory that is both writable and executable, and
 * notes the programs that it refused. `--allow-wx` allows it to the programs of a run
 * (linux/program/program_pack.h), `sysctl vm.allow_wx=1` to all that start later.
 */
#ifndef LINUX_PROGRAM_WX_MEMORY_H
#define LINUX_PROGRAM_WX_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* wx_allowed(), wx_set_allowed() - reads or writes the setting: 0 or 1. wx_set_allowed() returns 0.
 * Task context. */
uint64_t wx_allowed(void);
int wx_set_allowed(uint64_t allowed);

/* wx_note() - notes that task `tid`, with that name, was refused such memory. wx_tell() - prints
 * one line for the first such task since the last call. Task context without any lock. */
void wx_note(uint32_t tid, const char *comm);
void wx_tell(void);

#endif
