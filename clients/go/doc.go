// Package ballast is a client of the REST interface of Ballast, a self-hosted service
// that builds, backtests and serves asset-allocation models. It needs only the standard
// library.
//
//	c, err := ballast.New("http://127.0.0.1:8080", os.Getenv("BALLAST_KEY"))
//	model, err := c.CreateModel(ctx, &ballast.ModelCreate{Prompt: ballast.Of("60% SPY, 40% AGG, quarterly")})
//	model, err = c.WaitForModel(ctx, model.ID)
//	history, err := c.GetModelHistory(ctx, model.ID, &ballast.GetModelHistoryParameters{Include: []string{"metrics"}})
//
// Every operation is a method with its name in the reference. Lists have a second one
// that iterates over all pages:
//
//	for m, err := range c.ListModelsAll(ctx, nil) { … }
//
// Tables come in other formats from the methods that end in As:
//
//	r, err := c.GetModelHistoryAs(ctx, "SF", nil, ballast.Parquet)
//
// A refused request returns an *Error with the type, message and request id. Requests
// are tried again after 429, 503 and lost connections, with the pauses that Retry-After
// asks for, if the repetition is harmless: those that read, replace or delete, and those
// that start work, which carry an Idempotency-Key.
package ballast
