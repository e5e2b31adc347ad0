// Lets readers explore the growth of a result. The page has a drawing of it already, whose
// place two plots take: growth above, drawdown below, with one cursor. A pointer or the
// arrow keys move it, dragging shows a part of the time, Escape or a double click shows
// all again.
import uPlot from "uplot";

const stage = document.querySelector(".stage");
const readout = document.querySelector(".readout");
const curves = JSON.parse(document.getElementById("curves").textContent);

/** The sums of differences. */
const sums = (differences) => {
  let sum = 0;
  return differences.map((d) => (sum += d));
};
const grown = (differences) => sums(differences).map((v) => v / curves.unit);
const days = sums(curves.days);
const equity = grown(curves.equity);
const beside = curves.beside && [...Array(curves.from).fill(null), ...grown(curves.beside)];
while (beside && beside.length < days.length) beside.push(null);
let high = 0;
const under = equity.map((v) => v / (high = Math.max(high, v)) - 1);

/** Texts as the service writes them. */
const dateText = (day) => new Date(day * 864e5).toISOString().slice(0, 10);
const number = (v, decimals) => (v < 0 && Number(v.toFixed(decimals)) !== 0 ? "−" : "") + Math.abs(v).toFixed(decimals);
const percent = (v, decimals) => `${number(100 * v, decimals)}\u202f%`;
const change = (values, from, to) => {
  const first = values[from], last = values[to];
  return first > 0 && last !== null ? `${last >= first ? "+" : ""}${percent(last / first - 1, 1)}` : "–";
};

/** Round values from low to high: 1, 2 and 5 times powers of ten on a wide logarithmic
 * scale, otherwise equal steps. */
function ticks(low, high, logarithmic) {
  const out = [];
  if (logarithmic && high / low > 5) {
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) for (const digit of [1, 2, 5]) out.push(digit * 10 ** power);
    const inside = out.filter((v) => v >= low && v <= high);
    return inside.length > 10 ? inside.filter((_, i) => i % 3 === 0) : inside;
  }
  let step = 10 ** Math.floor(Math.log10((high - low) / 4));
  step *= [1, 2, 2.5, 5, 10].find((m) => (high - low) / (step * m) <= 6) ?? 10;
  for (let i = Math.ceil(low / step); i * step <= high; i++) out.push(i * step);
  return out;
}

const color = (name) => getComputedStyle(stage).getPropertyValue(name).trim();
const faint = (name) => `color-mix(in srgb, ${color(name)} 35%, transparent)`;

/** Shades the days that bars of other assets stand for. */
function shade(u) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.fillStyle = `color-mix(in srgb, ${color("--post")} 14%, transparent)`;
  for (const [first, last] of curves.shaded ?? []) {
    const from = Math.max(bbox.left, u.valToPos(first * 86400, "x", true)), to = Math.min(bbox.left + bbox.width, u.valToPos(last * 86400, "x", true));
    if (to > from) ctx.fillRect(from, bbox.top, to - from, bbox.height);
  }
  ctx.restore();
}

// The drawing stays for paper, which the style sheet knows.
const room = document.createElement("div");
room.className = "plots";
stage.append(room);

let plots = [], at = days.length - 1;

/** Writes what the curves show on a session, and how they changed if only a part of the
 * time is shown. */
function tell(i) {
  at = i;
  const x = plots[0]?.scales.x;
  let text = `${dateText(days[i])}: ${number(equity[i], 2)}`;
  if (beside) text += `, ${curves.against} ${beside[i] === null ? "–" : number(beside[i], 2)}`;
  text += `, drawdown ${percent(under[i], 1)}`;
  if (x) {
    const [from, to] = [days.findIndex((d) => d * 86400 >= x.min), days.findLastIndex((d) => d * 86400 <= x.max)];
    if (to > from && (from > 0 || to < days.length - 1)) {
      text += `. From ${dateText(days[from])} to ${dateText(days[to])}: ${change(equity, from, to)}`;
      if (beside) text += `, ${curves.against} ${change(beside, from, to)}`;
    }
  }
  readout.textContent = text;
  stage.setAttribute("aria-valuenow", i);
  stage.setAttribute("aria-valuetext", text);
}

