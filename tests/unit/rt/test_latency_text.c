// SPDX-License-Identifier: BSD-2-Clause
/* test_latency_text.c - figures in a table of latencies: rounding, and ports. */
#include "tests/unit/test.h"

#include "apps/portable/latency_text.h"

TEST(test_hundredths)
{
	static const struct {
		int64_t sum;
		uint64_t times;
		int64_t hundredths;
		const char *text;
	} cases[] = {
		{0, 7, 0, "0.00"},      {600, 600, 100, "1.00"},    {100, 600, 17, "0.17"},
		{1, 200, 1, "0.01"},    {1, 201, 0, "0.00"},        {-1, 200, -1, "-0.01"},
		{24, 1, 2400, "24.00"}, {-150, 100, -150, "-1.50"}, {5, 1000, 1, "0.01"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[32];

		assert_int_equal(latency_hundredths(cases[i].sum, cases[i].times),
				 cases[i].hundredths);
		latency_format(text, sizeof(text), cases[i].hundredths);
		assert_string_equal(text, cases[i].text);
	}
}

TEST(test_ports)
{
	struct latency_port ports[] = {
		{"p0", 150}, {"p1", 150}, {"p23", 600}, {"p4", 1}, {"p5", -3}};
	char text[96], small[12];

	latency_ports(text, sizeof(text), ports, 5, 600);
	assert_string_equal(text, "0.25*p0+0.25*p1+1.00*p23");
	latency_ports(text, sizeof(text), ports + 3, 2, 600);
	assert_string_equal(text, "none");
	latency_ports(text, sizeof(text), ports, 0, 600);
	assert_string_equal(text, "-");
	latency_ports(small, sizeof(small), ports, 5, 600); /* is cut, and no more */
	assert_memory_equal(small, "0.25*p0+0.2", sizeof(small));
}
