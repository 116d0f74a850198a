/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trace.h - tracepoints: places in the code that report an event. While no event is open on one, it
 * costs a compare and a branch.
 *
 * One definition in a header gives all parts: the structure of a hit, the function that fills it
 * in, the print format (compiled here, and reported as text), and the row in the list of all
 * tracepoints.
 *
 *   TRACE_EVENT(sched, sched_wakeup,
 *           TRACE_PROTO(const void *task, const char *comm, int32_t pid),
 *           TRACE_STRUCT(array(char, comm, 16), field(int32_t, pid)),
 *           TRACE_ASSIGN(trace_copy(entry->comm, comm, sizeof(entry->comm));
 *                        entry->pid = pid;
 *                        hit.task = task;),
 *           TRACE_PRINT("comm=%s pid=%d", REC->comm, REC->pid))
 *
 * trace(sched_wakeup, task, comm, pid) hits it. One source file defines TRACE_DEFINE before it
 * includes the header. The arguments of trace() are evaluated only while an event is open on it.
 *
 * Fields: field(type, name), array(type, name, n), and string(name), which has any length.
 * trace_string(&hit, &entry->name, text) sets a string; TRACE_PRINT reads it as __get_str(name).
 * The arguments of TRACE_PRINT are the subset of C that libtraceevent understands: fields as
 * REC->name, numbers, operators, `?:`; no macros.
 *
 * In TRACE_ASSIGN, `entry` is the structure and `hit` has further facts: hit.count, the amount to
 * count (1 unless set), hit.addr, hit.task.
 *
 * Tracepoints can be hit in any context. A hit during another hit of the same context is refused
 * and counted.
 */
#ifndef LIB_TRACE_H
#define LIB_TRACE_H

#include "lib/printf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Contexts: each may interrupt those before it. Each has its own buffer for a hit. */
enum trace_context { TRACE_TASK, TRACE_EXCEPTION, TRACE_IRQ, TRACE_NMI, TRACE_CONTEXTS };

/* The header of each hit, as in Linux. */
struct trace_entry {
	uint16_t type; /* the tracepoint's id */
	uint8_t flags; /* enum trace_flag */
	uint8_t preempt_count;
	int32_t pid;
};

/* TRACE_FLAG_... of Linux. */
enum trace_flag { TRACE_FLAG_IRQS_OFF = 0x01, TRACE_FLAG_HARDIRQ = 0x08, TRACE_FLAG_NMI = 0x40 };

enum trace_kind { TRACE_FIELD, TRACE_ARRAY, TRACE_STRING };

struct trace_field {
	const char *type, *name;
	uint16_t offset, size; /* bytes */
	uint16_t count;        /* elements of an array */
	uint8_t kind;          /* enum trace_kind */
	bool is_signed;
};

/*
 * The variable that the hitting code tests. For tracepoints of ring 3 it lies in memory of ring 3.
 */
struct trace_key {
	uint32_t on;
	uint32_t id;
};

/* The open events of a tracepoint. One CPU at a time changes this. */
struct trace_state {
	uint32_t id;    /* 1 to TRACE_MOST; attr.config holds it */
	uint32_t opens; /* number of open events */
};
#define TRACE_MOST 255

struct trace_event {
	const char *system, *name;
	const struct trace_field *fields;
	uint16_t nfields, size; /* `size` of the structure, without strings */
	bool user;              /* ring 3 hits it, by a system call */
	const char *quoted;     /* the source text "TRACE_PRINT(...)" */
	int (*print)(char *buf, size_t size, const void *entry);
	struct trace_key *key;
	struct trace_state *state;
};

#define TRACE_MAX_SIZE 2048 /* bytes of a hit, including strings */

/* A hit, both while it is filled in and as told() of struct trace_host gets it. */
struct trace_hit {
	const struct trace_event *event;
	void *entry;      /* struct trace_entry, then the fields */
	uint32_t size;    /* bytes of `entry`; in told(), 4 less than a multiple of 8 */
	uint8_t context;  /* enum trace_context */
	bool user;        /* ring 3 hit it */
	uint64_t ip;      /* address of the hit */
	uint64_t bp, sp;  /* frame and stack pointer at the hit; 0 for ring 3 */
	uint64_t count;   /* amount by which events count */
	uint64_t addr;    /* value of PERF_SAMPLE_ADDR */
	const void *task; /* struct pmu_task whose events count it even when the task does not run;
			     or NULL */
};

