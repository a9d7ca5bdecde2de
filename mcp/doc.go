// Package mcp offers the diagnosis to agents: five tools that read logs under given directories, pages of
// the knowledge base as resources, and two prompts. It writes nothing and runs nothing, opens no file
// outside its roots, and masks tokens, hosts and names in all that it hands out: what a model reads leaves
// the machine.
package mcp
