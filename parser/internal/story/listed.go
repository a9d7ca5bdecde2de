package story

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
)

// ownSlack is how much more than PyTorch's reserve a process may hold: context, libraries, graphs.
const (
	ownSlack    = 6 << 30
	contextSize = 1 << 30 // most that a process holds before its first tensor
	closest     = 2 << 30 // by so much nearer to the reserve, one of two is this process
	nextPID     = 16      // pids of processes that one launcher starts are no further apart
)

// tellListed works out what the list of processes says: what the others hold in all, the largest, how many hold
// the same amount, and how many were started next to this one.
func (i *Incident) tellListed() {
	sum, largest := i.listed[0].holds, i.listed[0].holds
	for _, l := range i.listed[1:] {
		sum.Num += l.holds.Num
		sum.Slack += l.holds.Slack
		if l.holds.Num > largest.Num {
			largest = l.holds
		}
	}
	i.Facts["other_processes"] = sum
	i.Facts["largest_other"] = largest
	count := func(name string, n int) {
		f := sum
		f.Value = fact.Value{Kind: fact.Count, Num: float64(n)}
		f.Slack = 0
		i.Facts[name] = f
	}
	if n := alike(i.listed); n >= 2 {
		count("alike_processes", n)
	}
	if n := i.beside(); n > 0 {
		count("sibling_processes", n)
	}
}

// alike returns how many of the listed processes hold the same amount, for the largest such group.
func alike(all []listed) (most int) {
	amounts := make([]float64, len(all))
	for i, l := range all {
		amounts[i] = l.holds.Num
	}
	slices.Sort(amounts)
	for i, first := 0, 0; i < len(amounts); i++ {
		if amounts[i] > amounts[first]*1.01 { // what two decimals of a GiB may hide
			first = i
		}
		most = max(most, i-first+1)
	}
	return most
}

// beside returns how many of the other processes have pids next to this one's: what one launcher started. Where the
// list has this process and does not tell which it is, all of it must be of one launcher.
func (i *Incident) beside() int {
	own := int(i.Facts["own_pid"].Num)
	if own == 0 {
		own = i.originPID()
	}
	pids := []int{own}
	for _, l := range i.listed {
		pids = append(pids, l.pid)
	}
	if own == 0 {
		if _, told := i.Facts["process_in_use"]; told || len(i.listed) < 3 {
			return 0
		}
		pids = pids[1:]
		slices.Sort(pids)
		if span(pids) == len(pids) {
			return len(pids) - 1
		}
		return 0
	}
	slices.Sort(pids)
	at := slices.Index(pids, own)
	up := span(pids[at:])
	slices.Reverse(pids)
	return up + span(pids[len(pids)-1-at:]) - 2
}

// span is how many pids from the first on are next to the one before.
func span(pids []int) int {
	n := 1
	for n < len(pids) && max(pids[n]-pids[n-1], pids[n-1]-pids[n]) <= nextPID {
		n++
	}
	return n
}

// originPID is the pid that the lines of the failed process carry, 0 where they carry none.
func (i *Incident) originPID() int {
	if len(i.Failed) != 1 {
		return 0
	}
	_, after, _ := strings.Cut(i.Failed[0], "pid=")
	pid, _ := strconv.Atoi(after)
	return pid
}

// findSelf drops unusable entries of the listed processes, and takes this process out of them: in a
// container the driver knows it by another pid, so it stands among the others.
func (i *Incident) findSelf() {
	i.listed = slices.DeleteFunc(i.listed, func(l listed) bool { return l.holds.Num <= 0 })
	if _, ok := i.Facts["process_in_use"]; ok {
		return
	}
	reserved, known := i.reserved()
	if !known {
		if reserved, known = i.Facts.Num("torch_allocated"); !known {
			return
		}
	}
	slack := float64(ownSlack)
	if reserved == 0 {
		slack = contextSize
	}
	total, _ := i.Facts.Num("gpu_total")
	free, _ := i.Facts.Num("gpu_free")
	var may []int
	for k, l := range i.listed {
		holds := l.holds.Num + l.holds.Slack + 0.01*reserved
		if holds >= reserved && (l.holds.Num <= reserved+slack || reserved > 0 && total > 0 && holds >= 0.95*(total-free)) {
			may = append(may, k)
		}
	}
	slices.SortStableFunc(may, func(a, b int) int { return cmp.Compare(i.listed[a].holds.Num, i.listed[b].holds.Num) })
	if len(may) == 0 || len(may) > 1 && (reserved == 0 || i.listed[may[1]].holds.Num < i.listed[may[0]].holds.Num+closest) {
		return // two of them: no telling
	}
	self := i.listed[may[0]]
	i.Facts["process_in_use"] = self.holds
	if self.pid > 0 {
		f := self.holds
		f.Value, f.Slack = fact.Value{Kind: fact.Count, Num: float64(self.pid)}, 0
		i.Facts["own_pid"] = f
	}
	i.listed = slices.Delete(i.listed, may[0], may[0]+1)
}