/* Functions that the machine provides for tracepoints. Any context. */
struct trace_host {
	enum trace_context (*context)(void);
	uint32_t (*current_tid)(void);
	void (*told)(const struct trace_hit *hit);
	/*
	 * The first event on any tracepoint was opened, or (false) the last one was closed. Work
	 * that only open events need starts and stops here. Interrupts are off.
	 */
	void (*armed)(bool on);
	/*
	 * The key of a ring 3 tracepoint has changed; the task on this CPU must see it. Interrupts
	 * are off. May be NULL.
	 */
	void (*user_key)(const struct trace_key *key);
};

/* trace_init() - gives every tracepoint its id and keeps `host`. Called once, at start-up. */
void trace_init(const struct trace_host *host);

/*
 * trace_events() - tracepoint `index`, in no particular order; NULL past the last.
 * trace_find() - the tracepoint "system:name" of `n` characters.
 * trace_by_id() - NULL when there is none. Any context.
 */
const struct trace_event *trace_events(size_t index);
const struct trace_event *trace_find(const char *text, size_t n);
const struct trace_event *trace_by_id(uint64_t id);

/*
 * trace_after() - the next tracepoint in the order of "system:name". NULL asks for the first, and
 * is returned after the last.
 */
const struct trace_event *trace_after(const struct trace_event *event);

/* trace_listen() - adds or (false) removes one listener. Interrupts off. */
void trace_listen(const struct trace_event *event, bool more);

/* trace_sync_user() - writes the keys of all ring 3 tracepoints, after their memory was reset. */
void trace_sync_user(void);

/*
 * trace_refused() - the number of refused hits of this CPU: each came during another hit of its
 * context.
 */
uint64_t trace_refused(void);

#define TRACE_MAX_FORMAT 3500 /* bytes that trace_format() needs for any tracepoint */

/*
 * trace_format() - describes the tracepoint in the format of tracefs, terminated. Returns the
 * length; 0: no room.
 * trace_print() - prints the `size` bytes of a hit by the print format, in one line, terminated.
 * Returns the length. Strings that leave the hit read as "". Task context.
 */
size_t trace_format(const struct trace_event *event, char *buf, size_t size);
int trace_print(const struct trace_event *event, const void *entry, size_t size, char *buf,
		size_t bufsize);

/*
 * trace_hit_begin() - room for an entry of `size` bytes, zeroed after its header; NULL: refused.
 * trace_hit_end() - reports the hit.
 * trace_hit_user() - the same for an entry of ring 3: `read` copies `size` bytes from its address
 * `from`. Returns 0, -EINVAL where `size` is not that of the tracepoint, -EBUSY where the hit is
 * refused, or the error of `read`. Any context.
 */
void *trace_hit_begin(struct trace_hit *hit, const struct trace_event *event, uint32_t size,
		      const void *ip, const void *frame);
void trace_hit_end(struct trace_hit *hit);
int trace_hit_user(const struct trace_event *event, uint64_t from, uint64_t size, uint64_t ip,
		   int (*read)(void *to, uint64_t from, size_t n));

/* trace_string() - sets the string at `field`, cut to the room that is left. */
void trace_string(struct trace_hit *hit, uint32_t *field, const char *text);

/*
 * trace_copy() - copies `text` into an array of `size` characters, terminated and padded with
 * zeros.
 */
void trace_copy(char *to, const char *text, size_t size);

/* trace_text() - the text of a string field; for __get_str(). */
static inline const char *trace_text(const void *entry, uint32_t field)
{
	return (const char *)entry + (field & 0xffff);
}

/* --- The definition --- */

#define TRACE_PROTO(...)  __VA_ARGS__
#define TRACE_STRUCT(...) __VA_ARGS__
#define TRACE_ASSIGN(...) __VA_ARGS__
#define TRACE_PRINT(...)  __VA_ARGS__

