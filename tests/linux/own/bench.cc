// SPDX-License-Identifier: BSD-2-Clause
// bench.cc - the same with C++.
#include <algorithm>
#include <iostream>
#include <random>
#include <vector>

int main()
{
	std::vector<unsigned> numbers(10000);
	std::minstd_rand random;

	std::generate(numbers.begin(), numbers.end(), random);
	std::sort(numbers.begin(), numbers.end());
	std::cout << numbers.size() << " numbers, the middle one is " << numbers[5000] << '\n';
}
