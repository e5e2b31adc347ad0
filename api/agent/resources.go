package agent

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ballast/docs"
)

// pages are the pages of documentation that agents may read.
var pages = []struct{ name, title, description string }{
	{"script-contract", "The script contract", "What a model's script may do and read, with every function of the harness"},
	{"prompts", "Prompts", "The words that models, simulations and analyses are understood from, with examples"},
	{"metrics", "Metrics", "Every statistic: formula, source, short series"},
}

func addResources(s *mcp.Server) {
	for _, p := range pages {
		uri := "ballast://docs/" + p.name
		text := string(docs.Page(p.name))
		s.AddResource(&mcp.Resource{URI: uri, Name: p.name, Title: p.title, Description: p.description, MIMEType: "text/markdown", Size: int64(len(text))},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/markdown", Text: text}}}, nil
			})
	}
}
