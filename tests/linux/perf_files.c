// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_files.c - events as open files: counts and reads, groups, rings and their lifetime, dup,
 * fork and exec, poll, signals. Prints a line for each check, which must succeed on perf0 and on
 * Linux alike.
 */
#define _GNU_SOURCE
#include "tests/linux/perf_events.h"

#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#define TURNS  100000ull
#define PERIOD 1009

static bool estimates; /* the machine's counts are estimates */

/*
 * A sum of overflows, in periods. If counts are estimates, several periods may pass together, and
 * one may be noticed late.
 */
static void check_overflows(const char *what, uint64_t got, uint64_t wanted)
{
	if (estimates)
		check(what, got <= wanted, true);
	else
		check(what, got, wanted);
}

/* Checks that need exact counts. */
static void check_exact(const char *what, uint64_t got, uint64_t wanted)
{
	if (!estimates)
		check(what, got, wanted);
}

static uint64_t count_turns(int fd, uint64_t turns)
{
	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	turn(turns);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	return value_of(fd);
}

static void check_counting(void)
{
	struct perf_event_attr attr = instructions();
	uint64_t once, twice;
	int fd, copy;

	attr.disabled = 1;
	fd = must_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	once = count_turns(fd, TURNS);
	twice = count_turns(fd, 2 * TURNS);
	check_exact("instructions of the turns", twice - once, 2 * TURNS);
	check("close-on-exec", (uint64_t)fcntl(fd, F_GETFD), FD_CLOEXEC);
	copy = dup(fd);
	close(fd);
	check("a copy is the same event", value_of(copy), twice);
	check("the first is closed", value_of(fd), UINT64_MAX);
	check("and its copy has another flag", (uint64_t)fcntl(copy, F_GETFD), 0);
	check("an event cannot be written", (uint64_t)write(copy, "x", 1), (uint64_t)-1);
	check("it has no positions", (uint64_t)lseek(copy, 0, SEEK_SET), (uint64_t)-1);
	close(copy);
}

#define ALL_FORMATS                                                                         \
	(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID | \
	 PERF_FORMAT_GROUP | PERF_FORMAT_LOST)

static void check_group(void)
{
	struct perf_event_attr attr = instructions();
	uint64_t values[3 + 2 * 3] = {0}, ids[2];
	int leader, sibling;

	attr.disabled = 1;
	attr.read_format = ALL_FORMATS;
	leader = must_open(&attr, 0, -1, -1, 0);
	attr.disabled = 0;
	sibling = must_open(&attr, 0, -1, leader, 0);
	ioctl(leader, PERF_EVENT_IOC_ID, &ids[0]);
	ioctl(sibling, PERF_EVENT_IOC_ID, &ids[1]);
	check("flags without a meaning", (uint64_t)ioctl(leader, PERF_EVENT_IOC_DISABLE, ~1ul), 0);
	ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	turn(TURNS);
	ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	errno = 0;
	check("too small a buffer", (uint64_t)read(leader, values, sizeof(values) - 8),
	      (uint64_t)-1);
	check("... is ENOSPC", (uint64_t)errno, ENOSPC);
	check("bytes of a group", (uint64_t)read(leader, values, sizeof(values)), sizeof(values));
	check("its members", values[0], 2);
	check("its times", values[1] == values[2] && values[1], true);
	check("both count the same", values[3], values[6]);
	check("id of the leader", values[4], ids[0]);
	check("id of the sibling", values[7], ids[1]);
	check("nothing is lost", values[5] | values[8], 0);
	close(leader);
	check("a sibling goes on alone", (uint64_t)read(sibling, values, sizeof(values)), 6 * 8);
	close(sibling);
}

static void check_refused(const char *what, int result, int error)
{
	check(what, result == -1 ? (uint64_t)errno : 0, (uint64_t)error);
}

