// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys_user.c - the user of a process: user, groups, capabilities. The first process is root, which
 * can become any user. Other users can only take ids that they already have. Root has all
 * capabilities, and other users have none; capset(2) changes nothing.
 */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "lib/string.h"
#include "linux/task/sched.h"

#include <asm/unistd_64.h>
#include <linux/capability.h>
#include <linux/errno.h>

#define KEEP UINT32_MAX /* leaves the id unchanged */

static struct credentials *own(void)
{
	return &sched_current()->process->credentials;
}

static bool is_root(void)
{
	return !own()->user.effective;
}

/* --- One id --- */

static long set_all(struct credential_ids *ids, uint32_t id)
{
	if (id == KEEP)
		return -EINVAL;
	if (is_root())
		*ids = (struct credential_ids){id, id, id, id};
	else if (id == ids->real || id == ids->saved)
		ids->effective = ids->file = id;
	else
		return -EPERM;
	return 0;
}

static bool may_be(const struct credential_ids *ids, uint32_t id)
{
	return id == KEEP || is_root() || id == ids->real || id == ids->effective ||
	       id == ids->saved;
}

static void keep_or_set(uint32_t *to, uint32_t id)
{
	*to = id == KEEP ? *to : id;
}

static long set_three(struct credential_ids *ids, uint32_t real, uint32_t effective, uint32_t saved)
{
	if (!may_be(ids, real) || !may_be(ids, effective) || !may_be(ids, saved))
		return -EPERM;
	keep_or_set(&ids->real, real);
	keep_or_set(&ids->effective, effective);
	keep_or_set(&ids->saved, saved);
	ids->file = ids->effective;
	return 0;
}

/* The saved id becomes the effective one, unless the real id is kept, and the effective one is
 * kept, too, or set to the real one. */
static long set_two(struct credential_ids *ids, uint32_t real, uint32_t effective)
{
	const bool follows = real != KEEP || (effective != KEEP && effective != ids->real);

	if (real != KEEP && !is_root() && real != ids->real && real != ids->effective)
		return -EPERM;
	if (!may_be(ids, effective))
		return -EPERM;
	keep_or_set(&ids->real, real);
	keep_or_set(&ids->effective, effective);
	if (follows)
		ids->saved = ids->effective;
	ids->file = ids->effective;
	return 0;
}

static long set_file(struct credential_ids *ids, uint32_t id)
{
	const uint32_t old = ids->file;

	if (id != KEEP && (may_be(ids, id) || id == ids->file))
		ids->file = id;
	return old;
}

static long put_three(const struct credential_ids *ids, const struct trap_frame *f)
{
	return copy_to_user(f->rdi, &ids->real, sizeof(ids->real)) ||
			       copy_to_user(f->rsi, &ids->effective, sizeof(ids->effective)) ||
			       copy_to_user(f->rdx, &ids->saved, sizeof(ids->saved))
		       ? -EFAULT
		       : 0;
}

/* --- Rows, for users and groups --- */

#define ID_CALLS(kind, id)                                                           \
	static long sys_set##id(struct trap_frame *f)                                \
	{                                                                            \
		return set_all(&own()->kind, (uint32_t)f->rdi);                      \
	}                                                                            \
	static long sys_setre##id(struct trap_frame *f)                              \
	{                                                                            \
		return set_two(&own()->kind, (uint32_t)f->rdi, (uint32_t)f->rsi);    \
	}                                                                            \
	static long sys_setres##id(struct trap_frame *f)                             \
	{                                                                            \
		return set_three(&own()->kind, (uint32_t)f->rdi, (uint32_t)f->rsi,   \
				 (uint32_t)f->rdx);                                  \
	}                                                                            \
	static long sys_getres##id(struct trap_frame *f)                             \
	{                                                                            \
		return put_three(&own()->kind, f);                                   \
	}                                                                            \
	static long sys_setfs##id(struct trap_frame *f)                              \
	{                                                                            \
		return set_file(&own()->kind, (uint32_t)f->rdi);                     \
	}                                                                            \
	static long sys_get##id(struct trap_frame *f)                                \
	{                                                                            \
		(void)f;                                                             \
		return own()->kind.real;                                             \
	}                                                                            \
	static long sys_gete##id(struct trap_frame *f)                               \
	{                                                                            \
		(void)f;                                                             \
		return own()->kind.effective;                                        \
	}                                                                            \
	static USER_BRIEF long brief_get##id(uint64_t a0, uint64_t a1, uint64_t a2)  \
	{                                                                            \
		(void)a0, (void)a1, (void)a2;                                        \
		return sched_current()->process->credentials.kind.real;              \
	}                                                                            \
	static USER_BRIEF long brief_gete##id(uint64_t a0, uint64_t a1, uint64_t a2) \
	{                                                                            \
		(void)a0, (void)a1, (void)a2;                                        \
		return sched_current()->process->credentials.kind.effective;         \
	}
