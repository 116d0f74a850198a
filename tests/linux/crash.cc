// SPDX-License-Identifier: BSD-2-Clause
// crash.cc HOW - a program that ends by a signal: in a callback of the library, without stack, by a
// call to nowhere, by abort(3), in a thread, or by an instruction that no CPU has.
#include <cstdlib>
#include <cstring>
#include <thread>

namespace shop
{
volatile int *nowhere;
void (*volatile no_function)();

struct Order {
	int price;
	static int compare(const void *a, const void *b)
	{
		if (static_cast<const Order *>(a)->price == 3)
			*nowhere = 1; // compare
		return static_cast<const Order *>(a)->price - static_cast<const Order *>(b)->price;
	}
};

void in_callback()
{
	Order orders[] = {{4}, {3}, {2}, {1}};

	qsort(orders, 4, sizeof(*orders), Order::compare);
}

__attribute__((noinline)) int without_stack(volatile char *above)
{
	volatile char mine[4096];

	mine[0] = above[0];
	return without_stack(mine) + mine[1]; // without_stack
}

__attribute__((noinline)) void to_nowhere()
{
	no_function(); // to_nowhere
	__asm__ volatile("");
}

__attribute__((noinline)) void no_instruction()
{
	__asm__ volatile("ud2");
}

__attribute__((noinline)) void wide() // wide_begins
{
	__asm__ volatile("vaddpd %zmm1, %zmm2, %zmm3");
}

void in_thread()
{
	std::thread(to_nowhere).join();
}

__attribute__((noinline)) void give_up()
{
	abort(); // give_up
}
} // namespace shop

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	volatile char top[2] = {};

	if (!strcmp(how, "callback"))
		shop::in_callback(); // main
	else if (!strcmp(how, "stack"))
		return shop::without_stack(top);
	else if (!strcmp(how, "nowhere"))
		shop::to_nowhere();
	else if (!strcmp(how, "thread"))
		shop::in_thread();
	else if (!strcmp(how, "instruction"))
		shop::no_instruction();
	else if (!strcmp(how, "wide"))
		shop::wide();
	else
		shop::give_up();
	return 0;
}
