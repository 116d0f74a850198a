// SPDX-License-Identifier: BSD-2-Clause
/* proc_pid.c - /proc/<pid> and /proc/<pid>/task/<tid>, except files about memory: proc_memory.c. */
#include "linux/proc/proc_parts.h"

#include "lib/time.h"
#include "linux/file/fd_table.h"
#include "linux/tree/tree.h"
#include "linux/tree/proc_text.h"
#include "linux/program/file_map.h"
#include "linux/task/run_files.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#define ULL(n)      ((unsigned long long)(n))
#define NS_PER_TICK (NSEC_PER_SEC / 100)

/* --- Memory of a process, as text --- */

static void add_memory(struct text *text, struct mm *mm, uint64_t start, uint64_t end)
{
	while (mm && start < end) {
		const uint64_t in_page = start % PAGE_SIZE, n = end - start < PAGE_SIZE - in_page
									? end - start
									: PAGE_SIZE - in_page;
		uint64_t pte;

		lock_take(&mm->lock);
		pte = space_entry(&mm->space, start);
		if (pte)
			text_add(text, (const char *)virt_of(pte & PTE_ADDRESS) + in_page, n);
		lock_release(&mm->lock);
		if (!pte)
			break;
		start += n;
	}
}

static int write_auxv(const uint64_t *id, struct text *text)
{
	struct proc_seen s;
	int err = proc_see(id, false, &s);

	if (err)
		return err;
	if (s.mm)
		add_memory(text, s.mm, s.mm->aux_start, s.mm->aux_end);
	proc_unsee(&s);
	return 0;
}

static int write_environ(const uint64_t *id, struct text *text)
{
	struct proc_seen s;
	int err = proc_see(id, false, &s);

	if (err)
		return err;
	if (s.mm)
		add_memory(text, s.mm, s.mm->env_start, s.mm->env_end);
	proc_unsee(&s);
	return 0;
}

/* A built-in program has its words as numbers only: they are shown as the user wrote them. */
static void add_words(struct text *text, const char *title)
{
	for (; *title; title++)
		text_add(text, *title == ' ' ? "" : title, 1);
	text_add(text, "", 1);
}

static int write_cmdline(const uint64_t *id, struct text *text)
{
	struct proc_seen s;
	int err = proc_see(id, false, &s);

	if (err)
		return err;
	if (s.mm && s.mm->args_end)
		add_memory(text, s.mm, s.mm->args_start, s.mm->args_end);
	else if (s.mm && s.call)
		add_words(text, s.call->title);
	proc_unsee(&s);
	return 0;
}

/* --- Links --- */

static int write_self(const uint64_t *id, struct text *text)
{
	(void)id;
	text_print(text, "%u", sched_current()->pid);
	return 0;
}

static int write_thread_self(const uint64_t *id, struct text *text)
{
	(void)id;
	text_print(text, "%u/task/%u", sched_current()->pid, sched_current()->tid);
	return 0;
}

/* The root of the calling process. */
static struct inode *own_root(void)
{
	return sched_current()->process->view.root;
}

/* Gets the target of such a link, with a reference; NULL: there is none. */
typedef struct inode *target_fn(const struct proc_seen *s);

static struct inode *target_cwd(const struct proc_seen *s)
{
	return s->view.cwd ? inode_get(s->view.cwd) : NULL;
}

static struct inode *target_root(const struct proc_seen *s)
{
	return s->view.root ? inode_get(s->view.root) : NULL;
}

static struct inode *target_exe(const struct proc_seen *s)
{
	struct inode *inode = s->mm ? file_map_inode(s->mm->exe) : NULL;

	return inode || !s->mm || !s->mm->exe ? inode : run_image_inode();
}

static int jump_to(const uint64_t *id, target_fn *target, struct inode **to)
{
	struct proc_seen s;
	int err = proc_see(id, false, &s);

	if (err)
		return err;
	*to = target(&s);
	proc_unsee(&s);
	return *to ? 0 : -ENOENT;
}

/* A built-in program's file is in the tree of built-in programs, whichever tree the caller uses. */
static int write_target(const uint64_t *id, target_fn *target, struct text *text)
{
	struct inode *inode;
	int err = jump_to(id, target, &inode);

	if (err)
		return err;
	if (inode == own_root())
		text_print(text, "/");
	else
		err = inode_path(inode, own_root(), text);
	if (err == -ENOENT && target == target_exe) {
		text_print(text, "%s", RUN_IMAGE_PATH);
		err = 0;
	}
	inode_put(inode);
	return err;
}

