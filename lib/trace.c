// SPDX-License-Identifier: BSD-2-Clause
/*
 * trace.c - see trace.h. Each context of a CPU has one buffer. Only a higher context can interrupt
 * a hit. It uses another buffer, and ends before the interrupted hit continues.
 */
#include "lib/trace.h"

#include "lib/panic.h"
#include "lib/percpu.h"
#include "lib/string.h"

#include <linux/errno.h>

/* Defined by the linker: all tracepoints. They are weak because there may be no tracepoint. */
#define LINKED __attribute__((weak, visibility("hidden")))
extern const struct trace_event *const __start_tracepoints[] LINKED;
extern const struct trace_event *const __stop_tracepoints[] LINKED;

#define WORD sizeof(uint64_t)

struct buffer {
	uint8_t entry[TRACE_MAX_SIZE + WORD] __attribute__((aligned(8)));
	bool busy;
};

static struct {
	const struct trace_host *host;
	unsigned listened; /* number of tracepoints with open events */
} tracing;

static PERCPU struct {
	struct buffer buffers[TRACE_CONTEXTS];
	uint64_t refused;
} here;

/* --- All tracepoints --- */

static size_t count_tracepoints(void)
{
	return (size_t)(__stop_tracepoints - __start_tracepoints);
}

const struct trace_event *trace_events(size_t index)
{
	return index < count_tracepoints() ? __start_tracepoints[index] : NULL;
}

void trace_init(const struct trace_host *host)
{
	ASSERT(count_tracepoints() <= TRACE_MOST);
	tracing.host = host;
	for (size_t i = 0; i < count_tracepoints(); i++)
		__start_tracepoints[i]->state->id = (uint32_t)i + 1;
	trace_sync_user();
}

static bool is_named(const struct trace_event *event, const char *text, size_t n)
{
	size_t system = strlen(event->system), name = strlen(event->name);

	return n == system + 1 + name && !memcmp(text, event->system, system) &&
	       text[system] == ':' && !memcmp(text + system + 1, event->name, name);
}

const struct trace_event *trace_find(const char *text, size_t n)
{
	for (size_t i = 0; i < count_tracepoints(); i++)
		if (is_named(__start_tracepoints[i], text, n))
			return __start_tracepoints[i];
	return NULL;
}

static int compare_events(const struct trace_event *a, const struct trace_event *b)
{
	int order = strcmp(a->system, b->system);

	return order ? order : strcmp(a->name, b->name);
}

const struct trace_event *trace_after(const struct trace_event *event)
{
	const struct trace_event *next = NULL;

	for (size_t i = 0; i < count_tracepoints(); i++) {
		const struct trace_event *e = __start_tracepoints[i];

		if ((!event || compare_events(e, event) > 0) &&
		    (!next || compare_events(e, next) < 0))
			next = e;
	}
	return next;
}

const struct trace_event *trace_by_id(uint64_t id)
{
	return id ? trace_events(id - 1) : NULL;
}

static void set_key(const struct trace_event *event)
{
	event->key->id = event->state->id;
	event->key->on = event->state->opens != 0;
	if (event->user && tracing.host->user_key)
		tracing.host->user_key(event->key);
}

void trace_listen(const struct trace_event *event, bool more)
{
	bool was = event->state->opens, is;

	event->state->opens += more ? 1 : -1u;
	is = event->state->opens;
	if (is && !was && !tracing.listened++)
		tracing.host->armed(true);
	set_key(event);
	if (was && !is && !--tracing.listened)
		tracing.host->armed(false);
}

void trace_sync_user(void)
{
	for (size_t i = 0; i < count_tracepoints(); i++)
		if (__start_tracepoints[i]->user)
			set_key(__start_tracepoints[i]);
}

uint64_t trace_refused(void)
{
	return here.refused;
}

/* --- A hit --- */

