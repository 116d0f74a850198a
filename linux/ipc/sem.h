/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sem.h - System V semaphores: sets of counters, on which several operations are done together or
 * not at all. A process that ends undoes its operations with SEM_UNDO.
 *
 * System call context. Errors are those of semget(2), semop(2), semctl(2).
 */
#ifndef LINUX_IPC_SEM_H
#define LINUX_IPC_SEM_H

#include <stdint.h>

struct process;

long sem_get(int32_t key, int count, int flags);

/* sem_operate() - semtimedop(2): `n` struct sembuf at `operations` of ring 3. The deadline is the
 * call's (syscall_deadline()). */
long sem_operate(int id, uint64_t operations, uint64_t n);

/* sem_control() - semctl(2): `argument` is a value, or ring 3's buffer. */
long sem_control(int id, int number, int command, uint64_t argument);

/* sem_end_process() - its last thread has ended: applies its adjustments. */
void sem_end_process(struct process *p);

/* sem_forget() - all sets are removed. */
void sem_forget(void);

#endif
