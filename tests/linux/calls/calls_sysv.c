// SPDX-License-Identifier: BSD-2-Clause
/* calls_sysv.c - System V shared memory, semaphores and message queues, between processes. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/linux/check.h"

#define ROUNDS 100

static int status_of(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

/* A key that no other run has at the same time. */
static key_t own_key(int n)
{
	return (key_t)(0x50000000 + getpid() * 16 + n);
}

/* --- Shared memory --- */

static unsigned long attached(int id)
{
	struct shmid_ds stat;

	return shmctl(id, IPC_STAT, &stat) ? 99 : stat.shm_nattch;
}

static void check_shm_errors(void)
{
	const key_t key = own_key(1);
	int id;

	check_error(shmget(key, 4096, 0600), ENOENT);
	check_error(shmget(key, 0, IPC_CREAT | 0600), EINVAL);
	id = shmget(key, 5000, IPC_CREAT | IPC_EXCL | 0600);
	check(id >= 0 && shmget(key, 0, 0) == id && shmget(key, 5000, IPC_CREAT) == id);
	check_error(shmget(key, 5001, 0), EINVAL);
	check_error(shmget(key, 5000, IPC_CREAT | IPC_EXCL), EEXIST);
	check_error((long)shmat(id, (void *)4097, 0), EINVAL);
	check_error((long)shmat(id, NULL, SHM_REMAP), EINVAL);
	check_error((long)shmat(-1, NULL, 0), EINVAL);
	check_error(shmdt(&id), EINVAL);
	check_error(shmctl(id, 99, NULL), EINVAL);
	check_error(shmctl(id, IPC_STAT, (void *)nowhere), EFAULT);
	check(!shmctl(id, IPC_RMID, NULL));
	check_error(shmctl(id, IPC_RMID, NULL), EINVAL);
	check_error((long)shmat(id, NULL, 0), EINVAL);
}

static void check_shm(void)
{
	const int id = shmget(IPC_PRIVATE, 10000, 0640);
	struct shmid_ds stat;
	char *a = shmat(id, NULL, 0), *b = shmat(id, NULL, SHM_RDONLY);
	pid_t pid;

	check(id >= 0 && a != (void *)-1 && b != (void *)-1 && a != b);
	check(!a[0] && !a[9999]);
	strcpy(a + 5000, "seen");
	check(!strcmp(b + 5000, "seen") && attached(id) == 2);
	pid = fork();
	if (!pid) {
		strcpy(a, attached(id) == 4 ? "child" : "alone");
		_exit(shmdt(a));
	}
	check(!status_of(pid) && !strcmp(b, "child"));
	check(!shmctl(id, IPC_STAT, &stat) && stat.shm_segsz == 10000 &&
	      stat.shm_cpid == getpid() && stat.shm_lpid == pid && stat.shm_nattch == 2 &&
	      stat.shm_dtime && (stat.shm_perm.mode & 0777) == 0640);
	/* A removed segment exists until the last process detaches it. */
	check(!shmctl(id, IPC_RMID, NULL) && attached(id) == 2);
	check(!shmdt(b) && attached(id) == 1);
	check_error(shmdt(b), EINVAL);
	check(!strcmp(a, "child") && !shmdt(a));
	check_error(shmctl(id, IPC_STAT, &stat), EINVAL);
}

static void check_shm_place(void)
{
	const int id = shmget(IPC_PRIVATE, 4096, 0600);
	char *free_page = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	check_error((long)shmat(id, free_page, 0), EINVAL);
	check(shmat(id, free_page, SHM_REMAP) == free_page && !free_page[0]);
	check(!shmdt(free_page) && !munmap(free_page, 8192));
	check(shmat(id, free_page + 77, SHM_RND) == free_page && !shmdt(free_page));
	check(!shmctl(id, IPC_RMID, NULL));
}

/* --- Semaphores --- */

static int operate(int id, int number, int change, int flags)
{
	struct sembuf op = {(unsigned short)number, (short)change, (short)flags};

	return semop(id, &op, 1);
}

static int semaphore_value(int id, int number)
{
	return semctl(id, number, GETVAL);
}

/* Waits until a task waits for the semaphore. */
static int awaited(int id, int number, int command)
{
	for (int i = 0; i < 10000 && !semctl(id, number, command); i++)
		usleep(100);
	return semctl(id, number, command);
}

