// SPDX-License-Identifier: BSD-2-Clause
/*
 * cgroup_events.c - groups of tasks as in cgroup2: directories, writes to their files, and events
 * that count only for the tasks of a group and of groups below it. To be run with
 * --allow-system.
 */
#define _GNU_SOURCE
#include "tests/linux/perf_events.h"

#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>

#define ROOT  "/sys/fs/cgroup"
#define TURNS 100000ull

static int failing(int result)
{
	return result < 0 ? errno : 0;
}

static int store_text(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY);
	const ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));
	const int error = n < 0 ? errno : 0;

	close(fd);
	return error;
}

static int move_to(const char *group, const char *file, long id)
{
	char path[200], text[20];

	snprintf(path, sizeof(path), "%s/%s", group, file);
	snprintf(text, sizeof(text), "%ld\n", id);
	return store_text(path, text);
}

static const char *get(const char *path)
{
	static char text[4096];
	const int fd = open(path, O_RDONLY);
	const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	close(fd);
	text[n < 0 ? 0 : n] = 0;
	return text;
}

static void check_text(const char *what, const char *path, const char *wanted)
{
	const char *got = get(path);

	check(what, !strcmp(got, wanted), true);
	if (strcmp(got, wanted))
		printf("    got %s", got);
}

static void check_directories(void)
{
	struct statfs fs;
	struct stat st;
	char here[200];

	check("statfs: cgroup2", !statfs(ROOT, &fs) && fs.f_type == 0x63677270, true);
	check("it is mounted", strstr(get("/proc/mounts"), " " ROOT " cgroup2 ") != NULL, true);
	check("mountinfo", strstr(get("/proc/self/mountinfo"), " " ROOT " ") != NULL, true);
	check("mkdir", (uint64_t)mkdir(ROOT "/a", 0755), 0);
	check("mkdir below", (uint64_t)mkdir(ROOT "/a/in", 0755), 0);
	check("mkdir b", (uint64_t)mkdir(ROOT "/b", 0755), 0);
	check("again", failing(mkdir(ROOT "/a", 0755)), EEXIST);
	check("with groups below it stays", failing(rmdir(ROOT "/a")), EBUSY);
	check("a file is no group", failing(rmdir(ROOT "/a/cgroup.procs")), ENOTDIR);
	check("files stay", failing(unlink(ROOT "/a/cgroup.procs")) != 0, true);
	check("no other files come", failing(open(ROOT "/a/x", O_CREAT | O_RDWR, 0644)) != 0, true);
	check("a directory", !stat(ROOT "/a", &st) && S_ISDIR(st.st_mode), true);
	check("chdir", (uint64_t)chdir(ROOT "/a/in"), 0);
	check("getcwd", getcwd(here, sizeof(here)) && !strcmp(here, ROOT "/a/in"), true);
	check("..", !chdir("../..") && getcwd(here, sizeof(here)) && !strcmp(here, ROOT), true);
	check(".. of the root",
	      !chdir("..") && getcwd(here, sizeof(here)) && !strcmp(here, "/sys/fs"), true);
	check("back", (uint64_t)chdir("/"), 0);
	check_text("no controllers", ROOT "/a/cgroup.controllers", "");
	check_text("type", ROOT "/a/cgroup.type", "domain\n");
	check_text("descendants", ROOT "/a/cgroup.stat",
		   "nr_descendants 1\nnr_dying_descendants 0\n");
	check_text("empty", ROOT "/a/cgroup.events", "populated 0\nfrozen 0\n");
}

static void check_moving(void)
{
	char wanted[40];

	check_text("where it begins", "/proc/self/cgroup", "0::/\n");
	check("into a group", move_to(ROOT "/a/in", "cgroup.procs", 0), 0);
	check_text("there it is", "/proc/self/cgroup", "0::/a/in\n");
	snprintf(wanted, sizeof(wanted), "%d\n", getpid());
	check_text("and is listed", ROOT "/a/in/cgroup.procs", wanted);
	check_text("not above", ROOT "/a/cgroup.procs", "");
	check_text("populated, all the same", ROOT "/a/cgroup.events", "populated 1\nfrozen 0\n");
	check("it cannot be removed", failing(rmdir(ROOT "/a/in")), EBUSY);
	check("no such task", move_to(ROOT "/a", "cgroup.procs", 4711), ESRCH);
	check("no number", store_text(ROOT "/a/cgroup.procs", "x\n"), EINVAL);
	check("back to the root", move_to(ROOT, "cgroup.procs", getpid()), 0);
	check_text("there it is again", "/proc/self/cgroup", "0::/\n");
}

static int open_for(const char *group, unsigned long flags)
{
	struct perf_event_attr attr = instructions();
	const int dir = open(group, O_RDONLY | O_DIRECTORY),
		  fd = (int)perf_open(&attr, dir, 0, -1, PERF_FLAG_PID_CGROUP | flags);

	close(dir);
	return fd;
}

