package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"ballast/operate/backup"
	"ballast/service"
)

func backupCommand() *cobra.Command {
	c := service.Default()
	c.Log.Level = "warn"
	var out string
	cmd := &cobra.Command{
		Use:   "backup --out DIR",
		Short: "Copy the database and the objects to a folder, while the service runs or not",
		Long: `Copies one consistent snapshot of the database, and the objects that it refers to.
The service may keep running meanwhile. The folder contains everything, including
accounts and the secrets of webhooks, so only its owner can read it.`,
		Example: "  ballast backup --data-dir data --out /backups/$(date +%F)",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usage("name the folder of the backup: --out DIR")
			}
			return withStorage(cmd, c, func(ctx context.Context, s *service.Storage) error {
				progress, end := filesDone(cmd, "copying")
				m, err := backup.Write(ctx, s.DB, s.Bucket, out, progress)
				end(err)
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: the state of %s, %d objects, %.1f MB\n", out, m.At.Format(time.RFC3339), len(m.Objects), float64(m.Bytes())/1e6)
				return nil
			})
		},
	}
	service.Bind(cmd.Flags(), c.ForStorage()...)
	cmd.Flags().StringVar(&out, "out", "", "folder of the backup; it must be empty or not exist")
	return cmd
}

func restoreCommand() *cobra.Command {
	c := service.Default()
	c.Log.Level = "warn"
	var from string
	var verify bool
	cmd := &cobra.Command{
		Use:   "restore --from DIR",
		Short: "Restore a backup into an empty data folder",
		Long: `Checks every file of the backup against its checksum, then fills an empty database and
an empty bucket from it. Nothing is overwritten.

Only restore backups that you trust: their rows decide who has accounts and keys,
and which scripts run. Nothing else of a backup takes effect: the tables are made by
this program, and rows are loaded into them.

The restored service continues where the backup was taken: it sends pending mails and
webhook deliveries, and refreshes models.`,
		Example: `  ballast restore --from /backups/2026-11-21 --data-dir restored
  ballast restore --from /backups/2026-11-21 --verify      # only check whether it is complete`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if from == "" {
				return usage("name the folder of the backup: --from DIR")
			}
			return restore(cmd, c, from, verify)
		},
	}
	service.Bind(cmd.Flags(), c.ForStorage()...)
	cmd.Flags().StringVar(&from, "from", "", "folder of the backup")
	cmd.Flags().BoolVar(&verify, "verify", false, "only check the files of the backup against their checksums")
	return cmd
}

func restore(cmd *cobra.Command, c service.Config, from string, verify bool) (err error) {
	ctx := cmd.Context()
	progress, end := filesDone(cmd, "verifying")
	m, err := backup.Verify(ctx, from, progress)
	end(err)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	if verify {
		fmt.Fprintf(cmd.OutOrStdout(), "%s is complete: the state of %s, %d objects, %.1f MB\n", from, m.At.Format(time.RFC3339), len(m.Objects), float64(m.Bytes())/1e6)
		return nil
	}
	if entries, err := os.ReadDir(c.Storage.DataDir); err == nil && len(entries) > 0 {
		return fmt.Errorf("the data folder %s is not empty; restore the backup into a new one, with --data-dir", c.Storage.DataDir)
	}
	log, err := service.NewLogger(c.Log, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	s, err := service.OpenAsIs(ctx, c, log, service.SharedDatabase)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	progress, end = filesDone(cmd, "restoring")
	err = backup.Restore(ctx, m, s.DB, s.Bucket, s.Temporary, progress)
	end(err)
	if err != nil {
		return fmt.Errorf("%w\nthe restore is incomplete: remove %s and try again", err, c.Storage.DataDir)
	}
	if err := s.DB.Migrate(ctx); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "restored the state of %s, %d objects; check it with ballast doctor --data-dir %s\n", m.At.Format(time.RFC3339), len(m.Objects), c.Storage.DataDir)
	return nil
}

// filesDone shows how many files are done.
func filesDone(cmd *cobra.Command, title string) (progress backup.Progress, end func(error)) {
	m := newMeter(cmd.ErrOrStderr(), title)
	return func(n, total int) { m.setCount(int64(n), int64(total), fmt.Sprintf("%d of %d files", n, total)) }, m.end
}
