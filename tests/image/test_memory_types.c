// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_memory_types.c - W^X in the whole image, unmapped pages, the page allocator, guard pages,
 * and copies from and to ring 3.
 */
#include "arch/x86/mem/image.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/cpu/stack.h"
#include "lib/string.h"
#include "tests/image/fixture.h"
#include "rt/base/image_test.h"

#include <linux/errno.h>

#define NON_CANONICAL 0x8000000000000000

static const char *test_no_page_is_writable_and_executable(void)
{
	uint64_t end = (uintptr_t)__user_data_end;

	for (uint64_t va = (uintptr_t)image_start; va < end; va += PAGE_SIZE) {
		uint64_t pte = paging_lookup(va);

		if (pte & PTE_WRITE && !(pte & PTE_NX))
			return "a page of the image is writable and executable";
		if (pte & PTE_USER)
			return "a page of the image is open to ring 3 under its own address";
	}
	return NULL;
}
IMAGE_TEST(test_no_page_is_writable_and_executable);

/* Address and expected rights of one place in each part of the image. */
static const struct {
	const uint8_t *at;
	bool writable, executable;
} parts[] = {
	{__text_start, false, true},       {__rodata_start, false, false},
	{__relro_start, false, false},     {__data_start, true, false},
	{__user_text_start, false, false}, /* ring 0 does not run the workloads' code */
};

static const char *test_image_parts_have_their_rights(void)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		uint64_t va = (uintptr_t)parts[i].at;

		if (can_write(va) != parts[i].writable)
			return "a part of the image is writable and should not be, or the reverse";
		if (!(paging_lookup(va) & PTE_NX) != parts[i].executable)
			return "a part of the image is executable and should not be, or the reverse";
	}
	return NULL;
}
IMAGE_TEST(test_image_parts_have_their_rights);

static const char *test_unmapped_memory_faults(void)
{
	uint64_t value;

	if (probe_read(0, &value) || can_write(0))
		return "the null page is mapped";
	if (probe_read(NON_CANONICAL, &value))
		return "a non-canonical address was read";
	if (!probe_read((uintptr_t)image_start + 0x1000, &value) || !value)
		return "the image's text cannot be read";
	return NULL;
}
IMAGE_TEST(test_unmapped_memory_faults);

static bool all_zero(const uint8_t *bytes, size_t n)
{
	while (n--)
		if (*bytes++)
			return false;
	return true;
}

static const char *test_pages_come_back(void)
{
	size_t before = page_free_count();
	uint8_t *a = page_alloc(3), *b = page_alloc(1), *c = page_alloc(2);

	if (!a || !b || !c)
		return "no memory";
	if (!all_zero(a, 3 * PAGE_SIZE) || !all_zero(c, 2 * PAGE_SIZE))
		return "pages are not zeroed";
	if (page_free_count() != before - 6)
		return "page_free_count() does not follow page_alloc()";
	memset(a, 0xff, 3 * PAGE_SIZE);
	page_free(a, 1);
	page_free(a + 2 * PAGE_SIZE, 1);
	page_free(c, 2);
	page_free(a + PAGE_SIZE, 1);
	page_free(b, 1);
	if (page_free_count() != before)
		return "pages were lost";
	a = page_alloc(6);
	if (!a || !all_zero(a, 6 * PAGE_SIZE))
		return "used pages are not zeroed again";
	page_free(a, 6);
	return NULL;
}
IMAGE_TEST(test_pages_come_back);

static const char *test_page_alloc_refuses_too_much(void)
{
	size_t before = page_free_count();

	if (page_alloc(before + 1) || page_alloc(SIZE_MAX) || page_alloc(0))
		return "page_alloc() gave what there is not";
	return page_free_count() == before ? NULL : "a refused page_alloc() took pages";
}
IMAGE_TEST(test_page_alloc_refuses_too_much);

static const char *test_stack_has_a_guard(void)
{
	uint64_t top = (uintptr_t)stack_alloc(2 * PAGE_SIZE + 1, "a test's stack");
	uint64_t guard = (top & ~(PAGE_SIZE - 1)) - 3 * PAGE_SIZE, value;

	if (!top)
		return "no memory";
	if (top % 16 || !can_write(top - 1) || !can_write(guard + PAGE_SIZE))
		return "the stack cannot be used";
	if (probe_read(guard, &value) || can_write(guard + PAGE_SIZE - 1))
		return "the guard page is mapped";
	if (!stack_guard_name(guard) || strcmp(stack_guard_name(guard), "a test's stack"))
		return "the guard page is not known by its stack's name";
	if (stack_guard_name(guard + PAGE_SIZE))
		return "the stack itself passes for a guard page";
	return NULL;
}
IMAGE_TEST(test_stack_has_a_guard);

