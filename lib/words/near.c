// SPDX-License-Identifier: BSD-2-Clause
/* near.c - see near.h. */
#include "lib/words/near.h"

#include "lib/string.h"

bool near_word(const char *typed, size_t n, const char *known)
{
	const size_t m = strlen(known);
	size_t head = 0, tail = 0, t, k;

	if (n < 2 || m < 2 || n > m + 1 || m > n + 1)
		return false;
	while (head < n && head < m && typed[head] == known[head])
		head++;
	while (tail < n - head && tail < m - head && typed[n - 1 - tail] == known[m - 1 - tail])
		tail++;
	t = n - head - tail;
	k = m - head - tail;
	if (t + k == 1 || (t == 1 && k == 1))
		return true;
	return t == 2 && k == 2 && typed[head] == known[head + 1] && typed[head + 1] == known[head];
}