/* TRACE_EACH() - expands to m(ctx, a) for each further argument `a`, of which there are 1 to 12. */
#define TRACE_COUNT(...)                                         TRACE_COUNT_(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
#define TRACE_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, n, ...) n
#define TRACE_PASTE(a, b)                                        TRACE_PASTE_(a, b)
#define TRACE_PASTE_(a, b)                                       a##b
#define TRACE_EACH(m, ctx, ...) \
	TRACE_PASTE(TRACE_EACH_, TRACE_COUNT(__VA_ARGS__))(m, ctx, __VA_ARGS__)
#define TRACE_EACH_1(m, ctx, a)       m(ctx, a)
#define TRACE_EACH_2(m, ctx, a, ...)  m(ctx, a) TRACE_EACH_1(m, ctx, __VA_ARGS__)
#define TRACE_EACH_3(m, ctx, a, ...)  m(ctx, a) TRACE_EACH_2(m, ctx, __VA_ARGS__)
#define TRACE_EACH_4(m, ctx, a, ...)  m(ctx, a) TRACE_EACH_3(m, ctx, __VA_ARGS__)
#define TRACE_EACH_5(m, ctx, a, ...)  m(ctx, a) TRACE_EACH_4(m, ctx, __VA_ARGS__)
#define TRACE_EACH_6(m, ctx, a, ...)  m(ctx, a) TRACE_EACH_5(m, ctx, __VA_ARGS__)
#define TRACE_EACH_7(m, ctx, a, ...)  m(ctx, a) TRACE_EACH_6(m, ctx, __VA_ARGS__)
#define TRACE_EACH_8(m, ctx, a, ...)  m(ctx, a) TRACE_EACH_7(m, ctx, __VA_ARGS__)
#define TRACE_EACH_9(m, ctx, a, ...)  m(ctx, a) TRACE_EACH_8(m, ctx, __VA_ARGS__)
#define TRACE_EACH_10(m, ctx, a, ...) m(ctx, a) TRACE_EACH_9(m, ctx, __VA_ARGS__)
#define TRACE_EACH_11(m, ctx, a, ...) m(ctx, a) TRACE_EACH_10(m, ctx, __VA_ARGS__)
#define TRACE_EACH_12(m, ctx, a, ...) m(ctx, a) TRACE_EACH_11(m, ctx, __VA_ARGS__)

/* A field as four arguments: kind, type, name, number of elements. */
#define TRACE_AS_field(type, name)    FIELD, type, name, 1
#define TRACE_AS_array(type, name, n) ARRAY, type, name, n
#define TRACE_AS_string(name)         STRING, char, name, 0

#define TRACE_MEMBER(ctx, a)               TRACE_MEMBER_OF(TRACE_AS_##a)
#define TRACE_MEMBER_OF(...)               TRACE_MEMBER_(__VA_ARGS__)
#define TRACE_MEMBER_(kind, type, name, n) TRACE_MEMBER_##kind(type, name, n)
#define TRACE_MEMBER_FIELD(type, name, n)  type name;
#define TRACE_MEMBER_ARRAY(type, name, n)  type name[n];
#define TRACE_MEMBER_STRING(type, name, n) uint32_t name;

