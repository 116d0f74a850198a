// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_pieces.c - see profile_pieces.h. The plugin's lock protects what translation writes. A
 * block that QEMU translates again finds its pieces, if its bytes are the same.
 */
#include "vpmu/plugin/profile_pieces.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define INSN_BYTES    16
#define BLOCK_INSNS   512
#define PIECE_BUCKETS (1u << 18)
#define CALLED_SLOTS  (1u << 19) /* twice the functions without a symbol */
#define CALLED_MOST   (CALLED_SLOTS / 2)

/* An instruction of the block that is being translated. */
struct located {
	uint64_t address; /* as the file's symbols count; valid if `object` is */
	uint32_t object;  /* number plus 1; 0: unknown */
	uint32_t function;
	bool starts;
};

/* Where an object was recognized last: virtual addresses less those of its symbols. */
struct bias {
	uint64_t bias;
	bool is_known;
};

static struct {
	struct profile_file *file;
	int fd;
	bool is_announced;
	uint32_t bucket[PIECE_BUCKETS]; /* number of the first piece plus 1 */
	uint32_t called[CALLED_SLOTS];  /* functions without a symbol, by address */
	struct bias bias[PROFILE_OBJECTS_MOST];
	const struct qemu_plugin_tb *block; /* the one that is being translated; NULL: none */
	const struct decoded *decoded;
	uint64_t ram;
	struct located located[BLOCK_INSNS];
	/* The last page that was looked up while this block is translated. */
	uint64_t page_va;
	const struct profile_page *page;
} profile;

static bool report_profile(const char *path, const char *what)
{
	fprintf(stderr, "vpmu-events: %s: %s\n", path, what);
	return false;
}