static void check_sem_errors(void)
{
	const key_t key = own_key(2);
	struct sembuf ops[2] = {{0, 1, 0}, {1, -1, IPC_NOWAIT}};
	struct timespec soon = {0, 1000000};
	int id;

	check_error(semget(key, 3, 0600), ENOENT);
	check_error(semget(key, 0, IPC_CREAT | 0600), EINVAL);
	id = semget(key, 3, IPC_CREAT | IPC_EXCL | 0600);
	check(id >= 0 && semget(key, 0, 0) == id);
	check_error(semget(key, 4, 0), EINVAL);
	check_error(operate(id, 3, 1, 0), EFBIG);
	check_error(operate(id, 0, -1, IPC_NOWAIT), EAGAIN);
	check_error(semop(id, ops, 0), EINVAL);
	check_error(semop(id, ops, 100000), E2BIG);
	check_error(semop(id, (void *)nowhere, 1), EFAULT);
	/* An operation on several semaphores is done as a whole or not at all. */
	check_error(semop(id, ops, 2), EAGAIN);
	check(!semaphore_value(id, 0));
	check_error(semtimedop(id, &ops[1], 0, &soon), EINVAL);
	ops[1].sem_flg = 0;
	check_error(semtimedop(id, &ops[1], 1, &soon), EAGAIN);
	check_error(semctl(id, 0, SETVAL, 32768), ERANGE);
	check(!semctl(id, 0, SETVAL, 32767));
	check_error(operate(id, 0, 1, 0), ERANGE);
	check_error(semctl(id, 9, GETVAL), EINVAL);
	check_error(semctl(id, 0, 99), EINVAL);
	check(!semctl(id, 0, IPC_RMID));
	check_error(semaphore_value(id, 0), EINVAL);
}

static void check_sem_values(void)
{
	unsigned short values[3] = {1, 2, 3}, got[3];
	const int id = semget(IPC_PRIVATE, 3, 0600);
	struct semid_ds stat;

	check(!semctl(id, 0, SETALL, values) && !semctl(id, 0, GETALL, got) &&
	      !memcmp(values, got, sizeof(got)));
	check(!operate(id, 1, -2, 0) && !operate(id, 1, 0, 0) && !semaphore_value(id, 1));
	check(semctl(id, 1, GETPID) == getpid());
	check(!semctl(id, 0, IPC_STAT, &stat) && stat.sem_nsems == 3 && stat.sem_otime);
	check(!semctl(id, 0, IPC_RMID));
}

static void check_sem_turns(void)
{
	const int id = semget(IPC_PRIVATE, 2, 0600);
	const pid_t pid = fork();

	for (int i = 0; i < ROUNDS; i++)
		if (operate(id, !pid, 1, 0) || operate(id, !!pid, -1, 0))
			break;
	if (!pid)
		_exit(0);
	check(!status_of(pid) && !semaphore_value(id, 0) && !semaphore_value(id, 1));
	check(!semctl(id, 0, IPC_RMID));
}

static void check_sem_waits(void)
{
	const int id = semget(IPC_PRIVATE, 1, 0600);
	pid_t pid = fork();

	if (!pid)
		_exit(operate(id, 0, -2, 0));
	check(awaited(id, 0, GETNCNT) == 1 && !semctl(id, 0, GETZCNT));
	check(!operate(id, 0, 1, 0) && semctl(id, 0, GETNCNT) == 1);
	check(!operate(id, 0, 1, 0) && !status_of(pid) && !semaphore_value(id, 0));
	check(!semctl(id, 0, SETVAL, 1));
	pid = fork();
	if (!pid)
		_exit(operate(id, 0, 0, 0));
	check(awaited(id, 0, GETZCNT) == 1);
	check(!operate(id, 0, -1, 0) && !status_of(pid));
	pid = fork();
	if (!pid) {
		signal(SIGALRM, SIG_DFL);
		_exit(operate(id, 0, -1, 0) == -1 && errno == EIDRM);
	}
	check(awaited(id, 0, GETNCNT) == 1 && !semctl(id, 0, IPC_RMID) && status_of(pid) == 1);
}

