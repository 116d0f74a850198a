/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_test.h - tests that run inside of the image, on the machine itself. Each one registers
 * itself; the runtime's selftest command walks the table.
 */
#ifndef RT_BASE_IMAGE_TEST_H
#define RT_BASE_IMAGE_TEST_H

struct image_test {
	const char *name;
	/*
	 * Task context, interrupts off. Returns NULL on success, else one line about the fault.
	 * IMAGE_TEST_SKIP("why") where the machine lacks what is tested.
	 */
	const char *(*run)(void);
};

/* A result that begins with this character is a skip, and the reason follows. */
#define IMAGE_TEST_SKIP_MARK    '~'
#define IMAGE_TEST_SKIP(reason) ("~" reason)

#define IMAGE_TEST(function)                           \
	static const struct image_test function##_test \
		__attribute__((used, section(".image_tests"), aligned(8))) = {#function, function}

/* The table of all tests: linker.ld. */
extern const struct image_test __image_tests_start[], __image_tests_end[];

#endif
