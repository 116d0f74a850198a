# SPDX-License-Identifier: BSD-2-Clause
"""How far predictions are from measured figures. Pairs are (predicted, measured)."""
import statistics


def relative(pairs):
    """Each pair's error, as a share of what was measured."""
    return [abs(predicted - measured) / measured for predicted, measured in pairs]


def sign(a, b):
    """-1, 0 or 1."""
    return (a > b) - (a < b)


def kendall(pairs):
    """Kendall's tau-b: 1 where predictions have the order of the measured figures; ties count in neither."""
    same, first, second = 0, 0, 0
    for n, (p, m) in enumerate(pairs):
        for q, k in pairs[:n]:
            a, b = sign(p, q), sign(m, k)
            same += a * b
            first += a * a
            second += b * b
    return same / (first * second) ** 0.5 if first and second else float("nan")


def summary(pairs):
    """Mean and median error, tau, and the share of pairs within 10 %."""
    errors = relative(pairs)
    return {
        "pieces": len(pairs),
        "mean": statistics.fmean(errors),
        "median": statistics.median(errors),
        "tau": kendall(pairs),
        "within": sum(error <= 0.1 for error in errors) / len(errors),
    }