/* Runs a child in the group. Returns the count of the group's event in that time. */
static uint64_t count_child(int fd, const char *group, uint64_t turns)
{
	const uint64_t before = value_of(fd);
	const pid_t pid = fork();
	int status;

	if (!pid) {
		if (group && move_to(group, "cgroup.procs", 0))
			_exit(1);
		turn(turns);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	check("the child ends well", (uint64_t)status, 0);
	return value_of(fd) - before;
}

static void check_counts(void)
{
	const int a = open_for(ROOT "/a", 0), in = open_for(ROOT "/a/in", 0),
		  all = open_for(ROOT, 0);
	uint64_t once, twice, before;

	check("events of groups", a >= 0 && in >= 0 && all >= 0, true);
	once = count_child(a, ROOT "/a", TURNS);
	twice = count_child(a, ROOT "/a", 2 * TURNS);
	check("the turns of its tasks", twice - once, 2 * TURNS);
	check("none of other tasks", count_child(a, ROOT "/b", TURNS), 0);
	check("nor of those in none", count_child(a, NULL, TURNS), 0);
	check("of groups below it, too", count_child(a, ROOT "/a/in", TURNS), once);
	before = value_of(in);
	check("of groups above it not", count_child(in, ROOT "/a", TURNS), 0);
	check("... nothing", value_of(in) - before, 0);
	check("the root has all", count_child(all, ROOT "/b", TURNS) > 2 * TURNS, true);
	close(a);
	close(in);
	close(all);
}

/* A child begins in its parent's group; a single thread may be in another one. */
static void *turn_in_b(void *result)
{
	*(int *)result = move_to(ROOT "/b", "cgroup.threads", syscall(SYS_gettid));
	turn(TURNS);
	return NULL;
}

static void check_inheriting(void)
{
	const int a = open_for(ROOT "/a", 0), b = open_for(ROOT "/b", 0);
	uint64_t of_a, of_b;
	pthread_t thread;
	int moved = -1;

	check("into a", move_to(ROOT "/a", "cgroup.procs", 0), 0);
	check("a child is born there", count_child(a, NULL, TURNS) > 2 * TURNS, true);
	of_a = value_of(a);
	of_b = value_of(b);
	pthread_create(&thread, NULL, turn_in_b, &moved);
	pthread_join(thread, NULL);
	check("a thread moves alone", (uint64_t)moved, 0);
	check("its turns are there", value_of(b) - of_b >= 2 * TURNS, true);
	check("and not here", value_of(a) - of_a < 2 * TURNS, true);
	check("out of it", move_to(ROOT, "cgroup.procs", 0), 0);
	close(a);
	close(b);
}

/* An event holds its group: it never counts for another group. */
static void check_removed(void)
{
	const int b = open_for(ROOT "/b", PERF_FLAG_FD_CLOEXEC);

	check("close-on-exec", (uint64_t)fcntl(b, F_GETFD), FD_CLOEXEC);
	check("rmdir", (uint64_t)rmdir(ROOT "/b"), 0);
	check("mkdir of another", (uint64_t)mkdir(ROOT "/b", 0755), 0);
	check("which does not count for it", count_child(b, ROOT "/b", TURNS), 0);
	close(b);
	check("rmdir in", (uint64_t)rmdir(ROOT "/a/in"), 0);
	check("rmdir a", (uint64_t)rmdir(ROOT "/a"), 0);
	check("rmdir b", (uint64_t)rmdir(ROOT "/b"), 0);
	check("gone", failing(rmdir(ROOT "/b")), ENOENT);
	check("so many there can be", ({
		      char path[40];
		      int n = 0, error = 0;

		      for (; n < 1000 && !error; n++) {
			      snprintf(path, sizeof(path), ROOT "/g%d", n);
			      error = failing(mkdir(path, 0755));
		      }
		      for (int i = 0; i < n - 1; i++) {
			      snprintf(path, sizeof(path), ROOT "/g%d", i);
			      rmdir(path);
		      }
		      error == EAGAIN &&n > 100;
	      }),
	      true);
	check("and they are all gone", (uint64_t)mkdir(ROOT "/last", 0755), 0);
}

/* Refused even to a program that may measure all, as on Linux for a program that is not root. */
static void check_denials(void)
{
	struct perf_event_attr attr = instructions();

	check("a negative number is no group",
	      failing((int)perf_open(&attr, -2, 0, -1, PERF_FLAG_PID_CGROUP)), EBADF);
	check("nor is none", failing((int)perf_open(&attr, -1, 0, -1, PERF_FLAG_PID_CGROUP)),
	      EINVAL);
	attr.type = PERF_TYPE_BREAKPOINT;
	attr.config = 0;
	attr.bp_type = HW_BREAKPOINT_X;
	attr.bp_addr = 0xffffffff8148c9d5;
	attr.bp_len = sizeof(long);
	check("the kernel's code, in ring 3 alone", failing((int)perf_open(&attr, 0, -1, -1, 0)),
	      EINVAL);
	attr.exclude_kernel = 0;
	check("the kernel's code", failing((int)perf_open(&attr, 0, -1, -1, 0)), EPERM);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	check_directories();
	check_moving();
	check_counts();
	check_inheriting();
	check_removed();
	check_denials();
	printf("%d failed\n", failed);
	return failed != 0;
}