static const char *test_map_user_refuses(void)
{
	void *page = (void *)PAGE_SIZE;

	if (fixture_map(0x1000, page, 1, PAGE_READ) != -EINVAL)
		return "an address below ring 3's part was mapped";
	if (fixture_map(FIXTURE_CODE + 1, page, 1, PAGE_READ) != -EINVAL)
		return "an unaligned address was mapped";
	if (fixture_map(FIXTURE_CODE, page, SIZE_MAX / 2, PAGE_READ) != -EINVAL)
		return "more pages than ring 3 can have were mapped";
	return NULL;
}
IMAGE_TEST(test_map_user_refuses);

static const char *copies(uint64_t *page)
{
	uint64_t value = 0, cr2 = 0x1234;

	page[0] = 42;
	write_cr2(cr2);
	if (copy_from_user(&value, FIXTURE_STACK, 8) || value != 42)
		return "copy_from_user() did not copy";
	if (copy_from_user(&value, FIXTURE_TOP - 4, 8) != -EFAULT)
		return "copy_from_user() went over the end of the mapping";
	if (copy_from_user(&value, (uintptr_t)page, 8) != -EFAULT)
		return "copy_from_user() took an address of ring 0";
	if (copy_from_user(&value, FIXTURE_STACK, SIZE_MAX) != -EFAULT)
		return "copy_from_user() took a length that wraps around";
	if (copy_to_user(FIXTURE_STACK, &cr2, 8) != -EFAULT || page[0] != 42)
		return "copy_to_user() wrote to a page that ring 3 can only read";
	if (read_cr2() != cr2)
		return "a failed copy changed CR2";
	if (fixture_map(FIXTURE_STACK, page, 1, PAGE_WRITE) != -EEXIST)
		return "a page was mapped over another one";
	fixture_unmap(FIXTURE_STACK, 1);
	if (fixture_map(FIXTURE_STACK, page, 1, PAGE_WRITE) ||
	    copy_to_user(FIXTURE_STACK, &cr2, 8) || page[0] != cr2)
		return "copy_to_user() did not copy";
	return NULL;
}

static const char *with_user_page(const char *(*fn)(uint64_t *page))
{
	uint64_t *page = page_alloc(1);
	const char *result = "no memory";

	if (!page)
		return result;
	if (!fixture_map(FIXTURE_STACK, page, 1, PAGE_READ))
		result = fn(page);
	fixture_unmap(FIXTURE_STACK, 1);
	page_free(page, 1);
	return result;
}

static const char *test_copies_from_and_to_user(void)
{
	return with_user_page(copies);
}
IMAGE_TEST(test_copies_from_and_to_user);

/* A copy ends at the very byte that is missing, whatever its place in a word. */
static const char *copies_up_to_the_end(uint64_t *page)
{
	const uint8_t *end = (const uint8_t *)page + PAGE_SIZE;
	uint8_t copy[48];

	for (size_t i = 0; i < PAGE_SIZE; i++)
		((uint8_t *)page)[i] = (uint8_t)(i * 7);
	for (size_t n = 0; n <= sizeof(copy); n++)
		for (size_t left = 0; left <= sizeof(copy); left++) {
			const size_t most = n < left ? n : left;

			memset(copy, 0, sizeof(copy));
			if (copy_from_user_some(copy, FIXTURE_TOP - left, n) != most)
				return "copy_from_user_some() did not end at the missing byte";
			if (memcmp(copy, end - left, most) || (most < n && copy[most]))
				return "copy_from_user_some() copied other bytes";
		}
	return NULL;
}

static const char *test_copies_up_to_the_end(void)
{
	return with_user_page(copies_up_to_the_end);
}
IMAGE_TEST(test_copies_up_to_the_end);

static const char *words(uint64_t *page)
{
	uint32_t word = 0;

	page[0] = 0x1234567800000005;
	if (get_user32(&word, FIXTURE_STACK + 4) || word != 0x12345678)
		return "get_user32() did not get the word";
	if (get_user32(&word, FIXTURE_TOP - 2) != -EFAULT ||
	    get_user32(&word, (uintptr_t)page) != -EFAULT)
		return "get_user32() got what ring 3 does not have";
	if (put_user(FIXTURE_STACK, 1) != -EFAULT || page[0] != 0x1234567800000005)
		return "put_user() wrote to a page that ring 3 can only read";
	return NULL;
}

static const char *test_words_of_user(void)
{
	return with_user_page(words);
}
IMAGE_TEST(test_words_of_user);

static const char *reads_directly(uint64_t *page)
{
	uint64_t value;

	(void)page;
	if (probe_read(FIXTURE_STACK, &value))
		return "ring 0 read a page of ring 3 without asking";
	return rflags() & RFLAGS_AC ? "AC is set outside of a copy" : NULL;
}

static const char *test_smap_holds(void)
{
	if (!(read_cr4() & CR4_SMAP))
		return IMAGE_TEST_SKIP("this CPU has no SMAP");
	return with_user_page(reads_directly);
}
IMAGE_TEST(test_smap_holds);

static const char *test_build_id_is_there(void)
{
	const uint8_t *id;

	return image_build_id(&id) == 20 && !all_zero(id, 20) ? NULL : "no build-id of 20 bytes";
}
IMAGE_TEST(test_build_id_is_there);
