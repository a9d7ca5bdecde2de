package parser
import ("testing";"os";"fmt";"github.com/oomdoc/oomdoc/parser/internal/record";"github.com/oomdoc/oomdoc/parser/internal/scan";"github.com/oomdoc/oomdoc/parser/internal/message")
type tp struct{}
func (tp) Message(_ *message.Template, m message.Occurrence) { fmt.Println(m.At.Line, m.ID, m.Class, m.Origin, m.Unit, m.Facts) }
func (tp) Config(c message.Configuration) {fmt.Println(c)}
func (tp) Quoted(q message.Quotation) {fmt.Println("Q",q)}
func (tp) Gap(int) {}
func (tp) Periodic(int, []byte) bool                         { return false }
func (tp) LeftOut(message.Pos, string)                       {}
func TestZZ(t *testing.T) {
	if os.Getenv("DBG")=="" {t.Skip()}
	b,_ := os.ReadFile(os.Getenv("DBG"))
	r := record.New(tp{},0)
	s := scan.New(record.Gate(), message.GateTexts, r); s.Feed(b); s.Close()
}