static void check_refusals(void)
{
	struct perf_event_attr attr = instructions();
	struct {
		struct perf_event_attr attr;
		uint64_t more;
	} larger = {attr, 1};
	const int fd = must_open(&attr, 0, -1, -1, 0), file = open("/dev/null", O_RDONLY);

	check_refused("neither task nor CPU", perf_open(&attr, -1, -1, -1, 0), EINVAL);
	check_refused("no such task", perf_open(&attr, 4711, -1, -1, 0), ESRCH);
	check_refused("no such flag", perf_open(&attr, 0, -1, -1, 1 << 20), EINVAL);
	check_refused("no such group", perf_open(&attr, 0, -1, 1000, 0), EBADF);
	check_refused("a group that is no event", perf_open(&attr, 0, -1, file, 0), EBADF);
	check_refused("no such cgroup", perf_open(&attr, file, 0, -1, PERF_FLAG_PID_CGROUP), EBADF);
	check_refused("no memory", perf_open((void *)16, 0, -1, -1, 0), EFAULT);
	check_refused("no such request", ioctl(fd, _IO('$', 99), 0), ENOTTY);
	check_refused("output into no event", ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, file), EBADF);
	check_refused("a private ring",
		      mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED ? -1 : 0,
		      EINVAL);
	check_refused("three pages of data", map_ring(fd, 3, PROT_READ) ? 0 : -1, EINVAL);
	larger.attr.size = sizeof(larger);
	check_refused("a larger attr", perf_open(&larger.attr, 0, -1, -1, 0), E2BIG);
	check("the size that is known", larger.attr.size, sizeof(attr));
	close(fd);
	close(file);
}

static int open_sampling(pid_t pid, unsigned wakeup)
{
	struct perf_event_attr attr = instructions();

	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	attr.wakeup_events = wakeup;
	attr.disabled = 1;
	return must_open(&attr, pid, -1, -1, 0);
}

static void check_ring(void)
{
	const int fd = open_sampling(0, 0);
	struct perf_event_mmap_page *page = map_ring(fd, 8, PROT_READ | PROT_WRITE), *again;
	unsigned samples = 0;

	check("a ring is mapped", page != NULL, true);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < 4; i++) {
		turn(TURNS);
		samples += take_records(page, PERF_RECORD_SAMPLE);
	}
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	samples += take_records(page, PERF_RECORD_SAMPLE);
	check_overflows("samples", samples, value_of(fd) / PERIOD);
	again = map_ring(fd, 8, PROT_READ);
	check("mapped twice it is the same", again && again->data_head == page->data_head, true);
	check_refused("with another size", map_ring(fd, 4, PROT_READ) ? 0 : -1, EINVAL);
	unmap_ring(page, 8);
	check("the other mapping stays", again->data_size, 8 * PAGE);
	check("a part is unmapped", (uint64_t)munmap((char *)again + 4 * PAGE, PAGE), 0);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	turn(TURNS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	check_exact("and records come still", again->data_head > again->data_tail, true);
	munmap(again, 9 * PAGE);
	page = map_ring(fd, 4, PROT_READ);
	check("then another size will do", page && page->data_size == 4 * PAGE, true);
	unmap_ring(page, 4);
	close(fd);
}

static uint64_t clock_ns(int clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void check_clock(int clock, uint32_t type, uint64_t config, uint64_t period)
{
	struct perf_event_attr attr = instructions();
	struct perf_event_mmap_page *page;
	uint64_t before, after, sampled;
	int fd;

	attr.type = type;
	attr.config = config;
	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_TIME;
	attr.use_clockid = 1;
	attr.clockid = clock;
	before = clock_ns(clock);
	fd = must_open(&attr, 0, -1, -1, 0);
	page = map_ring(fd, 8, PROT_READ | PROT_WRITE);
	/* With several CPUs a busy host may be late with the timer of a software event. */
	for (int i = 0; i < 1000 && !__atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE); i++)
		turn(TURNS);
	after = clock_ns(clock);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	/* The first record, after its header. */
	memcpy(&sampled, (char *)page + PAGE + sizeof(struct perf_event_header), sizeof(sampled));
	check("a sample's time by its clock", sampled > before && sampled < after, true);
	check("no time by the TSC for records of another clock", page->cap_user_time_zero, 0);
	unmap_ring(page, 8);
	close(fd);
}

