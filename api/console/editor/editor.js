// The editor of scripts: CodeMirror in the place of a text area that it keeps up to date,
// so that the form around it works as it does without scripts.
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, highlightActiveLine, drawSelection } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, defaultHighlightStyle, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { autocompletion, completeFromList, completionKeymap, ifNotIn } from "@codemirror/autocomplete";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { python, globalCompletion, localCompletionSource } from "@codemirror/lang-python";
import { tags } from "@lezer/highlight";

const area = document.querySelector("textarea.script[data-names]");
const nonce = document.querySelector("script[nonce]").nonce;

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.definitionKeyword, tags.controlKeyword, tags.moduleKeyword], color: "var(--link)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--bad)" },
]);

const look = EditorView.theme({
  "&": { color: "var(--ink)" },
  "&.cm-focused": { outline: "3px solid var(--link)" },
  ".cm-gutters": { background: "var(--tint)", color: "var(--soft)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "transparent" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "var(--mark)" },
  ".cm-tooltip": { background: "var(--paper)", color: "var(--ink)", border: "1px solid var(--edge)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--link)", color: "var(--paper)" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "1.5" },
});

/** Completes the names of the harness, and the symbols of the catalog inside quotes. */
const harness = ifNotIn(["Comment", "String"], completeFromList(JSON.parse(area.dataset.names).map((label) => ({ label, type: "function" }))));
async function symbols(context) {
  const word = context.matchBefore(/["'][A-Za-z0-9.^-]{1,12}/);
  if (!word) return null;
  const response = await fetch(`/console/symbols?${new URLSearchParams({ q: word.text.slice(1) })}`);
  if (!response.ok || context.aborted) return null;
  return { from: word.from + 1, options: (await response.json()).map(({ symbol, name }) => ({ label: symbol, detail: name, type: "constant" })) };
}

const view = new EditorView({
  doc: area.value,
  extensions: [
    EditorView.cspNonce.of(nonce),
    lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), lintGutter(), highlightActiveLine(),
    indentUnit.of("    "), EditorState.tabSize.of(4), python(),
    syntaxHighlighting(colors), syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
    autocompletion({ override: [harness, symbols, localCompletionSource, globalCompletion] }),
    // Tab leaves the editor, so that the keyboard is never caught in it.
    keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    EditorView.contentAttributes.of({ "aria-label": "The script", spellcheck: "false", tabindex: "0" }),
    look,
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      area.value = update.state.doc.toString();
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }),
  ],
});
area.hidden = true;
area.after(view.dom);

/** Shows the problems that the service has found at their places. */
function diagnose() {
  const problems = JSON.parse(document.getElementById("draft-state").dataset.problems) ?? [];
  const { doc } = view.state;
  const diagnostics = problems.map((problem) => {
    const line = doc.line(Math.min(Math.max(problem.Line, 1), doc.lines));
    const from = Math.min(line.from + Math.max(problem.Column - 1, 0), line.to);
    return { from, to: Math.max(view.state.wordAt(from)?.to ?? line.to, from), severity: "error", message: problem.Message };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}
document.addEventListener("shown", diagnose);
diagnose();