#define TARGET(name)                                                     \
	static int write_##name(const uint64_t *id, struct text *text)   \
	{                                                                \
		return write_target(id, target_##name, text);            \
	}                                                                \
	static int jump_to_##name(const uint64_t *id, struct inode **to) \
	{                                                                \
		return jump_to(id, target_##name, to);                   \
	}
TARGET(cwd)
TARGET(root)
TARGET(exe)
#undef TARGET

/* --- Open files --- */

static struct fd_table *files_of(const uint64_t *id)
{
	struct proc_seen s;
	struct fd_table *files;

	if (proc_see(id, false, &s))
		return NULL;
	files = s.files ? fd_table_get(s.files) : NULL;
	proc_unsee(&s);
	return files;
}

static bool next_fd(const uint64_t *id, uint64_t *at)
{
	struct fd_table *files = files_of(id);
	const int fd = files && *at <= INT32_MAX ? fd_next(files, (int)*at) : -1;

	fd_table_put(files);
	*at = (uint64_t)fd;
	return fd >= 0;
}

static struct file *file_of(const uint64_t *id)
{
	struct fd_table *files = files_of(id);
	struct file *f = files ? fd_get(files, (int)id[1]) : NULL;

	fd_table_put(files);
	return f;
}

static int write_fd(const uint64_t *id, struct text *text)
{
	struct file *f = file_of(id);
	int err;

	if (!f)
		return -ENOENT;
	err = file_path(f, own_root(), text);
	file_put(f);
	return err;
}

static int write_fdinfo(const uint64_t *id, struct text *text)
{
	struct file *f = file_of(id);

	if (!f)
		return -ENOENT;
	text_print(text, "pos:\t%llu\nflags:\t0%o\nmnt_id:\t1\nino:\t%llu\n", ULL(f->offset),
		   f->flags, ULL(f->inode->number));
	file_put(f);
	return 0;
}

static int jump_to_fd(const uint64_t *id, struct inode **to)
{
	struct file *f = file_of(id);

	if (!f)
		return -ENOENT;
	*to = inode_get(f->inode);
	file_put(f);
	return 0;
}

/* --- Names --- */

static int write_comm(const uint64_t *id, bool thread, struct text *text)
{
	struct proc_seen s;
	int err = proc_see(id, thread, &s);

	if (err)
		return err;
	text_print(text, "%s\n", s.comm);
	proc_unsee(&s);
	return 0;
}

struct new_name {
	const struct process *by;
	char name[TASK_COMM];
};

static int rename_thread(struct task *t, void *arg)
{
	const struct new_name *new = arg;

	if (t->process != new->by)
		return -EINVAL;
	task_set_comm(t, new->name);
	return 0;
}

/* A process may name its own threads only. */
static int store_comm_of(uint64_t tid, const char *bytes, size_t n)
{
	struct new_name new = {.by = sched_current()->process};

	n = n < sizeof(new.name) - 1 ? n : sizeof(new.name) - 1;
	for (size_t i = 0; i < n && bytes[i] != '\n'; i++)
		new.name[i] = bytes[i];
	return task_with((int)tid, rename_thread, &new);
}

static int store_comm(const uint64_t *id, const char *bytes, size_t n)
{
	return store_comm_of(id[0], bytes, n);
}

static int store_thread_comm(const uint64_t *id, const char *bytes, size_t n)
{
	return store_comm_of(id[1], bytes, n);
}

/* --- Numbers --- */

static int write_io(const uint64_t *id, struct text *text)
{
	struct proc_seen s;
	int err = proc_see(id, false, &s);

	if (err)
		return err;
	text_print(text, "rchar: %llu\nwchar: %llu\nsyscr: %llu\nsyscw: %llu\n", ULL(s.io.read),
		   ULL(s.io.written), ULL(s.io.reads), ULL(s.io.writes));
	text_print(text, "read_bytes: 0\nwrite_bytes: 0\ncancelled_write_bytes: 0\n");
	proc_unsee(&s);
	return 0;
}

static int write_limits(const uint64_t *id, struct text *text)
{
	struct proc_seen s;
	int err = proc_see(id, false, &s);

	if (err)
		return err;
	proc_text_limits(text, s.soft, s.hard);
	proc_unsee(&s);
	return 0;
}

#define STAT_SIGNALS 0x7fffffffull /* the signals that fit; the file status has all */

static void put_stat(const struct proc_seen *s, struct text *text)
{
	const struct proc_memory m = proc_measure(s->mm);
	struct proc_stat line = {
		.pid = s->tid,
		.comm = s->comm,
		.state = s->state,
		.parent = s->parent,
		.group = s->group,
		.session = s->session,
		.minor = s->usage.minor_faults,
		.children_minor = s->children.minor_faults,
		.major = s->usage.major_faults,
		.children_major = s->children.major_faults,
		.user = s->usage.user_ns / NS_PER_TICK,
		.sys = s->usage.sys_ns / NS_PER_TICK,
		.children_user = s->children.user_ns / NS_PER_TICK,
		.children_sys = s->children.sys_ns / NS_PER_TICK,
		.began = s->began / NS_PER_TICK,
		.threads = s->threads,
		.bytes = m.all,
		.pages = m.resident / PAGE_SIZE,
		.pages_most = UINT64_MAX,
		.code_start = m.code_start,
		.code_end = m.code_end,
		.pending = (s->pending | s->shared_pending) & STAT_SIGNALS,
		.blocked = s->blocked & STAT_SIGNALS,
		.ignored = s->ignored & STAT_SIGNALS,
		.caught = s->caught & STAT_SIGNALS,
		.exit_signal = s->exit_signal,
		.cpu = s->cpu,
		.exit_code = s->status,
	};

	if (s->mm) {
		line.stack_start = s->mm->stack_start;
		line.brk_start = s->mm->brk_start;
		line.args_start = s->mm->args_start;
		line.args_end = s->mm->args_end;
		line.env_start = s->mm->env_start;
		line.env_end = s->mm->env_end;
	}
	proc_text_stat(text, &line);
}

static int write_stat(const uint64_t *id, bool thread, struct text *text)
{
	struct proc_seen s;
	int err = proc_see(id, thread, &s);

	if (err)
		return err;
	put_stat(&s, text);
	proc_unsee(&s);
	return 0;
}

/* --- status --- */

static void put_credential(struct text *text, const char *name, const struct credential_ids *ids)
{
	text_print(text, "%s:\t%u\t%u\t%u\t%u\n", name, ids->real, ids->effective, ids->saved,
		   ids->file);
}

static void put_ids(const struct proc_seen *s, struct text *text)
{
	static const struct {
		char letter;
		const char *name;
	} states[] = {{'R', "running"}, {'S', "sleeping"}, {'Z', "zombie"},
		      {'X', "dead"},    {'T', "stopped"},  {'t', "tracing stop"}};
	const char *state = "";

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (states[i].letter == s->state)
			state = states[i].name;
	text_print(text, "Name:\t%s\nUmask:\t%04o\nState:\t%c (%s)\n", s->comm, s->view.umask,
		   s->state, state);
	text_print(text, "Tgid:\t%u\nNgid:\t0\nPid:\t%u\nPPid:\t%u\nTracerPid:\t%u\n", s->pid,
		   s->tid, s->parent, s->tracer);
	put_credential(text, "Uid", &s->credentials.user);
	put_credential(text, "Gid", &s->credentials.group);
	text_print(text, "FDSize:\t%u\nGroups:\t", s->files ? s->files->room : 0);
	for (unsigned i = 0; i < s->credentials.ngroups; i++)
		text_print(text, "%u ", s->credentials.groups[i]);
	text_print(text, s->credentials.ngroups ? "\n" : " \n");
	text_print(text, "NStgid:\t%u\nNSpid:\t%u\nNSpgid:\t%u\nNSsid:\t%u\n", s->pid, s->tid,
		   s->group, s->session);
}

static void put_kib(struct text *text, const char *name, uint64_t bytes)
{
	text_print(text, "%s:\t%8llu kB\n", name, ULL(bytes / 1024));
}

static void put_memory(const struct proc_seen *s, struct text *text)
{
	const struct proc_memory m = proc_measure(s->mm);

	if (!s->mm)
		return;
	put_kib(text, "VmPeak", m.most);
	put_kib(text, "VmSize", m.all);
	put_kib(text, "VmLck", m.locked);
	put_kib(text, "VmPin", 0);
	put_kib(text, "VmHWM", m.resident_most > m.resident ? m.resident_most : m.resident);
	put_kib(text, "VmRSS", m.resident);
	put_kib(text, "RssAnon", m.resident - m.resident_of_files);
	put_kib(text, "RssFile", m.resident_of_files - m.resident_shared);
	put_kib(text, "RssShmem", m.resident_shared);
	put_kib(text, "VmData", m.data);
	put_kib(text, "VmStk", m.stack);
	put_kib(text, "VmExe", m.code);
	put_kib(text, "VmLib", m.libraries);
	put_kib(text, "VmSwap", 0);
	put_kib(text, "HugetlbPages", 0);
	text_print(text, "CoreDumping:\t0\nTHP_enabled:\t0\n");
}

#define CAPABILITIES 0x1ffffffffffull /* all that Linux 6.1 has: the user is root */

static void put_signals(const struct proc_seen *s, struct text *text)
{
	text_print(text, "Threads:\t%u\nSigQ:\t%u/%llu\n", s->threads, signal_reserved(),
		   ULL(s->soft[RLIMIT_SIGPENDING]));
	text_print(text, "SigPnd:\t%016llx\nShdPnd:\t%016llx\n", ULL(s->pending),
		   ULL(s->shared_pending));
	text_print(text, "SigBlk:\t%016llx\nSigIgn:\t%016llx\nSigCgt:\t%016llx\n", ULL(s->blocked),
		   ULL(s->ignored), ULL(s->caught));
	text_print(text, "CapInh:\t%016x\nCapPrm:\t%016llx\nCapEff:\t%016llx\n", 0, CAPABILITIES,
		   CAPABILITIES);
	text_print(text, "CapBnd:\t%016llx\nCapAmb:\t%016x\n", CAPABILITIES, 0);
	text_print(text, "NoNewPrivs:\t0\nSeccomp:\t0\nSeccomp_filters:\t0\n");
}

/* Writes its affinity, limited to the present CPUs. */
static void put_cpus(const struct proc_seen *s, struct text *text)
{
	struct cpumask cpus = sys_cpu_all();
	const unsigned n = cpumask_count(&cpus);

	for (unsigned i = 0; i < CPUMASK_WORDS; i++)
		cpus.word[i] &= s->affinity.word[i];
	text_print(text, "Cpus_allowed:\t");
	cpu_text_mask(text, &cpus, n);
	text_print(text, "\nCpus_allowed_list:\t");
	cpu_text_list(text, &cpus);
	text_print(text, "\nMems_allowed:\t1\nMems_allowed_list:\t0\n");
	text_print(text, "voluntary_ctxt_switches:\t%llu\nnonvoluntary_ctxt_switches:\t%llu\n",
		   ULL(s->usage.sleeps), ULL(s->usage.preemptions));
}

static int write_status(const uint64_t *id, bool thread, struct text *text)
{
	struct proc_seen s;
	int err = proc_see(id, thread, &s);

	if (err)
		return err;
	put_ids(&s, text);
	put_memory(&s, text);
	put_signals(&s, text);
	put_cpus(&s, text);
	proc_unsee(&s);
	return 0;
}

/* Defines the writers for the process and for one of its threads. */
#define BOTH(name)                                                       \
	static int write_pid_##name(const uint64_t *id, struct text *to) \
	{                                                                \
		return write_##name(id, false, to);                      \
	}                                                                \
	static int write_tid_##name(const uint64_t *id, struct text *to) \
	{                                                                \
		return write_##name(id, true, to);                       \
	}
BOTH(comm)
BOTH(stat)
BOTH(status)
#undef BOTH

void proc_pid_init(void)
{
	synth_domains.pid.next = proc_next_process;
	synth_domains.tid.next = proc_next_thread;
	synth_domains.fd.next = next_fd;
	synth_writers.proc_self.write = write_self;
	synth_writers.proc_thread_self.write = write_thread_self;
	synth_writers.pid_auxv.write = write_auxv;
	synth_writers.pid_cmdline.write = write_cmdline;
	synth_writers.pid_environ.write = write_environ;
	synth_writers.pid_comm =
		(struct synth_writer){.write = write_pid_comm, .store = store_comm};
	synth_writers.tid_comm =
		(struct synth_writer){.write = write_tid_comm, .store = store_thread_comm};
	synth_writers.pid_cwd = (struct synth_writer){.write = write_cwd, .jump = jump_to_cwd};
	synth_writers.pid_root = (struct synth_writer){.write = write_root, .jump = jump_to_root};
	synth_writers.pid_exe = (struct synth_writer){.write = write_exe, .jump = jump_to_exe};
	synth_writers.pid_fd = (struct synth_writer){.write = write_fd, .jump = jump_to_fd};
	synth_writers.pid_fdinfo.write = write_fdinfo;
	synth_writers.pid_io.write = write_io;
	synth_writers.pid_limits.write = write_limits;
	synth_writers.pid_stat.write = write_pid_stat;
	synth_writers.tid_stat.write = write_tid_stat;
	synth_writers.pid_status.write = write_pid_status;
	synth_writers.tid_status.write = write_tid_status;
}
