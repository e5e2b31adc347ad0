"""A withdrawal plan in NumPy: python simulation.py MONTHS.json REPETITIONS.

MONTHS.json has the factor of each month of history. Carries 10,000 paths through 360
months of stationary blocks of 12 months, withdraws four per cent of the start value,
rising by 2.5 per cent a year, and takes seven quantiles of the value by month. Prints
one line of JSON: the median seconds and the share of paths that last.
"""
import json
import sys
import time

import numpy as np

PATHS, MONTHS = 10_000, 360


def simulate(returns, seed):
    random = np.random.default_rng(seed)
    begins = random.random((MONTHS, PATHS)) < 1 / 12
    begins[0] = True
    places = random.integers(0, len(returns), (MONTHS, PATHS))
    value, at = np.full(PATHS, 1e6), places[0]
    alive, values = np.full(PATHS, True), np.empty((MONTHS, PATHS))
    for t in range(MONTHS):
        at = np.where(begins[t], places[t], (at + 1) % len(returns))
        payment = 1e6 * 0.04 / 12 * 1.025 ** (t // 12)
        alive &= value >= payment
        value = np.maximum(value - payment, 0) * (1 + returns[at])
        values[t] = value
    return alive.mean(), np.quantile(values, [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95], axis=1)


def main(path, repetitions):
    with open(path, encoding="utf-8") as file:
        months = json.load(file)
    returns = np.array([months[m] for m in sorted(months)][1:]) - 1
    taken = []
    for seed in range(repetitions + 1):
        began = time.perf_counter()
        success, _ = simulate(returns, seed)
        taken.append(time.perf_counter() - began)
    print(json.dumps({"seconds": float(np.median(taken[1:])), "success": float(success)}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
