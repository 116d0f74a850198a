// SPDX-License-Identifier: BSD-2-Clause
/* test_mca.c - the codes of machine checks in words: SDM vol. 3, "Compound Error Codes". */
#include "arch/x86/portable/mca.h"

#include <stdlib.h>

#include "tests/unit/test.h"

#define UC MCA_UNCORRECTED

TEST(test_codes)
{
	static const struct {
		uint64_t status;
		const char *text;
	} rows[] = {
		{0, "corrected: no error"},
		{UC | 0x0005, "uncorrected: internal parity"},
		{UC | MCA_CORRUPT | MCA_OVERFLOW | 0x0400,
		 "uncorrected, context corrupt, not the first: internal timer"},
		{0x0e0b, "corrected: I/O"},
		{0x000d, "corrected: cache, level 1"},
		{0x0016, "corrected: TLB, data, level 2"},
		{0x0092, "corrected: memory controller, read, channel 2"},
		{0x10cf, "corrected: memory controller, scrubbing, channel not told"},
		{UC | 0x0134, "uncorrected: cache, data read, data, level 0"},
		{0x0151, "corrected: cache, fetch, instructions, level 1"},
		{0x0291, "corrected: memory as a cache, read, channel 1"},
		{0x0c1f, "corrected: bus or interconnect, read, seen by this CPU, any level"},
		{0x0408, "corrected: code 0x408"},
		{0x01ff, "corrected: cache, ?, ?, any level"},
	};
	char text[MCA_TEXT_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(mca_text(rows[i].status, text, sizeof(text)), rows[i].text);
}

/* Every code has a line that fits. */
TEST(test_all_codes)
{
	for (uint64_t code = 0; code < 0x10000; code++) {
		char *text = malloc(MCA_TEXT_MAX);

		mca_text(MCA_UNCORRECTED | MCA_CORRUPT | MCA_OVERFLOW | code, text, MCA_TEXT_MAX);
		assert_non_null(text);
		free(text);
	}
}
