// SPDX-License-Identifier: BSD-2-Clause
/* test_plain_name.c - names of functions without what differs between builds. */
#include "tools/profile/plain_name.h"

#include "tests/unit/test.h"

static void expect(const char *name, const char *plain)
{
	struct buf out = {0};

	assert_string_equal(profile_plain_name(&out, name), plain);
	buf_free(&out);
}

TEST(test_copies)
{
	expect("parse", "parse");
	expect("parse.constprop.0", "parse");
	expect("parse.isra.12.cold", "parse");
	expect("parse.part.0.constprop.3", "parse");
	expect("parse.llvm.1234567890", "parse");
	expect("parse.lto_priv.0", "parse");
	expect("parse.cold", "parse");
	expect("v1.2", "v1.2");
	expect(".cold", ".cold");
	expect("", "");
	expect("[0x7f00]", "[0x7f00]");
	expect("strlen@plt", "strlen@plt");
	expect("main@@GLIBC_2.34", "main");
	expect("fopen@GLIBC_2.2.5", "fopen");
	expect("@@", "@@");
}

TEST(test_rust)
{
	expect("core::fmt::write::h0123456789abcdef", "core::fmt::write");
	expect("core::fmt::write::h0123456789ABCDEF", "core::fmt::write::h0123456789ABCDEF");
	expect("<T as core::fmt::Display>::fmt", "<T as core::fmt::Display>::fmt");
	expect("core::ptr::drop_in_place<alloc::vec::Vec<(u8, u8)>>",
	       "core::ptr::drop_in_place<alloc::vec::Vec<(u8, u8)>>");
	expect("run::{closure#0}.llvm.77", "run::{closure#0}");
}

TEST(test_go)
{
	expect("main.(*Tree).Walk", "main.(*Tree).Walk");
	expect("main.main.func1", "main.main.func1");
	expect("runtime.mallocgc", "runtime.mallocgc");
}

TEST(test_cplusplus)
{
	expect("parse(char const*, int)", "parse");
	expect("A::parse(char const*) const", "A::parse");
	expect("A::parse() const &", "A::parse");
	expect("parse(char const*) [clone .constprop.0]", "parse");
	expect("parse(char const*) [clone .part.0] [clone .cold]", "parse");
	expect("void sort<int*, less<int> >(int*, int*, less<int>)", "sort<int*, less<int> >");
	expect("std::vector<int> make<int>(int)", "make<int>");
	expect("A::operator()(int) const", "A::operator()");
	expect("A::operator()", "A::operator()");
	expect("operator new(unsigned long)", "operator new");
	expect("A::operator bool() const", "A::operator bool");
	expect("bool operator< <int>(A<int> const&, A<int> const&)", "operator< <int>");
	expect("std::ostream& operator<< <char>(std::ostream&, char)", "operator<< <char>");
	expect("A::operator->() const", "A::operator->");
	expect("(anonymous namespace)::parse(int)", "(anonymous namespace)::parse");
	expect("(anonymous namespace)::parse", "(anonymous namespace)::parse");
	expect("run(int)::{lambda(int)#1}::operator()(int) const",
	       "run(int)::{lambda(int)#1}::operator()");
	expect("call(void (*)(int))", "call");
	expect("int A<(B)1>::get<int>() const", "A<(B)1>::get<int>");
	expect("f(decltype(nullptr))", "f");
}
