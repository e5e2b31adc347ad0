package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"ballast/audit"
	"ballast/service"
)

// auditPage is how many entries are read at a time.
const auditPage = 1000

func auditCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "audit", Short: "Read who changed what"}
	c := service.Default()
	c.Log.Level = "warn"
	var accountName string
	var since time.Duration
	list := &cobra.Command{
		Use:     "list",
		Short:   "List changes, newest first",
		Example: "  ballast audit list --account acme --since 24h",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStorage(cmd, c, func(ctx context.Context, s *service.Storage) error {
				f := audit.Filter{Limit: auditPage}
				if accountName != "" {
					a, err := s.DB.AccountByName(ctx, accountName)
					if err != nil {
						return err
					}
					f.AccountID = a.ID
				}
				if since > 0 {
					from := time.Now().Add(-since)
					f.Since = &from
				}
				return listAudit(ctx, cmd, s, f)
			})
		},
	}
	service.Bind(list.Flags(), c.ForStorage()...)
	list.Flags().StringVar(&accountName, "account", "", "only changes in this account, by its name")
	list.Flags().DurationVar(&since, "since", 0, "only changes within this time, such as 24h or 90m (default all)")
	cmd.AddCommand(list)
	return cmd
}

func listAudit(ctx context.Context, cmd *cobra.Command, s *service.Storage, f audit.Filter) error {
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 2, 8, 2, ' ', 0)
	fmt.Fprintln(w, "AT\tACCOUNT\tACTOR\tADDRESS\tOPERATION\tTARGETS\tBEFORE\tAFTER\tREQUEST")
	for {
		entries, _, err := s.DB.Entries(ctx, f)
		if err != nil {
			return err
		}
		for _, e := range entries {
			fmt.Fprintf(w, "%s\t%s\t%s %s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.At.Format(time.RFC3339), e.AccountID, e.Actor, e.ActorID, e.Address,
				e.Operation, strings.Join(e.Targets, ","), fields(e.Before), fields(e.After), e.RequestID)
		}
		if len(entries) < f.Limit {
			return w.Flush()
		}
		f.Offset += len(entries)
	}
}

// fields returns a document on one line, or - if it is empty.
func fields(values map[string]any) string {
	text, err := json.Marshal(values)
	if err != nil || len(values) == 0 {
		return "-"
	}
	return string(text)
}