#define TRACE_ROW(ctx, a)      TRACE_ROW_OF(ctx, TRACE_AS_##a)
#define TRACE_ROW_OF(ctx, ...) TRACE_ROW_(ctx, __VA_ARGS__)
#define TRACE_ROW_(ctx, kind_, type_, name_, n)                \
	{.type = #type_,                                       \
	 .name = #name_,                                       \
	 .offset = offsetof(struct trace_raw_##ctx, name_),    \
	 .size = sizeof(((struct trace_raw_##ctx *)0)->name_), \
	 .count = (n),                                         \
	 .kind = TRACE_##kind_,                                \
	 .is_signed = TRACE_SIGNED_##kind_(type_)},
#define TRACE_SIGNED_FIELD(type)  ((type)-1 < (type)1)
#define TRACE_SIGNED_ARRAY(type)  (sizeof(type) > 1 && (type)-1 < (type)1)
#define TRACE_SIGNED_STRING(type) false

/* The text of a string field, by libtraceevent's name. */
#define __get_str(name) trace_text(REC, REC->name)

#define TRACE_RAW(name, ...)                                \
	struct trace_raw_##name {                           \
		struct trace_entry common;                  \
		TRACE_EACH(TRACE_MEMBER, name, __VA_ARGS__) \
	};

/*
 * `quoted_` is the source text of TRACE_PRINT. `storage` is the storage class of the descriptor;
 * `text` and `data` are attributes of its function and of its state.
 */
#define TRACE_DESCRIBE(system_, name_, fields_, print_, quoted_, user_, storage, text, data) \
	static text int trace_print_##name_(char *buf, size_t size, const void *entry)       \
	{                                                                                    \
		const struct trace_raw_##name_ *REC = entry;                                 \
                                                                                             \
		(void)REC;                                                                   \
		return fmt_print(buf, size, print_);                                         \
	}                                                                                    \
	static const struct trace_field trace_fields_##name_[] = {                           \
		TRACE_EACH(TRACE_ROW, name_, fields_)};                                      \
	static data struct trace_state trace_state_##name_;                                  \
	storage const struct trace_event trace_event_##name_ = {                             \
		.system = #system_,                                                          \
		.name = #name_,                                                              \
		.fields = trace_fields_##name_,                                              \
		.nfields = sizeof(trace_fields_##name_) / sizeof(trace_fields_##name_[0]),   \
		.size = sizeof(struct trace_raw_##name_),                                    \
		.user = user_,                                                               \
		.quoted = quoted_,                                                           \
		.print = trace_print_##name_,                                                \
		.key = &trace_key_##name_,                                                   \
		.state = &trace_state_##name_,                                               \
	};                                                                                   \
	static const struct trace_event *const trace_listed_##name_                          \
		__attribute__((used, section("tracepoints"))) = &trace_event_##name_;

#define TRACE_DECLARE(name, proto, fields)                  \
	TRACE_RAW(name, fields)                             \
	extern const struct trace_event trace_event_##name; \
	extern struct trace_key trace_key_##name;           \
	void trace_hit_##name(proto);

#ifdef TRACE_DEFINE
#define TRACE_EVENT(system, name, proto, fields, assign, print)                                   \
	TRACE_DECLARE(name, TRACE_PROTO(proto), TRACE_STRUCT(fields))                             \
	struct trace_key trace_key_##name;                                                        \
	TRACE_DESCRIBE(system, name, TRACE_STRUCT(fields), TRACE_PRINT(print), #print, false, ,   \
		       , )                                                                        \
	void trace_hit_##name(proto)                                                              \
	{                                                                                         \
		struct trace_hit hit;                                                             \
		struct trace_raw_##name *entry =                                                  \
			trace_hit_begin(&hit, &trace_event_##name, sizeof(*entry),                \
					__builtin_return_address(0), __builtin_frame_address(0)); \
                                                                                                  \
		if (!entry)                                                                       \
			return;                                                                   \
		assign trace_hit_end(&hit);                                                       \
	}
#else
#define TRACE_EVENT(system, name, proto, fields, assign, print) \
	TRACE_DECLARE(name, TRACE_PROTO(proto), TRACE_STRUCT(fields))
#endif

/*
 * trace_on() - true where an event is open on the tracepoint. Costs one compare with memory and one
 * branch, which is not taken while none is open. The section `trace_sites` lists the place, for
 * tests.
 */
static inline __attribute__((always_inline)) bool trace_on(const struct trace_key *key)
{
	__asm__ goto("1:\tcmpl $0, %0\n\t"
		     "jne %l[on]\n\t"
		     ".pushsection trace_sites, \"a\"\n\t"
		     ".long 1b - .\n\t"
		     ".popsection"
		     :
		     : "m"(key->on)
		     : "cc"
		     : on);
	return false;
on:
	return true;
}

/* trace() - hits the tracepoint `name`. Any context. */
#define trace(name, ...)                               \
	do {                                           \
		if (trace_on(&trace_key_##name))       \
			trace_hit_##name(__VA_ARGS__); \
	} while (0)

#endif
