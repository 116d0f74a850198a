// SPDX-License-Identifier: BSD-2-Clause
/* test_plain_name.c - names of functions without what differs between builds. */
#include "tools/profile/plain_name.h"

#include "tests/unit/test.h"

static void expect_plain(const char *name, const char *plain)
{
	struct buf out = {0};

	assert_string_equal(profile_plain_name(&out, name), plain);
	buf_free(&out);
}

TEST(test_copies)
{
	expect_plain("parse", "parse");
	expect_plain("parse.constprop.0", "parse");
	expect_plain("parse.isra.12.cold", "parse");
	expect_plain("parse.part.0.constprop.3", "parse");
	expect_plain("parse.llvm.1234567890", "parse");
	expect_plain("parse.lto_priv.0", "parse");
	expect_plain("parse.cold", "parse");
	expect_plain("v1.2", "v1.2");
	expect_plain(".cold", ".cold");
	expect_plain("", "");
	expect_plain("[0x7f00]", "[0x7f00]");
	expect_plain("strlen@plt", "strlen@plt");
	expect_plain("main@@GLIBC_2.34", "main");
	expect_plain("fopen@GLIBC_2.2.5", "fopen");
	expect_plain("@@", "@@");
}

TEST(test_rust)
{
	expect_plain("core::fmt::write::h0123456789abcdef", "core::fmt::write");
	expect_plain("core::fmt::write::h0123456789ABCDEF", "core::fmt::write::h0123456789ABCDEF");
	expect_plain("<T as core::fmt::Display>::fmt", "<T as core::fmt::Display>::fmt");
	expect_plain("core::ptr::drop_in_place<alloc::vec::Vec<(u8, u8)>>",
		     "core::ptr::drop_in_place<alloc::vec::Vec<(u8, u8)>>");
	expect_plain("run::{closure#0}.llvm.77", "run::{closure#0}");
}

TEST(test_go)
{
	expect_plain("main.(*Tree).Walk", "main.(*Tree).Walk");
	expect_plain("main.main.func1", "main.main.func1");
	expect_plain("runtime.mallocgc", "runtime.mallocgc");
}

TEST(test_cplusplus)
{
	expect_plain("parse(char const*, int)", "parse");
	expect_plain("A::parse(char const*) const", "A::parse");
	expect_plain("A::parse() const &", "A::parse");
	expect_plain("parse(char const*) [clone .constprop.0]", "parse");
	expect_plain("parse(char const*) [clone .part.0] [clone .cold]", "parse");
	expect_plain("void sort<int*, less<int> >(int*, int*, less<int>)",
		     "sort<int*, less<int> >");
	expect_plain("std::vector<int> make<int>(int)", "make<int>");
	expect_plain("A::operator()(int) const", "A::operator()");
	expect_plain("A::operator()", "A::operator()");
	expect_plain("operator new(unsigned long)", "operator new");
	expect_plain("A::operator bool() const", "A::operator bool");
	expect_plain("bool operator< <int>(A<int> const&, A<int> const&)", "operator< <int>");
	expect_plain("std::ostream& operator<< <char>(std::ostream&, char)", "operator<< <char>");
	expect_plain("A::operator->() const", "A::operator->");
	expect_plain("(anonymous namespace)::parse(int)", "(anonymous namespace)::parse");
	expect_plain("(anonymous namespace)::parse", "(anonymous namespace)::parse");
	expect_plain("run(int)::{lambda(int)#1}::operator()(int) const",
		     "run(int)::{lambda(int)#1}::operator()");
	expect_plain("call(void (*)(int))", "call");
	expect_plain("int A<(B)1>::get<int>() const", "A<(B)1>::get<int>");
	expect_plain("f(decltype(nullptr))", "f");
}