static uint8_t trace_flags(enum trace_context context)
{
	static const uint8_t flags[TRACE_CONTEXTS] = {
		[TRACE_IRQ] = TRACE_FLAG_HARDIRQ,
		[TRACE_NMI] = TRACE_FLAG_NMI,
	};
	const uint64_t interrupts = 1 << 9; /* RFLAGS.IF */
	uint64_t rflags;

	__asm__ volatile("pushfq\n\tpop %0" : "=r"(rflags));
	return flags[context] | (rflags & interrupts ? 0 : TRACE_FLAG_IRQS_OFF);
}

/*
 * The barrier keeps the compiler from moving writes to the buffer before `busy` is set. So a nested
 * hit of this context is refused until release_buffer().
 */
static struct buffer *acquire_buffer(enum trace_context context)
{
	struct buffer *b = &here.buffers[context];

	if (b->busy) {
		__asm__ volatile("incq %0" : "+m"(here.refused));
		return NULL;
	}
	*(volatile bool *)&b->busy = true;
	__asm__ volatile("" : : : "memory");
	return b;
}

static void release_buffer(enum trace_context context)
{
	__asm__ volatile("" : : : "memory");
	*(volatile bool *)&here.buffers[context].busy = false;
}

/* Bytes that are not written otherwise, such as those between fields, are zero. */
static void clear_entry(struct buffer *b, uint32_t size)
{
	for (uint32_t at = sizeof(struct trace_entry); at < size; at += WORD)
		__builtin_memset(&b->entry[at], 0, WORD);
}

static inline __attribute__((always_inline)) struct buffer *begin_hit(
	struct trace_hit *hit, const struct trace_event *event, uint32_t size)
{
	enum trace_context context = tracing.host->context();
	struct buffer *b = size <= TRACE_MAX_SIZE ? acquire_buffer(context) : NULL;

	if (!b)
		return NULL;
	hit->event = event;
	hit->entry = b->entry;
	hit->size = size;
	hit->context = (uint8_t)context;
	hit->count = 1;
	hit->addr = 0;
	hit->task = NULL;
	*(struct trace_entry *)b->entry = (struct trace_entry){
		.type = (uint16_t)event->state->id,
		.flags = trace_flags(context),
		.pid = (int32_t)tracing.host->current_tid(),
	};
	return b;
}

void *trace_hit_begin(struct trace_hit *hit, const struct trace_event *event, uint32_t size,
		      const void *ip, const void *frame)
{
	struct buffer *b = begin_hit(hit, event, size);

	if (!b)
		return NULL;
	clear_entry(b, size);
	hit->user = false;
	hit->ip = (uintptr_t)ip;
	hit->bp = *(const uintptr_t *)frame;
	hit->sp = (uintptr_t)frame + 2 * sizeof(uintptr_t);
	return b->entry;
}

/* In a sample a 32-bit size precedes the entry; together they are a multiple of 8 bytes. The buffer
 * has room for a word of zeros behind each entry. */
void trace_hit_end(struct trace_hit *hit)
{
	__builtin_memset((uint8_t *)hit->entry + hit->size, 0, WORD);
	hit->size = (uint32_t)((hit->size + sizeof(uint32_t) + WORD - 1) & ~(WORD - 1)) -
		    (uint32_t)sizeof(uint32_t);
	tracing.host->told(hit);
	release_buffer(hit->context);
}

int trace_hit_user(const struct trace_event *event, uint64_t from, uint64_t size, uint64_t ip,
		   int (*read)(void *to, uint64_t from, size_t n))
{
	struct trace_entry header;
	struct trace_hit hit;
	int err;

	if (size != event->size)
		return -EINVAL;
	if (!begin_hit(&hit, event, event->size))
		return -EBUSY;
	memcpy(&header, hit.entry, sizeof(header));
	err = read(hit.entry, from, size);
	if (err) {
		release_buffer(hit.context);
		return err;
	}
	memcpy(hit.entry, &header, sizeof(header));
	hit.user = true;
	hit.ip = ip;
	hit.bp = hit.sp = 0;
	trace_hit_end(&hit);
	return 0;
}

