package grammar

import (
	"context"
	"strings"

	"ballast/internal/id"
	"ballast/internal/nearest"
	"ballast/program/generate"
	"ballast/timeseries/sample"
)

// shelf is a library over a small catalog and a few models.
type shelf struct {
	assets map[string]generate.Member // by symbol
	models []generate.Member
	series []generate.Series
	names  int // how many were looked up at once at the most
}

// funds are the assets of the small catalog: symbol and name. Some symbols are
// English words, as in a real catalog.
const funds = `SPY SPDR S&P 500 ETF Trust
VOO Vanguard S&P 500 ETF
VTI Vanguard Total Stock Market ETF
VT Vanguard Total World Stock ETF
VXUS Vanguard Total International Stock ETF
VEU Vanguard FTSE All-World ex-US ETF
VEA Vanguard FTSE Developed Markets ETF
VWO Vanguard FTSE Emerging Markets ETF
EFA iShares MSCI EAFE ETF
EEM iShares MSCI Emerging Markets ETF
QQQ Invesco QQQ Trust
IWM iShares Russell 2000 ETF
MDY SPDR S&P MidCap 400 ETF
VBR Vanguard Small-Cap Value ETF
VB Vanguard Small-Cap ETF
VTV Vanguard Value ETF
SCZ iShares MSCI EAFE Small-Cap ETF
UPRO ProShares UltraPro S&P500
TMF Direxion Daily 20+ Year Treasury Bull 3X Shares
AGG iShares Core U.S. Aggregate Bond ETF
BND Vanguard Total Bond Market ETF
IEF iShares 7-10 Year Treasury Bond ETF
TLT iShares 20+ Year Treasury Bond ETF
SHY iShares 1-3 Year Treasury Bond ETF
BIL SPDR Bloomberg 1-3 Month T-Bill ETF
TIP iShares TIPS Bond ETF
LQD iShares iBoxx $ Investment Grade Corporate Bond ETF
HYG iShares iBoxx $ High Yield Corporate Bond ETF
GLD SPDR Gold Shares
SLV iShares Silver Trust
DBC Invesco DB Commodity Index Tracking Fund
VNQ Vanguard Real Estate ETF
XLK Technology Select Sector SPDR Fund
XLE Energy Select Sector SPDR Fund
XLU Utilities Select Sector SPDR Fund
XLF Financial Select Sector SPDR Fund
BTC-USD Bitcoin
BRK-B Berkshire Hathaway Inc. Class B
AAPL Apple Inc.
MSFT Microsoft Corporation
GOOG Alphabet Inc.
GOLD Barrick Gold Corporation
MA Mastercard Incorporated
RSI Rush Street Interactive
T AT&T Inc.
A Agilent Technologies Inc.
F Ford Motor Company
V Visa Inc.
ALL Allstate Corporation
IT Gartner Inc.
ON ON Semiconductor Corporation
BE Bloom Energy Corporation
YOU Clear Secure Inc.
SO Southern Company
FOR Forestar Group Inc.
ARE Alexandria Real Estate Equities Inc.
CASH Pathward Financial Inc.
FUN Six Flags Entertainment Corporation
PLAY Dave & Buster's Entertainment Inc.
NOW ServiceNow Inc.
KEY KeyCorp
LOW Lowe's Companies Inc.
OUT OUTFRONT Media Inc.
WHEN World Health Energy Holdings
IF If Bancorp Inc.
REAL RealReal Inc.
SAFE Safehold Inc.
BEST Best Inc.
TOP Top Financial Group
MOVE Movano Inc.
HOLD AdvisorShares North Square ETF
RISK Risk ETF
GEM Goldman Sachs ActiveBeta Emerging Markets Equity ETF
ADM Archer-Daniels-Midland Company
GTAA Cambria Global Tactical ETF
OR OR Royalties Inc.
TQQQ ProShares UltraPro QQQ
AND Global X FTSE Andean 40 ETF
SSO ProShares Ultra S&P500
SPXL Direxion Daily S&P 500 Bull 3X Shares
QLD ProShares Ultra QQQ
TECL Direxion Daily Technology Bull 3X Shares
SOXL Direxion Daily Semiconductor Bull 3X Shares
UVXY ProShares Ultra VIX Short-Term Futures ETF
PSQ ProShares Short QQQ
SH ProShares Short S&P500
DIA SPDR Dow Jones Industrial Average ETF Trust
VGK Vanguard FTSE Europe ETF
EWJ iShares MSCI Japan ETF
BNDX Vanguard Total International Bond ETF
EMB iShares J.P. Morgan USD Emerging Markets Bond ETF
XLV Health Care Select Sector SPDR Fund
XLP Consumer Staples Select Sector SPDR Fund
XLY Consumer Discretionary Select Sector SPDR Fund
XLI Industrial Select Sector SPDR Fund
XLB Materials Select Sector SPDR Fund
IJR iShares Core S&P Small-Cap ETF
IJS iShares S&P Small-Cap 600 Value ETF`

