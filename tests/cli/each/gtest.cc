// SPDX-License-Identifier: BSD-2-Clause
//
// gtest.cc - a test program of GoogleTest with every sort of test that it can list.
#include <gtest/gtest.h>
#include <stdexcept>

#include "counter.h"

TEST(Counter, LosesUpdates) { EXPECT_EQ(count_with(2), 2); }
TEST(Counter, CountsAlone) { EXPECT_EQ(count_with(1), 1); }
TEST(Counter, DISABLED_Fails) { FAIL(); }
TEST(DISABLED_Suite, Fails) { FAIL(); }
TEST(Other, Throws) { EXPECT_THROW(throw std::runtime_error("x"), std::runtime_error); }

class WithParameter : public testing::TestWithParam<int> {};
TEST_P(WithParameter, Counts) { EXPECT_EQ(count_with(GetParam()), GetParam()); }
INSTANTIATE_TEST_SUITE_P(Few, WithParameter, testing::Values(0, 2));

template <class T> class Typed : public testing::Test {};
using Types = testing::Types<int, long>;
TYPED_TEST_SUITE(Typed, Types);
TYPED_TEST(Typed, IsZero) { EXPECT_EQ(TypeParam(), 0); }
