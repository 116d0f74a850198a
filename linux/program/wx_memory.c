// SPDX-License-Identifier: BSD-2-Clause
/* wx_memory.c - see wx_memory.h. */
#include "linux/program/wx_memory.h"

#include "lib/lock.h"
#include "lib/string.h"
#include "rt/base/tracepoints.h"
#include "rt/print/print.h"

static bool allowed;

static struct {
	struct lock lock;
	uint64_t count;
	uint32_t tid; /* the first task that was refused */
	char comm[TRACE_COMM];
} refused;

uint64_t wx_allowed(void)
{
	return allowed;
}

int wx_set_allowed(uint64_t value)
{
	allowed = value;
	return 0;
}

void wx_note(uint32_t tid, const char *comm)
{
	lock_take(&refused.lock);
	if (!refused.count++) {
		refused.tid = tid;
		memcpy(refused.comm, comm, sizeof(refused.comm));
	}
	lock_release(&refused.lock);
}

void wx_tell(void)
{
	if (refused.count)
		err("task %u (%s): memory that is both writable and executable was refused: "
		    "EACCES, %llu time%s; `--allow-wx` of perf0, or `sysctl vm.allow_wx=1`, "
		    "allows it\n",
		    refused.tid, refused.comm, (unsigned long long)refused.count,
		    refused.count == 1 ? "" : "s");
	refused.count = 0;
}
