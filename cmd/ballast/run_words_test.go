package main

import (
	"strings"
	"testing"
)

// TestRunCommandInWords runs descriptions over files of bars, and refuses one that is
// not understood at its place.
func TestRunCommandInWords(t *testing.T) {
	t.Parallel()
	binary.Path(t)
	_, bars, err := writeSample(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for prompt, want := range map[string]string{
		"60/40 SYN-WORLD/SYN-BOND, quarterly":                                          "Holds 60% SYN-WORLD and 40% SYN-BOND.\nDecides on the last session of each quarter",
		"if SYN-WORLD is above its 200 day average hold SYN-WORLD, otherwise SYN-BOND": "This is held only while SYN-WORLD is above",
	} {
		out, errs, code := command(t, "run", prompt, "--bars", bars)
		if code != 0 || errs != "" || !strings.Contains(out, want) || !strings.Contains(out, "CAGR") {
			t.Errorf("%q: exit code %d, errors %q:\n%s", prompt, code, errs, out)
		}
	}
	_, errs, code := command(t, "run", "60/40 SYN-WORLD/SYN-BONDS, quarterly", "--bars", bars)
	if code != 1 || !strings.Contains(errs, "did you mean SYN-BOND?") {
		t.Errorf("exit code %d, errors %q", code, errs)
	}
	if out, errs, code := command(t, "run", "SYN-WORLD", "--bars", bars); code != 0 || !strings.Contains(out, "Holds SYN-WORLD.") {
		t.Errorf("exit code %d, errors %q:\n%s", code, errs, out)
	}
	if out, errs, code := command(t, "run", "DAA", "--bars", bars); code != 0 || !strings.Contains(out, "Defensive Asset Allocation") {
		t.Errorf("exit code %d, errors %q:\n%s", code, errs, out)
	}
	if _, errs, code := command(t, "run", "SYN-WRLD", "--bars", bars); code != 1 || !strings.Contains(errs, "did you mean SYN-WORLD?") || !strings.Contains(errs, "There is no file of this name") {
		t.Errorf("exit code %d, errors %q", code, errs)
	}
	if _, errs, code := command(t, "run", "missing.txt", "--bars", bars); code == 0 || !strings.Contains(errs, "no such file") {
		t.Errorf("exit code %d, errors %q", code, errs)
	}
	if _, errs, code := command(t, "run", "missing.py", "--bars", bars); code == 0 || !strings.Contains(errs, "no such file") {
		t.Errorf("exit code %d, errors %q", code, errs)
	}
}

// TestDescribeCommand says scripts in words, and what a script says of itself where it
// has no words.
func TestDescribeCommand(t *testing.T) {
	t.Parallel()
	text, err := inWords(t.Context(), "60/40 SYN-WORLD/SYN-BOND, quarterly", fileLibrary{&localMarket{known: map[string]bool{"SYN-WORLD": true, "SYN-BOND": true}}})
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(text, "[0.6, 0.4]", "[0.7, 0.3]", 1)
	out, errs, code := command(t, "describe", writeFile(t, "model.py", changed))
	if code != 0 || errs != "" || !strings.HasPrefix(out, "70% SYN-WORLD, 30% SYN-BOND, quarterly") {
		t.Errorf("exit code %d, errors %q, output %q", code, errs, out)
	}
	tree, err := inWords(t.Context(), "50% (SYN-WORLD when above its 200 day average, otherwise SYN-BOND), 50% (SYN-BOND)", fileLibrary{&localMarket{known: map[string]bool{"SYN-WORLD": true, "SYN-BOND": true}}})
	if err != nil {
		t.Fatal(err)
	}
	out, errs, code = command(t, "describe", writeFile(t, "tree.py", tree))
	if code != 0 || errs != "" || !strings.HasPrefix(out, "50% (100% SYN-WORLD when SYN-WORLD is above its 200 day moving average, otherwise SYN-BOND), 50% (100% SYN-BOND); daily") {
		t.Errorf("exit code %d, errors %q, output %q", code, errs, out)
	}
	out, errs, code = command(t, "describe", writeFile(t, "own.py", fixedWeights("Own", "OWN", "KA", 0.5)))
	if code != 1 || !strings.Contains(errs, "no description gives this script") || !strings.Contains(out, "universe: [KA]") {
		t.Errorf("exit code %d, errors %q, output %q", code, errs, out)
	}
}
