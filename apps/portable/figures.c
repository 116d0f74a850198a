// SPDX-License-Identifier: BSD-2-Clause
/* figures.c - see figures.h. */
#include "apps/portable/figures.h"

#include "lib/printf.h"

const char *const figure_names[FIGURES] = {"min", "median", "mean", "max"};

static void sort_values(int64_t *value, size_t n)
{
	for (size_t gap = n / 2; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
		for (size_t i = gap; i < n; i++) {
			const int64_t v = value[i];
			size_t at = i;

			for (; at >= gap && value[at - gap] > v; at -= gap)
				value[at] = value[at - gap];
			value[at] = v;
		}
}

void figures_of(int64_t figure[FIGURES], const int64_t *values, size_t n, unsigned columns,
		unsigned column, int64_t *sorted)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		sorted[i] = values[i * columns + column];
		sum += sorted[i];
	}
	sort_values(sorted, n);
	figure[FIGURE_MIN] = sorted[0];
	figure[FIGURE_MEDIAN] = sorted[n / 2];
	figure[FIGURE_MEAN] = sum;
	figure[FIGURE_MAX] = sorted[n - 1];
}

void figures_format(char text[FIGURES_TEXT], int64_t figure, uint64_t per, unsigned digits)
{
	char number[24];

	fmt_ratio(number, sizeof(number), (uint64_t)(figure < 0 ? -figure : figure), per, digits);
	fmt_print(text, FIGURES_TEXT, "%s%s", figure < 0 ? "-" : "", number);
}
