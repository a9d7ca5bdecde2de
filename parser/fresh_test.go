package parser_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// zz_catalogue.go is what the generator makes of the *.msg files.
func TestGeneratedCatalogueIsFresh(t *testing.T) {
	dir := t.TempDir()
	gen := filepath.Join(dir, "gen")
	if out, err := exec.Command("go", "build", "-o", gen, "./catalogue/gen").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.CopyFS(filepath.Join(dir, "catalogue"), os.DirFS("catalogue")); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join("internal", "message", "zz_catalogue.go")
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(at)), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(gen)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile(filepath.Join(dir, at))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(at); err != nil || !bytes.Equal(got, want) {
		t.Errorf("zz_catalogue.go is not what the *.msg files give: run go generate ./parser (%v)", err)
	}
}
