package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/report"
)

func (p *page) cause(c *knowledge.Cause) {
	what := []string{p.word("cause"), p.engine(c.Engine)}
	if c.Degraded {
		what = append(what, p.word("degraded"))
	}
	p.head(c.ID, p.in(c.Title), what...)
	p.text("about", p.in(c.About))
	p.text("when", c.When)
	p.text("sure", c.Sure)
	p.signs(c.Signs)
	if len(c.ConfusedWith) > 0 {
		p.section("confused")
		for _, n := range c.ConfusedWith {
			p.para("  ", "  ", p.named(n.ID))
			p.para("      ", "      ", p.in(n.How))
		}
	}
	var leads []string
	for _, id := range c.LeadsTo {
		leads = append(leads, p.named(id))
	}
	p.list("leads", leads)
	p.uses(c.Remedies)
	p.deadEnds(c.DeadEnds)
	p.links("sources", c.Sources)
	p.causeExample(c)
}

func (p *page) signs(signs []knowledge.Sign) {
	if len(signs) == 0 {
		return
	}
	p.section("signs")
	for _, s := range signs {
		weight := strings.Replace(fmt.Sprintf("%+.1f", s.Adds), "-", "−", 1)
		text := p.in(s.Shows)
		if text == "" {
			text = s.If
		} else {
			text += " (" + s.If + ")"
		}
		p.para("  "+weight+"  ", "        ", text)
	}
}

func (p *page) uses(uses []knowledge.Use) {
	if len(uses) == 0 {
		return
	}
	p.section("remedies")
	for i, u := range uses {
		lead := fmt.Sprintf("  %2d  ", i+1)
		p.para(lead, "      ", p.named(u.Use))
		if r := p.kb.Remedy(u.Use); r != nil && len(r.Apply) > 0 {
			if s := spellings(r.Apply[0]); len(s) > 0 {
				p.para("        ", "          ", withoutLog(s[0].text))
			}
		}
		if u.If != "" {
			p.para("      ", "        ", p.word("if")+": "+u.If)
		}
		p.para("      ", "      ", p.in(u.Why))
		p.para("      ", "      ", p.record(u.Outcomes))
	}
}

// record counts the reported cases: "worked in 5 of 6 reported cases".
func (p *page) record(outcomes []knowledge.Outcome) string {
	if len(outcomes) == 0 {
		return ""
	}
	worked := 0
	for _, o := range outcomes {
		if o.Worked {
			worked++
		}
	}
	return p.wordf("record", worked, len(outcomes))
}

func (p *page) deadEnds(ends []knowledge.DeadEnd) {
	if len(ends) == 0 {
		return
	}
	p.section("deadends")
	for _, e := range ends {
		p.para("   x  ", "      ", p.named(e.Use)+p.bounds(&e))
		p.para("      ", "      ", p.in(e.Why))
		if helps := p.in(e.Helps); helps != "" {
			p.para("      ", "      ", p.word("helps")+helps)
		}
	}
}

// bounds says in brackets when a dead end is one, "" where it always is.
func (p *page) bounds(e *knowledge.DeadEnd) string {
	var parts []string
	if e.If != "" {
		parts = append(parts, p.word("if")+": "+e.If)
	}
	if e.Unless != "" {
		parts = append(parts, p.word("unless")+": "+e.Unless)
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// causeExample shows a log of the cause and what oomdoc makes of it.
func (p *page) causeExample(c *knowledge.Cause) {
	if c.Example == "" {
		return
	}
	p.section("example")
	p.verbatim(c.Example)
	d, err := oomdoc.Diagnose("example", strings.NewReader(c.Example), oomdoc.Options{Knowledge: p.kb})
	if err != nil || len(d.Findings) == 0 {
		return
	}
	f := d.Findings[0]
	p.print("  " + p.word("gives") + "\n")
	p.para("    ", "    ", report.Headline(f, p.opts.Lang))
	p.para("    ", "    ", report.Explanation(f, p.opts.Lang))
	for i := range min(len(f.Remedies), 3) {
		r := &f.Remedies[i]
		s := r.Title.In(p.opts.Lang)
		if len(r.Apply) > 0 {
			s += ": " + report.Printable(r.Apply[0].Text)
		}
		p.para(fmt.Sprintf("    %d  ", i+1), "       ", s)
	}
}

func (p *page) remedy(r *knowledge.Remedy) {
	kind, effect := "remedy", "effect"
	if r.Myth {
		kind, effect = "myth", "mythEffect"
	}
	p.head(r.ID, p.in(r.Title), p.word(kind))
	p.text(effect, p.in(r.Effect))
	p.text("cost", p.in(r.Cost))
	p.apply(r.Apply)
	p.text("verify", p.in(r.Verify))
	p.list("settings", r.Settings)
	var helps, dead []string
	for _, c := range p.kb.Causes {
		if i := slices.IndexFunc(c.Remedies, func(u knowledge.Use) bool { return u.Use == r.ID }); i >= 0 {
			line := p.named(c.ID)
			if rec := p.record(c.Remedies[i].Outcomes); rec != "" {
				line += " (" + rec + ")"
			}
			helps = append(helps, line)
		}
		if i := slices.IndexFunc(c.DeadEnds, func(e knowledge.DeadEnd) bool { return e.Use == r.ID }); i >= 0 {
			e := &c.DeadEnds[i]
			dead = append(dead, p.named(c.ID)+p.bounds(e)+": "+p.in(e.Why))
		}
	}
	for i := range r.Useless {
		e := &r.Useless[i]
		dead = append(dead, strings.TrimSpace(p.bounds(e)+" "+p.in(e.Why)))
	}
	p.list("helpsFor", helps)
	p.list("deadFor", dead)
	p.links("sources", r.Sources)
}

// apply lists the spellings, each with its versions and entry point.
func (p *page) apply(list []knowledge.Apply) {
	if len(list) == 0 {
		return
	}
	p.section("apply")
	flags := false
	for _, a := range list {
		var head []string
		if a.Engine != "" {
			head = append(head, a.Engine)
		}
		if a.Since != "" {
			head = append(head, p.wordf("since", a.Since))
		}
		if a.Until != "" {
			head = append(head, p.wordf("until", a.Until))
		}
		if len(head) > 0 {
			p.print("  " + p.style(report.Dim, strings.Join(head, ", ")) + "\n")
		}
		for _, s := range spellings(a) {
			flags = flags || s.entry == "cli" && strings.HasPrefix(s.text, "-")
			for i, line := range strings.Split(strings.TrimRight(withoutLog(s.text), "\n"), "\n") {
				entry := ""
				if i == 0 {
					entry = s.entry
				}
				p.print(fmt.Sprintf("    %-8s %s\n", entry, report.Printable(line))) // not wrapped: it is there to be copied
			}
		}
	}
	if flags {
		p.para("  ", "  ", p.word("flags"))
	}
}

// spelling is the text for one entry point.
type spelling struct{ entry, text string }

func spellings(a knowledge.Apply) []spelling {
	all := []spelling{
		{"cli", a.CLI}, {"python", a.Python}, {"docker", a.Docker}, {"k8s", a.K8s},
		{"code", a.Code}, {"trainer", a.Trainer}, {"env", a.Env}, {"shell", a.Shell},
	}
	return slices.DeleteFunc(all, func(s spelling) bool { return s.text == "" })
}
