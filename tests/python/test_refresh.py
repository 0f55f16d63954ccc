"""Functions over measures. SPDX-License-Identifier: MIT"""
import unittest

import bodies
import extfn
import numpy

PRICED = bodies.make("if y == 0: raise ValueError('none')\nresult = x * y")


class Refresh(unittest.TestCase):
    def test_a_measure_over_fewer_dimensions_counts_for_all_items(self):
        quantity = extfn.Measure({"product": [1, 0, 1], "month": numpy.array([0, 1, 1])},
                                 [2, 3, 4])
        price = extfn.Measure({"product": [0, 1]}, [10, 100.0])
        dimensions, values = extfn.refresh(PRICED, price, quantity)
        self.assertEqual(list(dimensions), ["product", "month"])
        self.assertEqual([dimensions["product"].to_list(), dimensions["month"].to_list(),
                          values.to_list()], [[0, 1, 1], [1, 0, 1], [30.0, 200.0, 400.0]])

    def test_cells_that_fail(self):
        one = extfn.Measure({"d": [0, 1]}, [5, 6])
        other = extfn.Measure({"d": [1, 0]}, [0, 1])
        values = extfn.refresh(PRICED, one, other, errors="null").values
        self.assertEqual((values.to_list(), values.errors[1]), ([5.0, None],
                                                                "ValueError: none (line 1)"))
        with self.assertRaisesRegex(extfn.FunctionError, "row 1: ValueError: none"):
            extfn.refresh(PRICED, one, other)

    def test_what_is_no_measure(self):
        good = extfn.Measure({"d": [0]}, [1])
        for bad, message in [
                (extfn.Measure({"d": [0, 0]}, [1, 2]), "twice|duplicate|d"),
                (extfn.Measure({"d": [0]}, [1, 2]), "each of the 2 values needs an item"),
                (extfn.Measure({"d": [None]}, [1]), "needs an item"),
                (extfn.Measure({str(i): [0] for i in range(33)}, [1]), "32 dimensions at most")]:
            with self.subTest(message), self.assertRaisesRegex(extfn.InvalidArgument, message):
                extfn.refresh(PRICED, good, bad)
        with self.assertRaises(extfn.ArityMismatch):
            extfn.refresh(PRICED, good)
        with extfn.Host() as host:
            self.assertEqual(extfn.refresh(PRICED, good, good, host=host).values.to_list(), [1.0])
