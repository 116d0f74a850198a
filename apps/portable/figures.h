/* SPDX-License-Identifier: BSD-2-Clause */
/* figures.h - statistics of many measurements, none of which is left out. Portable, any context. */
#ifndef APPS_PORTABLE_FIGURES_H
#define APPS_PORTABLE_FIGURES_H

#include <stddef.h>
#include <stdint.h>

enum figure { FIGURE_MIN, FIGURE_MEDIAN, FIGURE_MEAN, FIGURE_MAX, FIGURES };

extern const char *const figure_names[FIGURES];

/*
 * figures_of() - the figures of column `column` of `n` rows, at least one, of `columns` values; the
 * mean as a sum. `sorted` has room for n values, and contains them in ascending order afterwards.
 */
void figures_of(int64_t figure[FIGURES], const int64_t *values, size_t n, unsigned columns,
		unsigned column, int64_t *sorted);

/* figures_format() - prints a figure divided by `per`, which is not 0, with `digits` digits after
 * the point. */
#define FIGURES_TEXT 32
void figures_format(char text[FIGURES_TEXT], int64_t figure, uint64_t per, unsigned digits);

#endif
