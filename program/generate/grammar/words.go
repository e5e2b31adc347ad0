package grammar

import "strings"

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// filler are words that may be anywhere and mean nothing. Words that could change a
// meaning (not, or, without, except, until …) are not among them.
var filler = set(`
	a an the this these my our your me i we you
	please kindly hi hello thanks thank
	combination combinations mixture
	build make create construct design generate write give set up run do start implement implementing show
	want would like need should will shall can could let lets let's i'd i'm we'd i'll
	portfolio portfolios strategy strategies model models allocation allocations basket mix approach system
	rule rules plan
	that which who it its it's they them their there 's
	is are be being has have having does
	simple basic plain classic standard diversified static passive systematic tactical
	etf etfs fund funds asset assets ticker tickers symbol symbols security securities instrument instruments
	money capital equity position positions weight weights weighting
	invested allocated
	based consists consisting consist made composed comprised comprising containing contains contain following follows
	always just so then also plus with and as at for by on using use uses via per
	put puts apply applied applies both them one
	new`)

// addressed are the words after which us means the people who ask, not the country.
var addressed = set("give make build create show let design construct write for tell with")

// models are words for a strategy.
var models = set("portfolio portfolios strategy strategies model models allocation mix system rotation momentum macro etf etfs fund funds asset assets multi-asset")

// introducing are fillers after which a member is expected.
var introducing = set(`
	hold holds holding buy buys buying own owns owning in into of to between among amongst across
	invest invests investing allocate allocates allocating long over trade trades trading
	contain contains universe containing with use using go goes going move moves moving switch switches switching
	rotate rotates rotating shift shifts stay stays park parked track tracks tracking mirror mirrors mirroring be add include includes including pick
	take takes compare comparing keep keeps put within blend blends blending mix mixes mixing combine combines combining pick picks picking select selects selecting choose chooses choosing split splits divide divided spread distribute distributed`)

var numberWords = map[string]float64{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
}

// units are spans of time in sessions.
var units = map[string]int{
	"day": 1, "days": 1, "d": 1, "session": 1, "sessions": 1, "bars": 1, "bar": 1,
	"week": 5, "weeks": 5, "w": 5, "wk": 5, "wks": 5,
	"month": 21, "months": 21, "m": 21, "mo": 21, "mos": 21, "mth": 21, "mths": 21,
	"quarter": 63, "quarters": 63,
	"year": 252, "years": 252, "y": 252, "yr": 252, "yrs": 252,
}

// common are English words that are tickers in some catalogs: in lower case they are
// words.
var common = set(`
	a about above act add after ago all also always am an and any are area as ask at away back bad bar be been best
	bet big bill bit boom both box boy bull bear but buy by call calm can car care case cat chip city clear close
	coin cold come cool core corn cost crew cut day days deal deep did dip do does dog done down draw drop due each
	earn ease east easy edge edit else end even ever evil eye fact fair fall far farm fast fat fee few film fill
	find fine fire fit five fix flat flow fly for four free from fun game gap gas get give go goal goes gold good
	got gate great grow grid had half hall hand hard has have he head heat help her here hi high him his hit hold
	hole home hope hot hour how huge i ice idea if in into iron is it its job join jump just keep key kid kind know
	land last late law lazy lead less let life like line link list lite live load long look lot love low luck made
	main make man many map mark mass math may me mean meet mid mind mix moat mode moon more most move much must my
	name near need net never new next nice no none not note now odd of off oil old on once one only open or oral
	other our out over own pack paid pair park part past path pay peak per pick pie play plus pool poor post pro
	pump pure push put quite rate real red rent rest rich ride right ring rise risk road rock role roll rose rule
	run safe sail sale same save say sea see self sell send set seven she ship shop short show side sign silk site
	six size skin sky slow small snow so soft sold solo some son soon sound south spin spot star start stay step
	still stop such sun sure take tale talk tan tax team tech tell ten than that the their them then they this three
	time tips tiny to today too top town tree trip true try turn two under unit up upon us use user vary very
	via view wait walk want war warm was wash way we week well went were west what when who why wide will win wind
	wise wish with wood work world worth yes yet yield you young your zero zip zone until unless since because however
	january february march april june july august september october november december`)
