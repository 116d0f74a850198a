// SPDX-License-Identifier: BSD-2-Clause
/* calls_misc.c - facts about the system, limits, and calls that do not exist. */
#define _GNU_SOURCE
#include <linux/capability.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tests/linux/check.h"

static void check_system(void)
{
	struct utsname name;
	struct sysinfo info;

	check(!uname(&name) && !strcmp(name.sysname, "Linux") && !strcmp(name.machine, "x86_64"));
	check(atoi(name.release) >= 5);
	check(!sysinfo(&info) && info.totalram * info.mem_unit > 32 << 20 && info.freeram &&
	      info.procs);
	check_error(syscall(SYS_uname, 8), EFAULT);
	check(sysconf(_SC_PAGESIZE) == 4096 && sysconf(_SC_NPROCESSORS_ONLN) >= 1 &&
	      sysconf(_SC_CLK_TCK) == 100);
	check(getauxval(AT_PAGESZ) == 4096 && getauxval(AT_RANDOM) && getauxval(AT_EXECFN));
	check(getauxval(AT_UID) == getuid() && getauxval(AT_CLKTCK) == 100);
}

static void check_limits(void)
{
	struct rlimit limit;

	check(!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur >= 1 << 20);
	check(!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur >= 256);
	check(!prlimit(0, RLIMIT_CORE, NULL, &limit));
	check_error(getrlimit(99, &limit), EINVAL);
	check_error(prlimit(999999, RLIMIT_CORE, NULL, &limit), ESRCH);
	limit = (struct rlimit){2, 1};
	check_error(setrlimit(RLIMIT_CORE, &limit), EINVAL);
	errno = 0;
	check(getpriority(PRIO_PROCESS, 0) != -1 || !errno);
	check(personality(0xffffffff) != -1);
}

static void check_random(void)
{
	char a[300] = "", b[300] = "";

	check(getrandom(a, sizeof(a), 0) == sizeof(a) &&
	      getrandom(b, sizeof(b), GRND_NONBLOCK) == sizeof(b));
	check(memcmp(a, b, sizeof(a)) != 0 && memcmp(a, a + 150, 150) != 0);
	check_error(getrandom(a, 1, 0x1000), EINVAL);
	check_error(syscall(SYS_getrandom, 8, 1, 0), EFAULT);
}

static void check_ids(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2];
	uid_t r, e, s;

	check(getuid() == geteuid() && getgid() == getegid());
	check(!getresuid(&r, &e, &s) && r == getuid());
	check(getgroups(0, NULL) >= 0);
	check(!syscall(SYS_capget, &head, data));
	head.version = 1;
	check_error(syscall(SYS_capget, &head, data), EINVAL);
	check(head.version == _LINUX_CAPABILITY_VERSION_3);
}

static void check_rest(void)
{
	char room[64];
	unsigned cpu;

	check_error(syscall(500), ENOSYS);
	check_error(syscall(-1), ENOSYS);
	check(syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0) > 0);
	check(!syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0));
	check(!syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0));
	check_error(syscall(SYS_membarrier, 1 << 30, 0, 0), EINVAL);
	check(!syscall(SYS_sched_getattr, 0, room, sizeof(room), 0));
	check_error(syscall(SYS_sched_getattr, 0, room, 1, 0), EINVAL);
	check(!getcpu(&cpu, NULL));
	check_error(connect(0, NULL, 0), ENOTSOCK);
	check_error(connect(99, NULL, 0), EBADF);
	check_error(socket(99, SOCK_STREAM, 0), EAFNOSUPPORT);
	check(prctl(PR_GET_DUMPABLE) >= 0 && !prctl(PR_SET_PDEATHSIG, 0));
	check_error(prctl(123456), EINVAL);
}

int main(void)
{
	check_system();
	check_limits();
	check_random();
	check_ids();
	check_rest();
	return check_end();
}
