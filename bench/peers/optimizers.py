"""Optimizers in PyPortfolioOpt, skfolio and Riskfolio-Lib:
python optimizers.py LIBRARY.WHAT FILE COLUMNS REPETITIONS.

FILE has the returns as 64-bit numbers, a row of COLUMNS numbers per day. WHAT is
variance, shrinkage, hierarchy, shortfall, frontier or walk, of those that the library's
class has. Prints one line of JSON: the median seconds, and the weights in the order of
the columns, the intensity of the shrinkage, the risks of the frontier, or the daily
returns of the walk-forward.
"""
import json
import sys
import time
import warnings

import numpy as np
import pandas as pd


class pypfopt:
    def variance(returns):
        from pypfopt import EfficientFrontier

        covariance = returns.cov()
        return lambda: EfficientFrontier(None, covariance).min_volatility().values()

    def shrinkage(returns):
        from pypfopt.risk_models import CovarianceShrinkage

        def solve():
            s = CovarianceShrinkage(returns, returns_data=True, frequency=1)
            s.ledoit_wolf()
            return [s.delta]

        return solve

    def hierarchy(returns):
        from pypfopt import HRPOpt

        covariance = returns.cov()

        def solve():
            weights = HRPOpt(returns, covariance).optimize()
            return [weights[c] for c in returns.columns]

        return solve

    def shortfall(returns):
        from pypfopt import EfficientCVaR

        return lambda: EfficientCVaR(None, returns, beta=0.95).min_cvar().values()


class skfolio:
    def variance(returns):
        from skfolio.optimization import MeanRisk

        return lambda: MeanRisk().fit(returns).weights_

    def shrinkage(returns):
        from skfolio.moments import LedoitWolf

        return lambda: [LedoitWolf().fit(returns).shrinkage_]

    def hierarchy(returns):
        from skfolio.cluster import HierarchicalClustering, LinkageMethod
        from skfolio.optimization import HierarchicalRiskParity

        clusters = HierarchicalClustering(linkage_method=LinkageMethod.SINGLE)
        return lambda: HierarchicalRiskParity(hierarchical_clustering_estimator=clusters).fit(returns).weights_

    def shortfall(returns):
        from skfolio import RiskMeasure
        from skfolio.optimization import MeanRisk

        return lambda: MeanRisk(risk_measure=RiskMeasure.CVAR, cvar_beta=0.95).fit(returns).weights_

    def frontier(returns):
        from skfolio.optimization import MeanRisk

        def solve():
            weights = MeanRisk(efficient_frontier_size=50).fit(returns).weights_
            return np.sqrt(np.einsum("ki,ij,kj->k", weights, np.cov(returns.T), weights))

        return solve

    def walk(returns):
        from skfolio.model_selection import WalkForward, cross_val_predict
        from skfolio.optimization import MeanRisk

        folds = WalkForward(test_size=21, train_size=252)
        return lambda: np.asarray(cross_val_predict(MeanRisk(), returns, cv=folds).returns)


class riskfolio:
    def portfolio(returns):
        import riskfolio

        p = riskfolio.Portfolio(returns=returns)
        p.assets_stats(method_mu="hist", method_cov="hist")
        return p

    def variance(returns):
        p = riskfolio.portfolio(returns)
        return lambda: p.optimization(model="Classic", rm="MV", obj="MinRisk").iloc[:, 0]

    def shortfall(returns):
        p = riskfolio.portfolio(returns)
        p.alpha = 0.05
        return lambda: p.optimization(model="Classic", rm="CVaR", obj="MinRisk").iloc[:, 0]

    def hierarchy(returns):
        import riskfolio as library

        p = library.HCPortfolio(returns=returns)
        return lambda: p.optimization(model="HRP", codependence="pearson", rm="MV", linkage="single", leaf_order=False).iloc[:, 0]


def main():
    library, what = sys.argv[1].split(".")
    file, columns, repetitions = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    warnings.simplefilter("ignore")
    returns = pd.DataFrame(np.fromfile(file).reshape(-1, columns))
    returns.columns = [f"A{i}" for i in range(columns)]
    solve = getattr({"pypfopt": pypfopt, "skfolio": skfolio, "riskfolio": riskfolio}[library], what)(returns)
    took = []
    for _ in range(repetitions):
        before = time.perf_counter()
        values = solve()
        took.append(time.perf_counter() - before)
    print(json.dumps({"seconds": float(np.median(took)), "values": [float(v) for v in values]}))


main()
