-- Hart's algorithm 5666 (1968) in the form of West (2005), "Better approximations to
-- cumulative normal functions": within 1e-15 of the exact probability.
CREATE MACRO _normal_cdf(x) AS CASE WHEN x > 0 THEN 1 ELSE 0 END + CASE WHEN x > 0 THEN -1 ELSE 1 END * exp(-x * x / 2) * CASE
    WHEN abs(x) < 7.07106781186547 THEN
        ((((((3.52624965998911e-2 * abs(x) + 0.700383064443688) * abs(x) + 6.37396220353165) * abs(x) + 33.912866078383) * abs(x)
            + 112.079291497871) * abs(x) + 221.213596169931) * abs(x) + 220.206867912376)
        / (((((((8.83883476483184e-2 * abs(x) + 1.75566716318264) * abs(x) + 16.064177579207) * abs(x) + 86.7807322029461) * abs(x)
            + 296.564248779674) * abs(x) + 637.333633378831) * abs(x) + 793.826512519948) * abs(x) + 440.413735824752)
    ELSE 1 / (abs(x) + 1 / (abs(x) + 2 / (abs(x) + 3 / (abs(x) + 4 / (abs(x) + 0.65))))) / 2.506628274631
END
