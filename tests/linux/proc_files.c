// SPDX-License-Identifier: BSD-2-Clause
/*
 * proc_files.c - a program for Linux that compares /proc's data about it with its own knowledge. It
 * prints differences, and exits with 1; on Linux itself it finds none.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;

#define CHECK(what)                                                             \
	do {                                                                    \
		if (!(what)) {                                                  \
			printf("proc: line %d: not so: %s\n", __LINE__, #what); \
			failures++;                                             \
		}                                                               \
	} while (0)

/* Reads a whole file, terminated. Its size goes to `*n`. */
static char *read_file(const char *path, size_t *n)
{
	static char all[1 << 20];
	const int fd = open(path, O_RDONLY);
	ssize_t got;

	*n = 0;
	while (fd >= 0 && (got = read(fd, all + *n, sizeof(all) - 1 - *n)) > 0)
		*n += (size_t)got;
	if (fd >= 0)
		close(fd);
	all[*n] = '\0';
	return all;
}

static char *file(const char *path)
{
	size_t n;

	return read_file(path, &n);
}

static const char *link_of(const char *path)
{
	static char to[PATH_MAX];
	const ssize_t n = readlink(path, to, sizeof(to) - 1);

	to[n < 0 ? 0 : n] = '\0';
	return to;
}

/* Returns the sum of all numbers after a name in status or smaps. */
static uint64_t sum_of(const char *text, const char *name)
{
	uint64_t sum = 0;

	for (const char *at = text; (at = strstr(at, name)); at++)
		if (at == text || at[-1] == '\n')
			sum += strtoull(at + strlen(name), NULL, 10);
	return sum;
}

/* --- maps --- */

struct map {
	uint64_t start, end;
	char rights[5], name[PATH_MAX];
};

/* Finds the mapping with `address`; with 0 the sum of all goes to `*bytes`. */
static struct map find_map(const void *address, uint64_t *bytes)
{
	struct map m, found = {0};
	char *save, *line = strtok_r(file("/proc/self/maps"), "\n", &save);

	for (; line; line = strtok_r(NULL, "\n", &save)) {
		m.name[0] = '\0';
		CHECK(sscanf(line, "%lx-%lx %4s %*x %*x:%*x %*u %4095[^\n]", &m.start, &m.end,
			     m.rights, m.name) >= 3);
		if (bytes && strcmp(m.name, "[vsyscall]") != 0)
			*bytes += m.end - m.start;
		if ((uint64_t)address >= m.start && (uint64_t)address < m.end)
			found = m;
	}
	return found;
}

