// SPDX-License-Identifier: BSD-2-Clause
/* sys_ipc.c - System V IPC: shared memory, semaphores, message queues. svipc(7). */
#include "linux/syscall/syscall.h"

#include "linux/ipc/msg.h"
#include "linux/ipc/sem.h"
#include "linux/ipc/shm.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>

static struct mm *calling_mm(void)
{
	return sched_current()->process->mm;
}

static long sys_shmget(struct trap_frame *f)
{
	return shm_get((int)f->rdi, f->rsi, (int)f->rdx, sched_current()->pid);
}

static long sys_shmat(struct trap_frame *f)
{
	return shm_attach(calling_mm(), (int)f->rdi, f->rsi, (int)f->rdx, sched_current()->pid);
}

static long sys_shmdt(struct trap_frame *f)
{
	return shm_detach(calling_mm(), f->rdi, sched_current()->pid);
}

static long sys_shmctl(struct trap_frame *f)
{
	return shm_control((int)f->rdi, (int)f->rsi, f->rdx);
}

static long sys_semget(struct trap_frame *f)
{
	return sem_get((int)f->rdi, (int)f->rsi, (int)f->rdx);
}

static long sys_semop(struct trap_frame *f)
{
	syscall_deadline(0);
	return sem_operate((int)f->rdi, f->rsi, f->rdx);
}

static long sys_semtimedop(struct trap_frame *f)
{
	uint64_t ns = 0;
	int err = f->r10 ? times_read(f->r10, &ns) : 0;

	if (err)
		return err;
	syscall_deadline(f->r10 && !ns ? 1 : ns);
	return sem_operate((int)f->rdi, f->rsi, f->rdx);
}

static long sys_semctl(struct trap_frame *f)
{
	return sem_control((int)f->rdi, (int)f->rsi, (int)f->rdx, f->r10);
}

/* These two wait without a limit, but for signals. */
static long sys_msgsnd(struct trap_frame *f)
{
	syscall_deadline(0);
	return msg_send((int)f->rdi, f->rsi, f->rdx, (int)f->r10);
}

static long sys_msgrcv(struct trap_frame *f)
{
	syscall_deadline(0);
	return msg_receive((int)f->rdi, f->rsi, f->rdx, (int64_t)f->r10, (int)f->r8);
}

static long sys_msgget(struct trap_frame *f)
{
	return msg_get((int)f->rdi, (int)f->rsi);
}

static long sys_msgctl(struct trap_frame *f)
{
	return msg_control((int)f->rdi, (int)f->rsi, f->rdx);
}

const struct syscall_row syscall_ipc_rows[] = {
	{__NR_shmget, sys_shmget},
	{__NR_shmat, sys_shmat},
	{__NR_shmdt, sys_shmdt},
	{__NR_shmctl, sys_shmctl},
	{__NR_semget, sys_semget},
	{__NR_semop, sys_semop},
	{__NR_semctl, sys_semctl},
	{__NR_semtimedop, sys_semtimedop},
	{__NR_msgget, sys_msgget},
	{__NR_msgsnd, sys_msgsnd},
	{__NR_msgrcv, sys_msgrcv},
	{__NR_msgctl, sys_msgctl},
	{0, NULL},
};
