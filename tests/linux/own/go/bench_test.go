// SPDX-License-Identifier: BSD-2-Clause
// bench_test.go - the same with Go's tests and benchmarks.
package own

import (
	"sort"
	"testing"
)

func numbers(n uint32) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = int(uint32(i) * 2654435761 >> 8)
	}
	sort.Ints(numbers)
	return numbers
}

func TestNumbers(t *testing.T) {
	if !sort.IntsAreSorted(numbers(1000)) {
		t.Fatal("not sorted")
	}
}

func BenchmarkNumbers(b *testing.B) {
	for i := 0; i < b.N; i++ {
		numbers(1000)
	}
}
