// SPDX-License-Identifier: BSD-2-Clause
// shop.cc - sorts and counts with the standard library: its profile has functions of this file, of
// libstdc++ and of libc, with the library's between those of this file.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace shop
{
struct Order {
	std::string name;
	int price;
};

__attribute__((noinline)) bool cheaper(const Order &a, const Order &b)
{
	return a.price < b.price; // cheaper
}

__attribute__((noinline)) void by_price(std::vector<Order> &orders)
{
	std::sort(orders.begin(), orders.end(), cheaper);
}

__attribute__((noinline)) std::size_t by_name(const std::vector<Order> &orders)
{
	std::map<std::string, int> sums;

	for (const Order &o : orders)
		sums[o.name] += o.price;
	return sums.size();
}

int compare(const void *a, const void *b)
{
	return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

__attribute__((noinline)) int in_c(std::vector<int> numbers)
{
	qsort(numbers.data(), numbers.size(), sizeof(int), compare);
	return numbers[0];
}
} // namespace shop

int main()
{
	std::vector<shop::Order> orders;
	std::vector<int> numbers;

	for (unsigned i = 0, n = 1; i < 3000; i++, n = n * 1103515245 + 12345) {
		orders.push_back({"customer number " + std::to_string(n % 100), int(n >> 8)});
		numbers.push_back(int(n >> 8));
	}
	shop::by_price(orders);
	std::printf("%zu %d\n", shop::by_name(orders), shop::in_c(numbers));
	return 0;
}
