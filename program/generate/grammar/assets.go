package grammar

import "strings"

// plainWords are everyday names of assets, with the tickers that they can stand for,
// best known first; the first one in the catalog is used. The last ticker of some
// entries is from the sample market.
var plainWords = []struct {
	names   string // separated by commas
	tickers string
}{
	{"s&p 500, s & p 500, spx, gspc, the market, market, the stock market index, sp 500, sp500, s&p500, s&p, us large caps, us large cap, large cap stocks, large caps, large cap us stocks, us large cap stocks, us large cap equities, large companies", "SPY VOO IVV SYN-LARGE"},
	{"stocks, equities, us stocks, us equities, us equity, equity, american stocks, u.s. stocks, u.s. equities, total stock market, us stock market, total us stock market, us total stock market, the stock market, domestic stocks", "VTI SPY SYN-LARGE"},
	{"ndx, nasdaq, nasdaq 100, nasdaq-100, the nasdaq", "QQQ"},
	{"tech stocks, technology stocks, technology, tech, us tech stocks", "XLK VGT QQQ SYN-TECH"},
	{"dow jones, the dow, dow jones industrial average, dow 30", "DIA"},
	{"small caps, small cap, us small caps, small cap stocks, us small cap stocks, russell 2000, small companies", "IWM VB SYN-SMALL"},
	{"small cap value, us small cap value, small value", "VBR IJS"},
	{"mid caps, mid cap stocks, us mid caps", "MDY IJH VO"},
	{"large cap value, value stocks, us value stocks", "VTV IVE"},
	{"growth stocks, us growth stocks, large cap growth", "VUG IVW"},
	{"world stocks, global stocks, global equities, world equities, all world stocks", "VT ACWI SYN-WORLD"},
	{"international stocks, foreign stocks, international equities, international, ex-us stocks, non-us stocks, total international stocks, international equity", "VXUS VEU ACWX EFA"},
	{"developed markets, eafe, international developed stocks, developed market stocks, foreign developed stocks, developed ex-us stocks, international developed markets", "EFA VEA"},
	{"emerging markets, emerging market stocks, emerging markets stocks, emerging market equities, emerging equities, em stocks, emerging stocks", "EEM VWO IEMG SYN-EMERG"},
	{"europe, european stocks, european equities", "VGK SYN-EUROPE"},
	{"japan, japanese stocks, japanese equities", "EWJ"},
	{"asia pacific, pacific stocks, asian stocks", "VPL SYN-ASIA"},
	{"bonds, us bonds, u.s. bonds, aggregate bonds, us aggregate bonds, total bond market, us bond market, the bond market, fixed income, core bonds, bond market, investment grade bonds", "AGG BND SYN-BOND"},
	{"treasuries, us treasuries, treasury bonds, intermediate treasuries, government bonds, us government bonds, 10 year treasuries, 10-year treasuries, 7-10 year treasuries, intermediate term treasuries, intermediate bonds", "IEF GOVT"},
	{"long treasuries, long-term treasuries, long term treasuries, long bonds, long term bonds, long-term bonds, 20 year treasuries, 20+ year treasuries, long term us treasuries, long-term us treasuries, long term government bonds, long-term government bonds, long treasury bonds, long-term treasury bonds", "TLT VGLT SYN-LONG"},
	{"short treasuries, short-term treasuries, short term treasuries, short bonds, short-term bonds, short term bonds, short-term government bonds, short term government bonds", "SHY VGSH SYN-SHORT"},
	{"money market, money market fund, money market funds, t-bills, tbills, t bills, treasury bills, bills, us t-bills, us treasury bills, 1-3 month t-bills, 3-month t-bills, 3 month treasury bills", "BIL SGOV SHV SYN-BILLS"},
	{"corporate bonds, investment grade corporate bonds, investment-grade corporate bonds, ig corporate bonds, us corporate bonds", "LQD VCIT SYN-CREDIT"},
	{"high yield bonds, high-yield bonds, junk bonds, high yield, high-yield corporate bonds, high yield corporate bonds", "HYG JNK SYN-YIELD"},
	{"tips, inflation-linked bonds, inflation linked bonds, inflation-protected bonds, inflation protected bonds, inflation protected securities, inflation-protected treasuries", "TIP SCHP SYN-INFL"},
	{"international bonds, foreign bonds, global bonds ex-us", "BNDX"},
	{"emerging market bonds, emerging markets bonds, em bonds, emerging market debt", "EMB"},
	{"municipal bonds, munis, muni bonds", "MUB"},
	{"gold, gold bullion, physical gold", "GLD IAU SYN-GOLD"},
	{"silver", "SLV"},
	{"commodities, broad commodities, a commodity index", "DBC PDBC GSG SYN-COMMO"},
	{"oil, crude oil", "USO"},
	{"reits, us reits, real estate, us real estate, reit, real estate stocks", "VNQ IYR SYN-REAL"},
	{"bitcoin, btc", "BTC-USD BTCUSD IBIT SYN-COIN1"},
	{"utilities", "XLU"}, {"energy stocks, energy sector", "XLE"}, {"health care stocks, healthcare stocks, health care, healthcare", "XLV"},
	{"financials, financial stocks", "XLF"}, {"consumer staples", "XLP"},
	{"consumer discretionary", "XLY"}, {"industrials", "XLI"}, {"materials", "XLB"},
}

// plain is one everyday name.
type plain struct {
	words   []string // in lower case
	tickers []string
	name    string
}

// plainNames finds everyday names by their first word.
var plainNames = func() map[string][]plain {
	names := map[string][]plain{}
	for _, entry := range plainWords {
		for name := range strings.SplitSeq(entry.names, ",") {
			x := plain{tickers: strings.Fields(entry.tickers), name: strings.TrimSpace(name)}
			for _, t := range tokenize(x.name) {
				if !t.is("-") && !t.is("the") {
					x.words = append(x.words, t.lower)
				}
			}
			names[x.words[0]] = append(names[x.words[0]], x)
		}
	}
	return names
}()

// plainVocabulary are the words that occur in everyday names.
var plainVocabulary = func() map[string]bool {
	all := map[string]bool{}
	for _, list := range plainNames {
		for _, x := range list {
			for _, w := range x.words {
				all[w] = true
			}
		}
	}
	return all
}()
