#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The arithmetic of errors.py, on figures worked out by hand."""
import math
import sys
import unittest

sys.dont_write_bytecode = True
import errors


class Errors(unittest.TestCase):
    def test_relative_is_a_share_of_the_measured(self):
        self.assertEqual(errors.relative([(3, 2), (1, 2), (2, 2)]), [0.5, 0.5, 0])

    def test_kendall_of_equal_and_reversed_orders(self):
        self.assertEqual(errors.kendall([(1, 10), (2, 20), (3, 30)]), 1)
        self.assertEqual(errors.kendall([(3, 10), (2, 20), (1, 30)]), -1)

    def test_kendall_with_one_exchange_and_with_a_tie(self):
        # Of six pairs five agree and one does not.
        self.assertAlmostEqual(errors.kendall([(1, 1), (3, 2), (2, 3), (4, 4)]), 4 / 6)
        # Two of three pairs agree, one is tied in the predictions: 2 / sqrt(2 * 3).
        self.assertAlmostEqual(errors.kendall([(1, 1), (1, 2), (2, 3)]), 2 / 6**0.5)

    def test_kendall_of_constant_predictions_is_undefined(self):
        self.assertTrue(math.isnan(errors.kendall([(1, 1), (1, 2)])))

    def test_summary(self):
        found = errors.summary([(1.05, 1), (2.5, 2), (3, 3)])
        self.assertEqual((found["pieces"], found["tau"]), (3, 1))
        self.assertAlmostEqual(found["mean"], 0.1)
        self.assertAlmostEqual(found["median"], 0.05)
        self.assertAlmostEqual(found["within"], 2 / 3)


if __name__ == "__main__":
    unittest.main()