static void check_maps(void)
{
	char *from_heap = malloc(100);
	void *page = mmap(NULL, 3 * 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int local;

	CHECK(!strcmp(find_map((void *)check_maps, NULL).rights, "r-xp"));
	CHECK(!strcmp(find_map((void *)check_maps, NULL).name, link_of("/proc/self/exe")));
	CHECK(!strcmp(find_map(&local, NULL).name, "[stack]"));
	CHECK(!strcmp(find_map(&local, NULL).rights, "rw-p"));
	CHECK(!strcmp(find_map(from_heap, NULL).name, "[heap]"));
	CHECK(!strcmp(find_map(page, NULL).rights, "r--s"));
	CHECK(find_map(page, NULL).end == (uint64_t)page + 3 * 4096);
	munmap(page, 4096);
	CHECK(!find_map(page, NULL).end);
	CHECK(find_map((char *)page + 4096, NULL).start == (uint64_t)page + 4096);
	munmap((char *)page + 4096, 2 * 4096);
	free(from_heap);
}

/* --- Sizes --- */

static void check_sizes(void)
{
	const long page = sysconf(_SC_PAGESIZE);
	uint64_t bytes = 0, status, statm, stat, anonymous, rss;
	const char *all;
	char *large =
		mmap(NULL, 64 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	file("/proc/self/status");
	find_map(NULL, &bytes);
	status = sum_of(file("/proc/self/status"), "VmSize:");
	statm = strtoull(file("/proc/self/statm"), NULL, 10);
	CHECK(status * 1024 == bytes);
	CHECK(statm * (uint64_t)page == bytes);
	CHECK(sscanf(strrchr(file("/proc/self/stat"), ')'),
		     ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %*u %lu",
		     &stat) == 1);
	CHECK(stat == bytes);
	all = file("/proc/self/smaps");
	CHECK((sum_of(all, "Size:") - (strstr(all, "[vsyscall]") ? 4 : 0)) * 1024 == bytes);

	anonymous = sum_of(file("/proc/self/status"), "RssAnon:");
	memset(large, 1, 64 * 4096);
	CHECK(sum_of(file("/proc/self/status"), "RssAnon:") >= anonymous + 64 * 4 - 16);
	rss = sum_of(file("/proc/self/smaps"), "Rss:");
	CHECK(rss > 64 * 4);
	CHECK(sum_of(file("/proc/self/smaps"), "Pss:") <= rss);
	CHECK(sum_of(file("/proc/self/smaps"), "Private_Dirty:") >= 64 * 4);
	munmap(large, 64 * 4096);
}

/* --- Words, environment, vector --- */

static bool is_list(const char *path, char **words)
{
	size_t n, at = 0;
	const char *text = read_file(path, &n);

	for (; *words; words++) {
		const size_t bytes = strlen(*words) + 1;

		if (at + bytes > n || memcmp(text + at, *words, bytes) != 0)
			return false;
		at += bytes;
	}
	return at == n;
}

static void check_words(char **argv)
{
	size_t n;
	const Elf64_auxv_t *aux = (const Elf64_auxv_t *)(void *)read_file("/proc/self/auxv", &n);
	unsigned entries = 0;

	for (; aux[entries].a_type != AT_NULL; entries++)
		CHECK(aux[entries].a_type == AT_HWCAP || /* which glibc has its own idea of */
		      getauxval(aux[entries].a_type) == aux[entries].a_un.a_val);
	CHECK(entries > 10 && n >= (entries + 1) * sizeof(*aux));
	CHECK(is_list("/proc/self/cmdline", argv));
	CHECK(is_list("/proc/self/environ", environ));
}

/* --- Threads --- */

static void *in_thread(void *unused)
{
	char path[64], line[64];
	const long tid = syscall(SYS_gettid);

	(void)unused;
	pthread_setname_np(pthread_self(), "second");
	snprintf(path, sizeof(path), "/proc/self/task/%ld/comm", tid);
	CHECK(!strcmp(file(path), "second\n"));
	snprintf(path, sizeof(path), "%d/task/%ld", getpid(), tid);
	CHECK(!strcmp(link_of("/proc/thread-self"), path));
	CHECK(sum_of(file("/proc/thread-self/status"), "Pid:") == (uint64_t)tid);
	CHECK(sum_of(file("/proc/self/status"), "Pid:") == (uint64_t)getpid());
	CHECK(sum_of(file("/proc/self/status"), "Threads:") == 2);
	snprintf(path, sizeof(path), "/proc/thread-self/stat");
	snprintf(line, sizeof(line), "%ld (second) R ", tid);
	CHECK(!strncmp(file(path), line, strlen(line)));
	return NULL;
}

static void store_in_file(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY);

	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static void check_threads(void)
{
	pthread_t thread;

	CHECK(!pthread_create(&thread, NULL, in_thread, NULL));
	CHECK(!pthread_join(thread, NULL));
	store_in_file("/proc/self/comm", "a name that is too long\n");
	CHECK(!strcmp(file("/proc/self/comm"), "a name that is \n"));
	store_in_file("/proc/self/comm", "proc");
	CHECK(!strcmp(file("/proc/self/comm"), "proc\n"));
}

/* --- Processes --- */

static char state_of(pid_t pid)
{
	char path[64];
	const char *behind;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	behind = strrchr(file(path), ')');
	return behind ? behind[2] : ' ';
}

static void check_child(void)
{
	int go[2];
	siginfo_t info;
	pid_t child;
	char path[64];

	CHECK(!pipe(go));
	child = fork();
	if (!child) {
		char byte;

		close(go[1]);
		_exit(read(go[0], &byte, 1) == 0 ? 7 : 8);
	}
	while (state_of(child) != 'S')
		;
	snprintf(path, sizeof(path), "/proc/%d/status", child);
	CHECK(sum_of(file(path), "PPid:") == (uint64_t)getpid());
	snprintf(path, sizeof(path), "/proc/%d/exe", child);
	CHECK(access(path, X_OK) == 0);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", child, go[0]);
	CHECK(!strncmp(link_of(path), "pipe:[", 6));
	close(go[1]);
	CHECK(!waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));
	CHECK(state_of(child) == 'Z');
	snprintf(path, sizeof(path), "/proc/%d/cmdline", child);
	CHECK(!file(path)[0]);
	CHECK(!waitid(P_PID, (id_t)child, &info, WEXITED));
	snprintf(path, sizeof(path), "/proc/%d/stat", child);
	CHECK(access(path, F_OK) && errno == ENOENT);
	close(go[0]);
}

/* --- Files --- */

static void check_files(void)
{
	char path[64], name[] = "/tmp/proc-XXXXXX", byte;
	const int fd = mkstemp(name);
	int again;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK(!strcmp(link_of(path), name));
	CHECK(write(fd, "x", 1) == 1);
	unlink(name);
	CHECK(strstr(link_of(path), " (deleted)"));
	again = open(path, O_RDONLY);
	CHECK(again >= 0 && again != fd && read(again, &byte, 1) == 1 && byte == 'x');
	close(again);
	close(fd);
	CHECK(access(path, F_OK));
	CHECK(!chdir("/proc/self/fd"));
	CHECK(!chdir("/tmp"));
	CHECK(!strcmp(link_of("/proc/self/cwd"), "/tmp"));
	CHECK(!strcmp(link_of("/proc/self/root"), "/"));
}

static void check_io(void)
{
	const uint64_t before = sum_of(file("/proc/self/io"), "rchar:"),
		       calls = sum_of(file("/proc/self/io"), "syscr:");
	char bytes[1000];
	const int fd = open("/dev/zero", O_RDONLY);

	for (int i = 0; i < 5; i++)
		CHECK(read(fd, bytes, sizeof(bytes)) == sizeof(bytes));
	close(fd);
	CHECK(sum_of(file("/proc/self/io"), "rchar:") > before + 5000);
	CHECK(sum_of(file("/proc/self/io"), "syscr:") >= calls + 5);
}

static void check_usage(void)
{
	struct rusage usage;
	uint64_t minor;

	CHECK(!getrusage(RUSAGE_SELF, &usage));
	CHECK(sscanf(strrchr(file("/proc/self/stat"), ')'), ") %*c %*d %*d %*d %*d %*d %*u %lu",
		     &minor) == 1);
	CHECK(minor >= (uint64_t)usage.ru_minflt && minor <= (uint64_t)usage.ru_minflt + 8);
	CHECK(usage.ru_utime.tv_sec >= 0 && usage.ru_utime.tv_sec < 60);
	CHECK(usage.ru_stime.tv_sec >= 0 && usage.ru_stime.tv_sec < 60);
}

static void check_limits(void)
{
	char *line = strstr(file("/proc/self/limits"), "\nMax stack size ");
	struct rlimit limit;

	CHECK(line && !getrlimit(RLIMIT_STACK, &limit));
	CHECK(line && strtoull(line + 26, NULL, 10) == limit.rlim_cur);
}

int main(int argc, char **argv)
{
	char pid[16];

	(void)argc;
	snprintf(pid, sizeof(pid), "%d", getpid());
	CHECK(!strcmp(link_of("/proc/self"), pid));
	check_words(argv);
	check_maps();
	check_sizes();
	check_threads();
	check_child();
	check_files();
	check_io();
	check_usage();
	check_limits();
	if (!failures)
		puts("proc: all is as it is told");
	return failures != 0;
}