ID_CALLS(user, uid)
ID_CALLS(group, gid)

/* --- Further groups --- */

static long sys_getgroups(struct trap_frame *f)
{
	const struct credentials *c = own();
	const int room = (int)f->rdi;

	if (!room)
		return c->ngroups;
	if (room < 0 || (unsigned)room < c->ngroups)
		return -EINVAL;
	if (c->ngroups && copy_to_user(f->rsi, c->groups, c->ngroups * sizeof(*c->groups)))
		return -EFAULT;
	return c->ngroups;
}

static long sys_setgroups(struct trap_frame *f)
{
	uint32_t groups[CREDENTIALS_GROUPS_MOST];
	struct credentials *c = own();
	const uint64_t n = (unsigned)f->rdi;

	if (!is_root())
		return -EPERM;
	if (n > CREDENTIALS_GROUPS_MOST)
		return -EINVAL;
	if (n && copy_from_user(groups, f->rsi, n * sizeof(*groups)))
		return -EFAULT;
	memcpy(c->groups, groups, n * sizeof(*groups));
	c->ngroups = (unsigned)n;
	return 0;
}

/* --- Capabilities --- */

static long check_header(uint64_t from, struct __user_cap_header_struct *head)
{
	const uint32_t known = _LINUX_CAPABILITY_VERSION_3;

	if (copy_from_user(head, from, sizeof(*head)))
		return -EFAULT;
	if (head->version == known)
		return head->pid && head->pid != (int)sched_current()->pid ? -ESRCH : 0;
	return copy_to_user(from, &known, sizeof(known)) ? -EFAULT : -EINVAL;
}

static long sys_capget(struct trap_frame *f)
{
	const uint64_t all = is_root() ? (2ull << CAP_LAST_CAP) - 1 : 0;
	const uint32_t low = (uint32_t)all, high = (uint32_t)(all >> 32);
	const struct __user_cap_data_struct data[] = {{low, low, 0}, {high, high, 0}};
	struct __user_cap_header_struct head;
	const long err = check_header(f->rdi, &head);

	if (err)
		return err == -EINVAL && !f->rsi ? 0 : err;
	return f->rsi && copy_to_user(f->rsi, data, sizeof(data)) ? -EFAULT : 0;
}

static long sys_capset(struct trap_frame *f)
{
	struct __user_cap_header_struct head;

	return check_header(f->rdi, &head);
}

#define ID_ROWS(id)                                                                              \
	{__NR_get##id, sys_get##id}, {__NR_gete##id, sys_gete##id}, {__NR_set##id, sys_set##id}, \
		{__NR_setre##id, sys_setre##id}, {__NR_setres##id, sys_setres##id},              \
		{__NR_getres##id, sys_getres##id},                                               \
	{                                                                                        \
		__NR_setfs##id, sys_setfs##id                                                    \
	}

const struct syscall_row syscall_user_rows[] = {
	ID_ROWS(uid),
	ID_ROWS(gid),
	{__NR_getgroups, sys_getgroups},
	{__NR_setgroups, sys_setgroups},
	{__NR_capget, sys_capget},
	{__NR_capset, sys_capset},
	{0, NULL},
};

const struct syscall_brief_row syscall_user_brief[] = {
	{__NR_getuid, brief_getuid},
	{__NR_geteuid, brief_geteuid},
	{__NR_getgid, brief_getgid},
	{__NR_getegid, brief_getegid},
	{0, NULL},
};