void trace_string(struct trace_hit *hit, uint32_t *field, const char *text)
{
	size_t room = TRACE_MAX_SIZE - hit->size, n;

	/* Without room for a terminator the string is empty and lies in the padding. */
	n = room ? strnlen(text, room - 1) : 0;
	memcpy((uint8_t *)hit->entry + hit->size, text, n);
	((uint8_t *)hit->entry)[hit->size + n] = '\0';
	*field = hit->size | (uint32_t)(n + 1) << 16;
	hit->size += room ? (uint32_t)n + 1 : 0;
}

void trace_copy(char *to, const char *text, size_t size)
{
	size_t n = strnlen(text, size - 1);

	memcpy(to, text, n);
	memset(to + n, 0, size - n);
}

/* --- Text --- */

struct text {
	char *at;
	size_t left;
	bool full;
};

static void add_format_text(struct text *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_format_text(struct text *t, const char *format, ...)
{
	va_list args;
	size_t n;

	va_start(args, format);
	n = (size_t)fmt_vprint(t->at, t->left, format, args);
	va_end(args);
	t->full |= n + 1 >= t->left;
	t->at += n;
	t->left -= n;
}

static void add_field(struct text *t, const char *type, const char *name, unsigned count,
		      unsigned offset, unsigned size, bool is_signed)
{
	add_format_text(t, "\tfield:%s %s", type, name);
	if (count > 1)
		add_format_text(t, "[%u]", count);
	add_format_text(t, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n", offset, size, is_signed);
}

static void add_common(struct text *t)
{
	add_field(t, "unsigned short", "common_type", 1, offsetof(struct trace_entry, type), 2,
		  false);
	add_field(t, "unsigned char", "common_flags", 1, offsetof(struct trace_entry, flags), 1,
		  false);
	add_field(t, "unsigned char", "common_preempt_count", 1,
		  offsetof(struct trace_entry, preempt_count), 1, false);
	add_field(t, "int", "common_pid", 1, offsetof(struct trace_entry, pid), 4, true);
}

size_t trace_format(const struct trace_event *event, char *buf, size_t size)
{
	static const char before[] = "TRACE_PRINT(";
	const char *quoted = event->quoted + sizeof(before) - 1;
	struct text t = {buf, size, false};

	add_format_text(&t, "name: %s\nID: %u\nformat:\n", event->name, event->state->id);
	add_common(&t);
	add_format_text(&t, "\n");
	for (const struct trace_field *f = event->fields; f < event->fields + event->nfields; f++)
		if (f->kind == TRACE_STRING)
			add_field(&t, "__data_loc char[]", f->name, 1, f->offset, f->size, false);
		else
			add_field(&t, f->type, f->name, f->kind == TRACE_ARRAY ? f->count : 1,
				  f->offset, f->size, f->is_signed);
	add_format_text(&t, "\nprint fmt: %.*s\n", (int)strlen(quoted) - 1, quoted);
	return t.full ? 0 : size - t.left;
}

/* Replaces each string that is not terminated or not wholly in the entry by "". */
static void mend_strings(const struct trace_event *event, uint8_t *entry, size_t size)
{
	for (const struct trace_field *f = event->fields; f < event->fields + event->nfields; f++) {
		uint32_t at, n;

		if (f->kind == TRACE_ARRAY && !strcmp(f->type, "char"))
			entry[f->offset + f->size - 1] = '\0';
		if (f->kind != TRACE_STRING)
			continue;
		memcpy(&at, entry + f->offset, sizeof(at));
		n = at >> 16;
		at &= 0xffff;
		if (n && at + n <= size && !entry[at + n - 1])
			continue;
		at = (uint32_t)size; /* offset of the zero that the caller has put there */
		memcpy(entry + f->offset, &at, sizeof(at));
	}
}

int trace_print(const struct trace_event *event, const void *entry, size_t size, char *buf,
		size_t bufsize)
{
	static uint8_t copy[TRACE_MAX_SIZE + WORD] __attribute__((aligned(8)));

	if (size < event->size || size > TRACE_MAX_SIZE + sizeof(uint32_t))
		return fmt_print(buf, bufsize, "%s", "");
	memcpy(copy, entry, size);
	copy[size] = '\0';
	mend_strings(event, copy, size);
	return event->print(buf, bufsize, copy);
}
