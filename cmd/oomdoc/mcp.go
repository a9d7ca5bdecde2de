package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc/docs/schema"
	"github.com/oomdoc/oomdoc/mcp"
)

func (a *app) mcpCommand() *cobra.Command {
	var dirs []string
	c := &cobra.Command{
		Use:   "mcp [--root DIR...]",
		Short: "Serve agents over the Model Context Protocol",
		Long: `mcp answers one agent on standard input and output, in the Model Context Protocol,
revisions 2024-11-05 to 2026-07-28. It reads only files under the roots (the working
directory, where none is named), writes nothing, runs nothing and has no network. In
what it hands out, tokens, hosts, addresses and names are masked.`,
		Example: `  claude mcp add oomdoc -- oomdoc mcp
  oomdoc mcp --root /var/log/vllm --root ~/runs`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.mcp(dirs) },
	}
	c.Flags().StringArrayVar(&dirs, "root", []string{"."}, "`directory` whose files may be read; repeatable")
	return c
}

func (a *app) mcp(dirs []string) error {
	a.flags.format = "text"
	opts, err := a.flags.options(io.Discard)
	if err != nil {
		return err
	}
	kb, err := a.knowledge()
	if err != nil {
		return err
	}
	roots, err := mcp.OpenRoots(dirs)
	if err != nil {
		return err
	}
	defer roots.Close()
	signal.Ignore(syscall.SIGPIPE) // a client that hangs up is no fault
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = mcp.Serve(ctx, mcp.Config{
		Version: version(), Lang: opts.Lang, Knowledge: kb, Roots: roots, Schemas: schema.Files,
		Log: func(line string) { complain(a.stderr, "oomdoc: "+line) },
	}, a.stdin, a.stdout)
	switch {
	case ctx.Err() != nil:
		a.status = exitInterrupted
		return nil
	case errors.Is(err, syscall.EPIPE):
		return nil
	}
	return err
}