bool profile_begin(const char *path)
{
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	struct profile_file *file;

	if (fd < 0)
		return report_profile(path, strerror(errno));
	if (lseek(fd, 0, SEEK_END) < (off_t)sizeof(*file)) {
		close(fd);
		return report_profile(path, "too short for a profile");
	}
	file = mmap(NULL, sizeof(*file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (file == MAP_FAILED) {
		close(fd);
		return report_profile(path, strerror(errno));
	}
	if (memcmp(file->header.magic, PROFILE_MAGIC, sizeof(file->header.magic)) ||
	    file->header.version != PROFILE_VERSION) {
		munmap(file, sizeof(*file));
		close(fd);
		return report_profile(path, "not a profile of this version");
	}
	profile.file = file;
	profile.fd = fd;
	return true;
}

struct profile_file *profile_file(void)
{
	return profile.file;
}

void profile_announce(void)
{
	profile.is_announced = true;
}

bool profile_takes(uint64_t va)
{
	return profile.file && profile.is_announced && va < UPPER_HALF;
}

void profile_is_full(void)
{
	__atomic_fetch_add(&profile.file->header.nfull, 1, __ATOMIC_RELAXED);
}

void profile_append(const void *data, size_t bytes)
{
	struct profile_header *h = &profile.file->header;

	if (pwrite(profile.fd, data, bytes, (off_t)(sizeof(*profile.file) + h->parts)) !=
	    (ssize_t)bytes) {
		profile_is_full();
		return;
	}
	h->parts += bytes;
	h->nparts++;
}

/* --- Functions --- */

/* The first page of this hash; the number of pages: none. */
static uint32_t first_page(uint64_t hash)
{
	const struct profile_page *page = profile.file->page;
	uint32_t low = 0, high = profile.file->header.npages;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (page[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_at_bias(const struct profile_page *page, uint64_t va)
{
	const struct bias *b = &profile.bias[page->object];

	return b->is_known && va - page->address == b->bias;
}

/* Files may have equal pages: one that is mapped there already is the likely one. */
static const struct profile_page *choose_page(uint64_t hash, uint64_t va)
{
	const struct profile_page *page = profile.file->page, *chosen = NULL;

	for (uint32_t i = first_page(hash); i < profile.file->header.npages && page[i].hash == hash;
	     i++) {
		if (is_at_bias(&page[i], va))
			return &page[i];
		if (!chosen)
			chosen = &page[i];
	}
	if (chosen)
		profile.bias[chosen->object] = (struct bias){va - chosen->address, true};
	return chosen;
}

/* The page with the byte that is at `va` for the guest and at `host` for QEMU. */
static const struct profile_page *code_page_of(uint64_t va, uint64_t host)
{
	const uint64_t begin = va & ~(uint64_t)(PROFILE_PAGE - 1);

	if (profile.page_va == begin)
		return profile.page;
	profile.page_va = begin;
	profile.page = choose_page(
		profile_hash((const uint64_t *)(host & ~(uint64_t)(PROFILE_PAGE - 1))), begin);
	return profile.page;
}

/* The symbol that contains `address`, as its number from 1; 0: none. */
static uint32_t find_symbol(uint32_t object, uint64_t address)
{
	const struct profile_object *o = &profile.file->object[object];
	const struct profile_symbol *symbol = &profile.file->symbol[o->first];
	uint32_t low = 0, high = o->nsymbols;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (symbol[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < o->nsymbols && symbol[low].start <= address ? o->first + low + 1 : 0;
}

static void locate(struct located *l, const struct qemu_plugin_insn *insn)
{
	const uint64_t va = qemu_plugin_insn_vaddr(insn);
	const uint64_t host = (uint64_t)qemu_plugin_insn_haddr(insn);
	const struct profile_page *page = host ? code_page_of(va, host) : NULL;

	*l = (struct located){0};
	if (!page)
		return;
	l->object = page->object + 1;
	l->address = page->address + va % PROFILE_PAGE;
	l->function = find_symbol(page->object, l->address);
	l->starts = l->function && profile.file->symbol[l->function - 1].start == l->address;
}

uint32_t profile_function_of(size_t insn, bool *starts)
{
	*starts = profile.located[insn].starts;
	return profile.located[insn].function;
}

uint32_t profile_object_of(size_t insn, uint64_t *address)
{
	*address = profile.located[insn].address;
	return profile.located[insn].object;
}

uint32_t profile_function_at(uint64_t va)
{
	struct profile_header *h = &profile.file->header;
	uint32_t slot = (uint32_t)(va * 0x9e3779b97f4a7c15 >> 40) % CALLED_SLOTS;

	while (profile.called[slot]) {
		if (profile.file->function[profile.called[slot]].address == va)
			return profile.called[slot];
		slot = (slot + 1) % CALLED_SLOTS;
	}
	if (h->nfunctions == CALLED_MOST ||
	    h->nsymbols + 1 + h->nfunctions == PROFILE_FUNCTIONS_MOST) {
		profile_is_full();
		return 0;
	}
	profile.called[slot] = h->nsymbols + 1 + h->nfunctions;
	profile.file->function[profile.called[slot]].address = va;
	h->nfunctions++;
	return profile.called[slot];
}

/* --- Pieces --- */

void profile_block(const struct qemu_plugin_tb *block, const struct decoded *decoded, uint64_t ram)
{
	const size_t n = qemu_plugin_tb_n_insns(block);

	profile.block = block;
	profile.decoded = decoded;
	profile.ram = ram;
	profile.page_va = UINT64_MAX; /* its bytes may have changed since the last block */
	for (size_t i = 0; i < n && i < BLOCK_INSNS; i++)
		locate(&profile.located[i], qemu_plugin_tb_get_insn(block, i));
}

void profile_block_end(void)
{
	profile.block = NULL;
}

static uint8_t insn_cost(const struct decoded *d, uint8_t cost, enum profile_kind kind)
{
	if (cost & PROFILE_RING0 || cost >= TALLY_COUNTS)
		return 0;
	if (kind == PROFILE_ROUND)
		return cost == EVENTS_INSTRUCTIONS;
	if (kind == PROFILE_ITERATION && cost == EVENTS_INSTRUCTIONS)
		return 0;
	return d->tally.n[cost];
}

static struct profile_insn describe_insn(size_t i, enum profile_kind kind)
{
	const struct profile_header *h = &profile.file->header;
	const struct decoded *d = &profile.decoded[i];
	struct profile_insn insn = {
		.bytes = (uint8_t)qemu_plugin_insn_size(qemu_plugin_tb_get_insn(profile.block, i)),
		.is_branch = d->branch != BRANCH_NONE,
	};

	for (uint32_t k = 0; k < h->ncosts; k++)
		insn.cost[k] = insn_cost(d, h->cost[k], kind);
	return insn;
}

/* Writes the bytes of instructions to `to`, which has room; returns how many. */
static uint32_t copy_insn_bytes(uint8_t *to, size_t first, size_t n)
{
	uint32_t bytes = 0;

	for (size_t i = first; i < first + n; i++) {
		const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(profile.block, i);
		const size_t size = qemu_plugin_insn_size(insn);
		const uint8_t *from = qemu_plugin_insn_haddr(insn);

		/* An instruction may end in another page: its first bytes have to do. */
		if (from && (uintptr_t)from % PROFILE_PAGE + size <= PROFILE_PAGE)
			memcpy(to + bytes, from, size);
		else
			memset(to + bytes, 0, size);
		bytes += (uint32_t)size;
	}
	return bytes;
}

static uint32_t *piece_bucket(const struct profile_piece *p)
{
	const uint64_t key =
		p->va ^ p->physical << 7 ^ (uint64_t)p->ninsns << 50 ^ (uint64_t)p->kind << 60;

	return &profile.bucket[(key * 0x9e3779b97f4a7c15 >> 40) % PIECE_BUCKETS];
}

static bool is_same_piece(const struct profile_piece *a, const struct profile_piece *b)
{
	const uint8_t *byte = profile.file->byte;

	return a->va == b->va && a->physical == b->physical && a->ninsns == b->ninsns &&
	       a->kind == b->kind && a->bytes == b->bytes && a->object == b->object &&
	       a->address == b->address && !memcmp(byte + a->byte, byte + b->byte, a->bytes);
}

static struct profile_piece *find_piece(const struct profile_piece *wanted)
{
	struct profile_piece *pieces = profile.file->piece;

	for (uint32_t i = *piece_bucket(wanted); i; i = pieces[i - 1].next)
		if (is_same_piece(&pieces[i - 1], wanted))
			return &pieces[i - 1];
	return NULL;
}

static struct profile_piece *append_piece(struct profile_piece *piece, size_t first)
{
	struct profile_header *h = &profile.file->header;
	struct profile_piece *to = &profile.file->piece[h->npieces];
	uint32_t *bucket = piece_bucket(piece);

	piece->insn = h->ninsns;
	piece->next = *bucket;
	for (size_t i = 0; i < piece->ninsns; i++)
		profile.file->insn[h->ninsns + i] =
			describe_insn(first + i, (enum profile_kind)piece->kind);
	*to = *piece;
	h->ninsns += piece->ninsns;
	h->nbytes += piece->bytes;
	*bucket = ++h->npieces;
	return to;
}

static bool has_room_for_pieces(size_t n)
{
	const struct profile_header *h = &profile.file->header;

	return h->npieces < PROFILE_PIECES_MOST && h->ninsns + n <= PROFILE_INSNS_MOST &&
	       h->nbytes + n * INSN_BYTES <= PROFILE_BYTES_MOST;
}

uint64_t *profile_piece(size_t first, size_t n, enum profile_kind kind)
{
	const struct profile_header *h = profile.file ? &profile.file->header : NULL;
	const struct qemu_plugin_insn *insn;
	struct profile_piece piece, *found;

	if (!profile.block || !n)
		return NULL;
	if (!has_room_for_pieces(n)) {
		profile_is_full();
		return NULL;
	}
	insn = qemu_plugin_tb_get_insn(profile.block, first);
	piece = (struct profile_piece){
		.va = qemu_plugin_insn_vaddr(insn),
		.physical = (uint64_t)qemu_plugin_insn_haddr(insn) - profile.ram,
		.address = profile.located[first].address,
		.object = profile.located[first].object,
		.function = profile.located[first].function,
		.byte = h->nbytes,
		.bytes = (uint16_t)copy_insn_bytes(profile.file->byte + h->nbytes, first, n),
		.ninsns = (uint8_t)n,
		.kind = (uint8_t)kind,
	};
	found = find_piece(&piece);
	return &(found ? found : append_piece(&piece, first))->count;
}

uint32_t profile_piece_of(const uint64_t *executions)
{
	const struct profile_piece *piece =
		(const void *)((const char *)executions - offsetof(struct profile_piece, count));

	return (uint32_t)(piece - profile.file->piece);
}

/* --- Faults --- */

void profile_undone(uint64_t va)
{
	struct profile_header *h;

	if (!profile_takes(va))
		return;
	h = &profile.file->header;
	if (h->is_excluding)
		return;
	for (uint32_t i = 0; i < h->nundone; i++)
		if (profile.file->undone[i].va == va) {
			profile.file->undone[i].count++;
			return;
		}
	if (h->nundone == PROFILE_UNDONE_MOST) {
		profile_is_full();
		return;
	}
	profile.file->undone[h->nundone++] = (struct profile_undone){va, 1};
}