func newShelf() *shelf {
	s := &shelf{assets: map[string]generate.Member{}}
	for line := range strings.Lines(funds) {
		symbol, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		s.assets[symbol] = generate.Member{Key: symbol, ID: "asset-" + symbol, Symbol: symbol, Name: name}
	}
	for _, a := range sample.Assets() {
		s.assets[a.Symbol] = generate.Member{Key: a.Symbol, ID: "asset-" + a.Symbol, Symbol: a.Symbol, Name: a.Name}
	}
	s.models = []generate.Member{
		{Key: "RMOM", ID: "model_0190d5e47c1a7b3e8f00000000000001", Symbol: "RMOM", Name: "Regional momentum", Model: true},
		{Key: "RMOM2", ID: "model_0190d5e47c1a7b3e8f00000000000002", Symbol: "RMOM2", Name: "Regional momentum, two", Model: true},
		{Key: "TRND", ID: "model_0190d5e47c1a7b3e8f00000000000003", Symbol: "TRND", Name: "Trend", Model: true},
		{Key: "CORE", ID: "model_0190d5e47c1a7b3e8f00000000000004", Symbol: "CORE", Name: "Core Income & Growth", Model: true},
		{Key: "model_0190d5e47c1a7b3e8f00000000000005", ID: "model_0190d5e47c1a7b3e8f00000000000005", Symbol: "SPY", Name: "My own index", Model: true},
	}
	s.series = []generate.Series{
		{Name: "FF5", Frequency: "daily", Keys: []string{"Mkt-RF", "SMB", "HML", "RMW", "CMA", "RF"}},
		{Name: "FF3M", Frequency: "monthly", Keys: []string{"Mkt-RF", "SMB", "HML", "RF"}},
	}
	return s
}

func (s *shelf) Members(_ context.Context, names []string) (map[string]generate.Member, error) {
	s.names = max(s.names, len(names))
	found := map[string]generate.Member{}
	for i, name := range names {
		if m, ok := s.assets[strings.ToUpper(name)]; ok {
			found[name] = m
			continue
		}
		if symbol, ok := strings.CutPrefix(name, "asset:"); ok && s.assets[symbol].Key != "" {
			found[name] = s.assets[symbol]
			continue
		}
		name := strings.TrimPrefix(name, "model:")
		ref, ok := id.Parse(id.Model, name)
		if !ok {
			ref = name
		}
		for _, m := range s.models {
			if m.ID == ref || m.Symbol == name || m.Name == name {
				found[names[i]] = m
				break
			}
		}
	}
	return found, nil
}

func (s *shelf) Nearest(_ context.Context, symbols []string) (map[string]string, error) {
	var all []string
	for line := range strings.Lines(funds) {
		symbol, _, _ := strings.Cut(line, " ")
		all = append(all, symbol)
	}
	near := map[string]string{}
	for _, symbol := range symbols {
		if n := nearest.Match(symbol, all); n != "" {
			near[symbol] = n
		}
	}
	return near, nil
}

func (s *shelf) Models(context.Context) ([]generate.Member, error) { return s.models, nil }

func (s *shelf) Search(context.Context, string, int) ([]generate.Member, error) { return nil, nil }

func (s *shelf) Series(context.Context) ([]generate.Series, error) { return s.series, nil }
