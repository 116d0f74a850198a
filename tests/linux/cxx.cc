// SPDX-License-Identifier: BSD-2-Clause
// cxx.cc - exceptions, streams, threads and containers of C++.
#include <iostream>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static long at(const std::vector<long> &v, size_t i)
{
	try {
		return v.at(i);
	} catch (const std::out_of_range &) {
		return -1;
	}
}

int main()
{
	std::vector<std::thread> threads;
	std::map<std::string, long> sums;
	std::mutex mutex;

	for (long i = 0; i < 4; i++)
		threads.emplace_back([&, i] {
			for (long k = 0; k < 1000; k++) {
				std::lock_guard<std::mutex> guard(mutex);
				sums[i % 2 ? "odd" : "even"] += i * k;
			}
		});
	for (auto &thread : threads)
		thread.join();
	for (const auto &[name, sum] : sums)
		std::cout << name << ' ' << sum << '\n';
	std::cout << at({1, 2, 3}, 2) << ' ' << at({1, 2, 3}, 3) << std::endl;
}
