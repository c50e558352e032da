package agentturntest

import (
	"fmt"
	"strings"
)

// diffContext is how many equal lines a diff shows around each difference.
const diffContext = 3

// Diff compares two lists of lines and returns the fewest lines to take out
// ("- ", in want alone) and to put in ("+ ", in got alone), with a few of those
// in both ("  ") around them; empty when the lists are equal.
func Diff(got, want []string) string {
	edits := edit(got, want)
	shown := make([]bool, len(edits))
	differ := false
	for i, e := range edits {
		if e.mark == ' ' {
			continue
		}
		differ = true
		for j := max(0, i-diffContext); j <= min(len(edits)-1, i+diffContext); j++ {
			shown[j] = true
		}
	}
	if !differ {
		return ""
	}
	var out strings.Builder
	skipped := 0
	for i, e := range edits {
		if !shown[i] {
			skipped++
			continue
		}
		writeSkipped(&out, skipped)
		skipped = 0
		fmt.Fprintf(&out, "%c %s\n", e.mark, e.line)
	}
	writeSkipped(&out, skipped)
	return out.String()
}

func writeSkipped(out *strings.Builder, n int) {
	if n > 0 {
		fmt.Fprintf(out, "  ... %d equal\n", n)
	}
}

// edited is one line of a diff.
type edited struct {
	mark byte // ' ', '-' or '+'
	line string
}

// edit turns want into got along a longest common subsequence.
func edit(got, want []string) []edited {
	var head, tail []edited
	for len(got) > 0 && len(want) > 0 && got[0] == want[0] {
		head = append(head, edited{' ', got[0]})
		got, want = got[1:], want[1:]
	}
	for len(got) > 0 && len(want) > 0 && got[len(got)-1] == want[len(want)-1] {
		tail = append(tail, edited{' ', got[len(got)-1]})
		got, want = got[:len(got)-1], want[:len(want)-1]
	}
	// common[i][j] is the length of the longest common subsequence of
	// want[i:] and got[j:].
	common := make([][]int, len(want)+1)
	for i := range common {
		common[i] = make([]int, len(got)+1)
	}
	for i := len(want) - 1; i >= 0; i-- {
		for j := len(got) - 1; j >= 0; j-- {
			if want[i] == got[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(want) || j < len(got) {
		switch {
		case i < len(want) && j < len(got) && want[i] == got[j]:
			head = append(head, edited{' ', got[j]})
			i, j = i+1, j+1
		case j == len(got) || i < len(want) && common[i+1][j] >= common[i][j+1]:
			head = append(head, edited{'-', want[i]})
			i++
		default:
			head = append(head, edited{'+', got[j]})
			j++
		}
	}
	for k := len(tail) - 1; k >= 0; k-- {
		head = append(head, tail[k])
	}
	return head
}
