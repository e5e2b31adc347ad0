package bench

// Rows returns the rows of the suite in the order in which they run: rows that work
// little come first, and rows that leave results behind last.
func Rows(e *Env) []Row {
	return []Row{
		largeEngine(e),
		smallEngine(e),
		engineMemory(e),
		decision(e),
		metricsBlock(e),
		simulationRule(e),
		simulationScripted(e),
		simulationMemory(e),
		analysisFactors(e),
		analysisRolling(e),
		analysisCorrelation(e),
		analysisAgreement(e),
		classification(e),
		barStore(e),
		exported(e),
		warmStart(e),
		refresh(e),
		history(e),
		historyMany(e),
		assetHistory(e),
		assetSplice(e),
		historyDuck(e),
		historyPandas(e),
		queried(e),
		queriedMany(e),
		smallQuery(e),
		catalogImport(e),
		screenedFilters(e),
		screeningDuck(e),
		screeningPostgres(e),
		screenedQueries(e),
		record(e),
		validation(e),
		runRow(e),
		buildRow(e),
		simulationRun(e),
		downloaded(e),
		memory(e),
		historyTree(e),
		cascade(e),
		sortedModels(e), // after cascade, which leaves many models
	}
}
