package console

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/program"
)

func TestMarkedWords(t *testing.T) {
	t.Parallel()
	spans, problems := marked("60% SPÝ, 40% XX ok", []program.PromptProblem{
		{Offset: 13, Length: 2, Message: "b"}, {Offset: 4, Length: 3, Message: "a", Nearest: "SPY"}, {Message: "whole"}, {Offset: 5, Length: 1, Message: "inside"}, {Offset: 90, Length: 3, Message: "beyond"},
	})
	want := []span{{"60% ", 0}, {"SPÝ", 2}, {", 40% ", 0}, {"XX", 4}, {" ok", 0}}
	if d := cmp.Diff(want, spans); d != "" {
		t.Error(d)
	}
	if len(problems) != 5 || problems[1].Nearest != "SPY" || problems[1].Words != "SPÝ" || problems[0].Message != "whole" {
		t.Errorf("%+v", problems)
	}
}