/* use_clockid: times of samples are those that clock_gettime(2) has. */
static void check_clocks(void)
{
	static const int software[] = {CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_TAI};
	struct perf_event_attr attr = instructions();

	check_clock(CLOCK_MONOTONIC, attr.type, attr.config, PERIOD);
	check_clock(CLOCK_MONOTONIC_RAW, attr.type, attr.config, PERIOD);
	for (size_t i = 0; i < sizeof(software) / sizeof(software[0]); i++) {
		check_clock(software[i], PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 10000);
		attr.use_clockid = 1;
		attr.clockid = software[i];
		check_refused("a clock that no NMI may read", perf_open(&attr, 0, -1, -1, 0),
			      EINVAL);
	}
}

/* The event exists as long as its mapping. */
static void check_lifetime(void)
{
	const int fd = open_sampling(0, 0);
	struct perf_event_mmap_page *page = map_ring(fd, 8, PROT_READ | PROT_WRITE);
	uint64_t before;

	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	close(fd);
	before = page->data_head;
	turn(TURNS);
	check_exact("a mapping holds the event", page->data_head > before, true);
	unmap_ring(page, 8);
}

static void check_redirection(void)
{
	const int to = open_sampling(0, 0), from = open_sampling(0, 0);
	struct perf_event_mmap_page *page = map_ring(to, 8, PROT_READ | PROT_WRITE);

	check("output into another ring", (uint64_t)ioctl(from, PERF_EVENT_IOC_SET_OUTPUT, to), 0);
	check_refused("of what has a ring", ioctl(to, PERF_EVENT_IOC_SET_OUTPUT, from), EINVAL);
	ioctl(from, PERF_EVENT_IOC_ENABLE, 0);
	turn(TURNS);
	ioctl(from, PERF_EVENT_IOC_DISABLE, 0);
	check_overflows("its samples are there", take_records(page, PERF_RECORD_SAMPLE),
			value_of(from) / PERIOD);
	check("output is paused", (uint64_t)ioctl(to, PERF_EVENT_IOC_PAUSE_OUTPUT, 1), 0);
	ioctl(from, PERF_EVENT_IOC_ENABLE, 0);
	turn(TURNS);
	ioctl(from, PERF_EVENT_IOC_DISABLE, 0);
	check("then none come", take_records(page, PERF_RECORD_SAMPLE), 0);
	ioctl(to, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
	check("output to nowhere", (uint64_t)ioctl(from, PERF_EVENT_IOC_SET_OUTPUT, -1), 0);
	unmap_ring(page, 8);
	close(from);
	close(to);
}

static struct perf_event_attr sampling(void)
{
	struct perf_event_attr attr = instructions();

	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	attr.disabled = 1;
	return attr;
}

/* The flags of opening: output without a group, and a file descriptor that names no group. */
static void check_flags(void)
{
	const struct perf_event_attr attr = sampling();
	const int to = open_sampling(0, 0);
	struct perf_event_mmap_page *page = map_ring(to, 8, PROT_READ | PROT_WRITE);
	const int output = must_open(&attr, 0, -1, to, PERF_FLAG_FD_OUTPUT | PERF_FLAG_FD_NO_GROUP),
		  both = must_open(&attr, 0, -1, to, PERF_FLAG_FD_OUTPUT),
		  alone = must_open(&attr, 0, -1, to, PERF_FLAG_FD_NO_GROUP);

	ioctl(output, PERF_EVENT_IOC_ENABLE, 0);
	turn(TURNS);
	ioctl(output, PERF_EVENT_IOC_DISABLE, 0);
	check_overflows("FD_OUTPUT: its samples are the leader's",
			take_records(page, PERF_RECORD_SAMPLE), value_of(output) / PERIOD);
	check("FD_NO_GROUP: it counts without the leader", value_of(output) >= 2 * TURNS, true);
	ioctl(both, PERF_EVENT_IOC_ENABLE, 0);
	turn(TURNS);
	check("in a group it does not", value_of(both), 0);
	ioctl(to, PERF_EVENT_IOC_ENABLE, 0);
	turn(TURNS);
	ioctl(to, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	check("and with the leader it does", value_of(both) >= 2 * TURNS, true);
	take_records(page, PERF_RECORD_SAMPLE);
	ioctl(alone, PERF_EVENT_IOC_ENABLE, 0);
	turn(TURNS);
	ioctl(alone, PERF_EVENT_IOC_DISABLE, 0);
	check("FD_NO_GROUP alone: no samples there", take_records(page, PERF_RECORD_SAMPLE), 0);
	check("but counts", value_of(alone) >= 2 * TURNS, true);
	unmap_ring(page, 8);
	close(output);
	close(both);
	close(alone);
	check("FD_OUTPUT into no ring",
	      (uint64_t)(perf_open(&attr, 0, -1, to, PERF_FLAG_FD_OUTPUT) == -1 ? errno : 0),
	      EINVAL);
	check("FD_OUTPUT without another event",
	      perf_open(&attr, 0, -1, -1, PERF_FLAG_FD_OUTPUT) >= 0, true);
	close(to);
}

/* --- Children --- */

/* The events of a child, which waits for a byte before it turns. */
struct child {
	pid_t pid;
	int go[2];
};

static void start_child(struct child *c)
{
	char byte;

	if (pipe(c->go))
		exit(1);
	c->pid = fork();
	if (c->pid)
		return;
	close(c->go[1]);
	if (read(c->go[0], &byte, 1) == 1)
		turn(4 * TURNS);
	_exit(0);
}

static void let_go(const struct child *c)
{
	if (write(c->go[1], "x", 1) != 1)
		exit(1);
}

static void end_child(const struct child *c)
{
	waitpid(c->pid, NULL, 0);
	close(c->go[0]);
	close(c->go[1]);
}

static int run_child(void (*fn)(int fd), int fd)
{
	const pid_t pid = fork();
	int status = -1;

	if (!pid) {
		fn(fd);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void turn_once(int fd)
{
	(void)fd;
	turn(TURNS);
}

static void turn_and_control(int fd)
{
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

/* perf_event_paranoid is 2: a program measures itself and its children in ring 3, and no others. */
static void measure_parent(int fd)
{
	struct perf_event_attr attr = instructions();
	const int parent = perf_open(&attr, getppid(), -1, -1, 0);

	(void)fd;
	if (parent != -1 || errno != EACCES)
		_exit(1);
}

static void check_rules(void)
{
	struct perf_event_attr attr = instructions();
	struct child child;
	int fd;

	check("a child may not measure its parent", (uint64_t)run_child(measure_parent, -1), 0);
	start_child(&child);
	fd = perf_open(&attr, child.pid, -1, -1, 0);
	check("a parent may measure its child", fd >= 0, true);
	let_go(&child);
	end_child(&child);
	check("all that it did", value_of(fd) >= 8 * TURNS, true);
	close(fd);
	check_refused("a task that is gone", perf_open(&attr, child.pid, -1, -1, 0), ESRCH);
	check_refused("a CPU", perf_open(&attr, -1, 0, -1, 0), EACCES);
	attr.exclude_kernel = 0;
	check_refused("ring 0", perf_open(&attr, 0, -1, -1, 0), EACCES);
}

static void check_inheritance(void)
{
	struct perf_event_attr attr = instructions();
	uint64_t before;
	int own, family;

	own = must_open(&attr, 0, -1, -1, 0);
	attr.inherit = 1;
	family = must_open(&attr, 0, -1, -1, 0);
	before = value_of(family) - value_of(own);
	check("a child ends well", (uint64_t)run_child(turn_once, -1), 0);
	check_exact("its turns are inherited",
		    value_of(family) - value_of(own) - before - 2 * TURNS < 20000, true);
	check_refused("no ring for a family of any CPU", map_ring(family, 8, PROT_READ) ? 0 : -1,
		      EINVAL);
	run_child(turn_and_control, own);
	before = value_of(own);
	turn(TURNS);
	check("a child has the file, too", value_of(own), before);
	close(own);
	close(family);
}

static void touch_ring(int fd)
{
	(void)fd;
}

static struct perf_event_mmap_page *parents_ring;

static void touch_parents_ring(int fd)
{
	(void)fd;
	(void)*(volatile uint32_t *)&parents_ring->version;
}

static void check_ring_of_parent(void)
{
	const int fd = open_sampling(0, 0);

	parents_ring = map_ring(fd, 8, PROT_READ | PROT_WRITE);
	check("a child of a process with a ring", (uint64_t)run_child(touch_ring, fd), 0);
	check("does not have the ring", (uint64_t)run_child(touch_parents_ring, fd), 128 + SIGSEGV);
	check("the parent has", parents_ring->data_size, 8 * PAGE);
	unmap_ring(parents_ring, 8);
	close(fd);
}

/* Counts from the first instruction of the program on: twice the same. */
static uint64_t count_program(const char *self)
{
	struct perf_event_attr attr = instructions();
	int go[2], fd, status;
	uint64_t value;
	pid_t pid;
	char c;

	if (pipe(go))
		return 0;
	pid = fork();
	if (!pid) {
		close(go[1]);
		if (read(go[0], &c, 1) >= 0)
			execl(self, self, "turns", NULL);
		_exit(1);
	}
	attr.disabled = 1;
	attr.enable_on_exec = 1;
	attr.inherit = 1;
	fd = must_open(&attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	close(go[0]);
	close(go[1]);
	waitpid(pid, &status, 0);
	value = value_of(fd);
	close(fd);
	return value;
}

static void check_exec(const char *self)
{
	const uint64_t first = count_program(self), second = count_program(self);

	check("a program is counted from exec on", first > 2 * TURNS, true);
	check_exact("twice the same", first, second);
}

/* exec closes only close-on-exec descriptors: the program's status tells which are open. */
static void check_exec_files(const char *self)
{
	struct perf_event_attr attr = instructions();
	const int stays = must_open(&attr, 0, -1, -1, 0),
		  closes = must_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	char first[16], second[16];
	int status;
	pid_t pid;

	snprintf(first, sizeof(first), "%d", stays);
	snprintf(second, sizeof(second), "%d", closes);
	pid = fork();
	if (!pid) {
		execl(self, self, "files", first, second, NULL);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	check("files over exec", (uint64_t)WEXITSTATUS(status), 1);
	close(stays);
	close(closes);
}

/* --- Waiting --- */

static void *turn_thread(void *tid)
{
	__atomic_store_n((pid_t *)tid, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
	turn(4 * TURNS);
	return NULL;
}

static void check_poll(void)
{
	struct perf_event_mmap_page *page;
	struct pollfd p = {.events = POLLIN};
	unsigned samples = 0, told = 0;
	struct child child;

	start_child(&child);
	p.fd = open_sampling(child.pid, 16);
	check("without a ring poll hangs up", poll(&p, 1, 0) == 1 && p.revents == POLLHUP, true);
	page = map_ring(p.fd, 8, PROT_READ | PROT_WRITE);
	ioctl(p.fd, PERF_EVENT_IOC_ENABLE, 0);
	check("nothing is there yet", (uint64_t)poll(&p, 1, 0), 0);
	let_go(&child);
	while (poll(&p, 1, -1) == 1 && p.revents & POLLIN) {
		samples += take_records(page, PERF_RECORD_SAMPLE);
		told++;
	}
	check("poll ends with the task", (uint64_t)p.revents, POLLHUP);
	samples += take_records(page, PERF_RECORD_SAMPLE);
	check_overflows("samples of the child", samples, value_of(p.fd) / PERIOD);
	check_exact("told of each few of them", told >= samples / 64 && told <= samples / 16 + 1,
		    true);
	end_child(&child);
	unmap_ring(page, 8);
	close(p.fd);
}

static void check_select_and_epoll(void)
{
	struct epoll_event event = {.events = EPOLLIN}, got = {0};
	struct perf_event_mmap_page *page;
	const int all = epoll_create1(0);
	struct child child;
	fd_set set;
	int fd;

	start_child(&child);
	fd = open_sampling(child.pid, 16);
	page = map_ring(fd, 8, PROT_READ | PROT_WRITE);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	epoll_ctl(all, EPOLL_CTL_ADD, fd, &event);
	let_go(&child);
	check("epoll is told", (uint64_t)epoll_wait(all, &got, 1, -1), 1);
	check_exact("... of records", got.events & EPOLLIN, EPOLLIN);
	FD_ZERO(&set);
	FD_SET(fd, &set);
	check("select is told", (uint64_t)select(fd + 1, &set, NULL, NULL, NULL), 1);
	end_child(&child);
	unmap_ring(page, 8);
	close(all);
	close(fd);
}

/* --- Signals --- */

static volatile sig_atomic_t signals, hangups, last_fd, last_band;

static void count_fd_signal(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	signals++;
	hangups += info->si_code == POLL_HUP;
	last_fd = info->si_fd;
	last_band = (int)info->si_band;
}

static void catch (int number)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = count_fd_signal;
	action.sa_flags = SA_SIGINFO;
	sigaction(number, &action, NULL);
}

static void check_signals(void)
{
	struct perf_event_attr attr = instructions();
	struct f_owner_ex owner = {F_OWNER_TID, (pid_t)syscall(SYS_gettid)}, is;
	int fd;

	attr.sample_period = 10000;
	attr.disabled = 1;
	fd = must_open(&attr, 0, -1, -1, 0);
	catch (SIGRTMIN);
	fcntl(fd, F_SETSIG, SIGRTMIN);
	fcntl(fd, F_SETOWN_EX, &owner);
	fcntl(fd, F_GETOWN_EX, &is);
	check("the owner", is.type == owner.type && is.pid == owner.pid, true);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	turn(TURNS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	check_overflows("a signal for each overflow", (uint64_t)signals, value_of(fd) / 10000);
	check("of the file", (uint64_t)last_fd, (uint64_t)fd);
	check("with its band", (uint64_t)last_band, POLLIN | POLLRDNORM);
	signals = 0;
	ioctl(fd, PERF_EVENT_IOC_REFRESH, 3);
	turn(TURNS);
	check_exact("no more than the limit", (uint64_t)signals, 3);
	check_exact("the last one says so", (uint64_t)hangups, 1);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_ASYNC);
	ioctl(fd, PERF_EVENT_IOC_REFRESH, 3);
	turn(TURNS);
	check_exact("none without O_ASYNC", (uint64_t)signals, 3);
	close(fd);
	catch (SIGIO);
	fd = must_open(&attr, 0, -1, -1, 0);
	fcntl(fd, F_SETOWN, getpid());
	fcntl(fd, F_SETFL, O_RDWR | O_ASYNC);
	signals = 0;
	ioctl(fd, PERF_EVENT_IOC_REFRESH, 1);
	turn(TURNS);
	check_exact("SIGIO to the process", (uint64_t)signals, 1);
	close(fd);
}

/* --- SIGTRAP, and what goes with exec --- */

static volatile sig_atomic_t traps, trap_code, trap_type, trap_flags;
static volatile uint64_t trap_data, trap_address;

/* <asm/siginfo.h>, which libc's headers hide. */
#define PERF_TRAP       6        /* TRAP_PERF */
#define PERF_TRAP_ASYNC (1 << 0) /* TRAP_PERF_FLAG_ASYNC */
struct perf_siginfo {
	int number, error, code;
	uint64_t address, data;
	uint32_t type, flags;
};

static void on_trap(int number, siginfo_t *info, void *context)
{
	struct perf_siginfo perf;

	(void)number;
	(void)context;
	memcpy(&perf, info, sizeof(perf));
	traps++;
	trap_code = perf.code;
	trap_type = (int)perf.type;
	trap_data = perf.data;
	trap_flags = (int)perf.flags;
	trap_address = perf.address;
}

static volatile uint64_t watched;

static int open_watchpoint(void)
{
	struct perf_event_attr attr = instructions();

	attr.type = PERF_TYPE_BREAKPOINT;
	attr.config = 0;
	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_addr = (uint64_t)&watched;
	attr.bp_len = sizeof(watched);
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_ADDR;
	attr.sigtrap = attr.remove_on_exec = 1;
	attr.sig_data = 0x123456789abcdef0;
	return must_open(&attr, 0, -1, -1, 0);
}

static void check_traps_of_a_watchpoint(void)
{
	const int fd = open_watchpoint();
	sigset_t set;

	traps = 0;
	watched = 1;
	check("a trap right behind the write", (uint64_t)traps, 1);
	check("its code", (uint64_t)trap_code, PERF_TRAP);
	check("its type", (uint64_t)trap_type, PERF_TYPE_BREAKPOINT);
	check("its data", trap_data, 0x123456789abcdef0);
	check("its address", trap_address, (uint64_t)&watched);
	check("it is not late", (uint64_t)trap_flags, 0);
	for (int i = 0; i < 100; i++)
		watched = (uint64_t)i;
	check("a trap for each write", (uint64_t)traps, 101);
	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	watched = 2;
	check("none while it is blocked", (uint64_t)traps, 101);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	check("then it comes", (uint64_t)traps, 102);
	check("late", (uint64_t)trap_flags, PERF_TRAP_ASYNC);
	close(fd);
}

static void check_traps(void)
{
	struct perf_event_attr attr = instructions();
	struct sigaction action;
	int fd;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_trap;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGTRAP, &action, NULL);
	attr.sigtrap = 1;
	check_refused("a trap without remove_on_exec", perf_open(&attr, 0, -1, -1, 0), EINVAL);
	attr.remove_on_exec = 1;
	attr.enable_on_exec = 1;
	check_refused("removed and enabled on exec", perf_open(&attr, 0, -1, -1, 0), EINVAL);
	attr.enable_on_exec = 0;
	check_refused("traps of a CPU", perf_open(&attr, -1, 0, -1, 0), EINVAL);
	attr.sample_period = 50000;
	attr.disabled = 1;
	fd = must_open(&attr, 0, -1, -1, 0);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	turn(TURNS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	check_overflows("a trap for each period", (uint64_t)traps, value_of(fd) / 50000);
	check_exact("of instructions", (uint64_t)trap_type, PERF_TYPE_HARDWARE);
	close(fd);
	check_traps_of_a_watchpoint();
}

/* Two events of a child: one goes with exec, the other counts on. */
static void check_removal(const char *self)
{
	struct perf_event_attr attr = instructions();
	int go[2], goes, stays, status;
	uint64_t before;
	pid_t pid;
	char c;

	if (pipe(go))
		exit(1);
	pid = fork();
	if (!pid) {
		close(go[1]);
		if (read(go[0], &c, 1) == 1)
			execl(self, self, "turns", NULL);
		_exit(1);
	}
	stays = must_open(&attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	attr.inherit = 1;
	attr.remove_on_exec = 1;
	check_refused("a group of which a part is removed", perf_open(&attr, pid, -1, stays, 0),
		      EINVAL);
	goes = must_open(&attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	before = value_of(goes);
	if (write(go[1], "x", 1) != 1)
		exit(1);
	waitpid(pid, &status, 0);
	check("the child ends", (uint64_t)status, 0);
	check("what stays counts the program", value_of(stays) > 2 * TURNS, true);
	check_exact("what is removed does not", value_of(goes) - before < 10000, true);
	check("and can still be read", value_of(goes) != UINT64_MAX, true);
	close(go[0]);
	close(go[1]);
	close(goes);
	close(stays);
}

/* A child's own exec removes the event that it inherited; the parent goes on. */
static void check_removal_of_inherited(const char *self)
{
	struct perf_event_attr attr = instructions();
	uint64_t before;
	pid_t pid;
	int fd;

	attr.inherit = 1;
	attr.remove_on_exec = 1;
	fd = must_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	before = value_of(fd);
	pid = fork();
	if (!pid) {
		execl(self, self, "turns", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	check_exact("a child's program is not counted", value_of(fd) - before < 20000, true);
	before = value_of(fd);
	turn(TURNS);
	check("its parent is", value_of(fd) - before >= 2 * TURNS, true);
	close(fd);
}

/* --- RDPMC and prctl(2) --- */

/* All readings use the same code, so that differences come from the code between them. */
static __attribute__((noinline)) uint64_t read_around(
	const volatile struct perf_event_mmap_page *page, uint64_t turns);

static uint64_t read_by_rdpmc(const volatile struct perf_event_mmap_page *page)
{
	uint32_t sequence, low, high;
	uint64_t count;

	do {
		sequence = page->lock;
		__asm__ volatile("" ::: "memory");
		count = (uint64_t)page->offset;
		if (page->index) {
			__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(page->index - 1));
			count += (uint64_t)((int64_t)(((uint64_t)high << 32 | low)
						      << (64 - page->pmc_width)) >>
					    (64 - page->pmc_width));
		}
		__asm__ volatile("" ::: "memory");
	} while (page->lock != sequence);
	return count;
}

/* Returns the count between two readings. */
static uint64_t read_around(const volatile struct perf_event_mmap_page *page, uint64_t turns)
{
	const uint64_t before = read_by_rdpmc(page);

	turn(turns);
	return read_by_rdpmc(page) - before;
}

static void check_rdpmc(void)
{
	struct perf_event_attr attr = instructions();
	const int fd = must_open(&attr, 0, -1, -1, 0);
	struct perf_event_mmap_page *page = map_ring(fd, 0, PROT_READ);
	uint64_t first, once, twice;

	check("RDPMC may be used", page->cap_user_rdpmc, 1);
	once = read_around(page, TURNS);
	twice = read_around(page, 2 * TURNS);
	check_exact("RDPMC: instructions of the turns", twice - once, 2 * TURNS);
	prctl(PR_TASK_PERF_EVENTS_DISABLE);
	first = value_of(fd);
	turn(TURNS);
	check("prctl stops all events", value_of(fd), first);
	prctl(PR_TASK_PERF_EVENTS_ENABLE);
	turn(TURNS);
	check("and lets them go on", value_of(fd) > first + 2 * TURNS, true);
	munmap(page, PAGE);
	close(fd);
}

static void check_thread(void)
{
	struct perf_event_attr attr = instructions();
	uint64_t before;
	pthread_t thread;
	pid_t tid = 0;
	int fd;

	attr.inherit = 1;
	attr.inherit_thread = 1;
	fd = must_open(&attr, 0, -1, -1, 0);
	pthread_create(&thread, NULL, turn_thread, &tid);
	pthread_join(thread, NULL);
	check("a thread is inherited", value_of(fd) > 8 * TURNS, true);
	before = value_of(fd);
	run_child(turn_once, -1);
	check_exact("a process is not", value_of(fd) - before < 20000, true);
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "turns")) {
		turn(TURNS);
		return 0;
	}
	estimates = argc > 1 && !strcmp(argv[1], "estimates");
	if (argc > 3)
		return (fcntl(atoi(argv[2]), F_GETFD) >= 0) +
		       2 * (fcntl(atoi(argv[3]), F_GETFD) >= 0);
	setvbuf(stdout, NULL, _IOLBF, 0);
	check_counting();
	check_group();
	check_refusals();
	check_ring();
	check_clocks();
	check_lifetime();
	check_redirection();
	check_flags();
	check_rules();
	check_inheritance();
	check_ring_of_parent();
	check_exec(argv[0]);
	check_exec_files(argv[0]);
	check_poll();
	check_select_and_epoll();
	check_signals();
	check_traps();
	check_removal(argv[0]);
	check_removal_of_inherited(argv[0]);
	check_rdpmc();
	check_thread();
	printf("%d failed\n", failed);
	return failed != 0;
}