function draw() {
  const { min, max } = plots[0]?.scales.x ?? {}; // what is shown of the time stays
  for (const u of plots) u.destroy();
  room.replaceChildren();
  const { clientWidth: width, clientHeight: height } = stage;
  const narrow = width < 560;
  const axis = { stroke: color("--soft"), grid: { stroke: color("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
  const shared = {
    width, legend: { show: false }, tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), "Etc/UTC"),
    cursor: { sync: { key: "growth", scales: ["x", null] }, drag: { x: true, y: false, setScale: true }, points: { size: 6 }, y: false },
    hooks: {
      drawClear: [shade],
      setCursor: [(u) => u.cursor.idx != null && tell(u.cursor.idx)],
      setScale: [(u, key) => key === "x" && plots.length === 2 && tell(at)],
    },
  };
  const left = { ...axis, side: 3, size: 52 };
  const seconds = days.map((d) => d * 86400);
  const above = {
    ...shared, height: Math.round(height * 0.7),
    scales: { y: { distr: curves.linear ? 1 : 3, range: (_, low, top) => (curves.linear ? [low - (top - low) * 0.03, top + (top - low) * 0.03] : [low / 1.03, top * 1.03]) } },
    axes: [{ ...axis, size: 8, values: () => [] }, { ...left, splits: (_u, _i, low, top) => ticks(low, top, !curves.linear), filter: (_u, splits) => splits, values: (_u, splits) => splits.map((v) => Number(v.toPrecision(4)).toString()) }],
    series: [{}, ...(beside ? [{ stroke: color("--soft"), width: 1.2, points: { show: false } }] : []), { stroke: color("--link"), width: 1.6, points: { show: false } }],
  };
  const below = {
    ...shared, height: height - above.height,
    scales: { y: { range: (_, low) => [Math.min(low, -0.01), 0] } },
    axes: [{ ...axis, size: 30, space: narrow ? 70 : 50 }, { ...left, space: 24, values: (_u, splits) => splits.map((v) => percent(v, v === Math.round(v * 100) / 100 ? 0 : 1)) }],
    series: [{}, { stroke: color("--delete"), fill: faint("--delete"), width: 1, points: { show: false } }],
  };
  plots = [];
  plots = [new uPlot(above, beside ? [seconds, beside, equity] : [seconds, equity], room), new uPlot(below, [seconds, under], room)];
  if (min !== undefined) for (const u of plots) u.setScale("x", { min, max });
  tell(at);
}

/** Moves the cursor to a session. */
function move(i) {
  const u = plots[0];
  const to = Math.min(Math.max(i, 0), days.length - 1);
  for (const plot of plots) plot.setCursor({ left: plot.valToPos(days[to] * 86400, "x"), top: plot === u ? 1 : 0 }, false);
  tell(to);
}

stage.tabIndex = 0;
for (const [name, value] of Object.entries({ role: "slider", "aria-label": stage.dataset.label, "aria-valuemin": 0, "aria-valuemax": days.length - 1 })) stage.setAttribute(name, value);
stage.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -21, PageUp: 21, Home: -days.length, End: days.length };
  if (event.key === "Escape") for (const u of plots) u.setScale("x", { min: days[0] * 86400, max: days.at(-1) * 86400 });
  else if (event.key in steps && !event.ctrlKey && !event.metaKey && !event.altKey) move(at + steps[event.key] * (event.shiftKey ? 5 : 1));
  else return;
  event.preventDefault();
});
draw();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
let width = stage.clientWidth;
new ResizeObserver(() => {
  if (stage.clientWidth === width) return;
  width = stage.clientWidth;
  draw();
}).observe(stage);
for (const button of document.querySelectorAll("button[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