static void check_sem_undo(void)
{
	const int id = semget(IPC_PRIVATE, 1, 0600);
	pid_t pid;

	check(!semctl(id, 0, SETVAL, 5));
	pid = fork();
	if (!pid)
		_exit(operate(id, 0, -3, SEM_UNDO) || operate(id, 0, -1, 0) ||
		      semaphore_value(id, 0) != 1);
	check(!status_of(pid) && semaphore_value(id, 0) == 4);
	pid = fork();
	if (!pid) {
		operate(id, 0, -4, SEM_UNDO);
		pause();
	}
	check(!operate(id, 0, 0, 0) && !kill(pid, SIGKILL));
	check(!operate(id, 0, -4, 0) && status_of(pid) == 1000 + SIGKILL);
	check(!semctl(id, 0, IPC_RMID));
}

/* --- Messages --- */

static struct message {
	long type;
	char text[16];
} message;

static int send_text(int id, long type, const char *text)
{
	message.type = type;
	strcpy(message.text, text);
	return msgsnd(id, &message, strlen(text) + 1, IPC_NOWAIT);
}

static const char *receive_text(int id, long type, int flags)
{
	if (msgrcv(id, &message, sizeof(message.text), type, flags | IPC_NOWAIT) < 0)
		return strerror(errno);
	return message.text;
}

static void check_messages(void)
{
	const int id = msgget(IPC_PRIVATE, 0600);
	struct msqid_ds stat;

	check(!send_text(id, 3, "c") && !send_text(id, 1, "a") && !send_text(id, 2, "b") &&
	      !send_text(id, 3, "d"));
	check(!msgctl(id, IPC_STAT, &stat) && stat.msg_qnum == 4 && stat.msg_lspid == getpid());
	check(!strcmp(receive_text(id, 3, 0), "c"));
	check(!strcmp(receive_text(id, -2, 0), "a"));
	check(!strcmp(receive_text(id, 2, MSG_EXCEPT), "d"));
	check(!strcmp(receive_text(id, 0, 0), "b"));
	check_error(msgrcv(id, &message, 16, 0, IPC_NOWAIT), ENOMSG);
	check(!send_text(id, 1, "long text"));
	check_error(msgrcv(id, &message, 4, 0, IPC_NOWAIT), E2BIG);
	check(msgrcv(id, &message, 4, 0, MSG_NOERROR) == 4 && !memcmp(message.text, "long", 4));
	check_error(send_text(id, 0, ""), EINVAL);
	check_error(msgsnd(id, &message, 10000, 0), EINVAL);
	check_error(msgsnd(id, (void *)nowhere, 1, 0), EFAULT);
	check_error(msgget(own_key(3), 0600), ENOENT);
	check(!msgctl(id, IPC_RMID, NULL));
	check_error(msgctl(id, IPC_STAT, &stat), EINVAL);
}

static void check_message_waits(void)
{
	const int id = msgget(IPC_PRIVATE, 0600);
	struct msqid_ds stat;
	pid_t pid = fork();

	if (!pid)
		_exit(msgrcv(id, &message, 16, 5, 0) != 2 || strcmp(message.text, "x"));
	check(!send_text(id, 4, "w") && !send_text(id, 5, "x") && !status_of(pid));
	/* A full queue: the sender waits until there is room. */
	check(!msgctl(id, IPC_STAT, &stat));
	stat.msg_qbytes = 4;
	check(!msgctl(id, IPC_SET, &stat));
	check(!send_text(id, 6, "y"));
	check_error(send_text(id, 7, "z"), EAGAIN);
	pid = fork();
	if (!pid) {
		message = (struct message){7, "z"};
		_exit(msgsnd(id, &message, 2, 0));
	}
	check(!strcmp(receive_text(id, 4, 0), "w") && !status_of(pid));
	check(!strcmp(receive_text(id, 7, 0), "z"));
	pid = fork();
	if (!pid)
		_exit(msgrcv(id, &message, 16, 9, 0) == -1 && (errno == EIDRM || errno == EINVAL));
	usleep(20000);
	check(!msgctl(id, IPC_RMID, NULL) && status_of(pid) == 1);
}

int main(void)
{
	check_shm_errors();
	check_shm();
	check_shm_place();
	check_sem_errors();
	check_sem_values();
	check_sem_turns();
	check_sem_waits();
	check_sem_undo();
	check_messages();
	check_message_waits();
	return check_end();
}
