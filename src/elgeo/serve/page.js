// The curator's page. Names come from files of all kinds: they only ever become text, never markup.
"use strict";

const $ = (id) => document.getElementById(id);
const state = { run: "", view: () => {}, found: [], chosen: -1, asked: 0, turn: 0, edition: 0, drawn: false, calibrated: false };

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function say(text, wrong = false) {
  $("says").textContent = text;
  $("says").className = wrong ? "error" : "";
}

async function ask(path, parameters = {}, document_ = null) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ""));
  const options = document_ === null ? {} : {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(document_),
  };
  const answer = await fetch(`api/${path}?${query}`, options);
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  return found;
}

function guarded(work) {
  return async (...given) => {
    try { await work(...given); } catch (error) { say(error.message, true); }
  };
}

const named = (one) => (one.label === one.id ? one.id : `${one.label} (${one.id})`);

function link(one) {
  return element("button", { type: "button", class: "link", onclick: () => show(one.iri) }, named(one));
}

// --- search
const search = guarded(async () => {
  const text = $("q").value.trim(), turn = ++state.asked;
  if (!text) return close();
  const { found } = await ask("search", { run: state.run, q: text, top: 12 });
  if (turn !== state.asked) return; // a later question was answered first
  state.found = found;
  choose(found.length ? 0 : -1);
  $("found").replaceChildren(...found.map((one, i) => element("li", {
    role: "option", id: `found-${i}`, "aria-selected": String(i === 0), onclick: () => show(one.iri),
  }, named(one), one.matched && one.matched !== one.label.toLowerCase() ? element("small", {}, ` ${one.matched}`) : "")));
  $("found").hidden = !found.length;
  $("q").setAttribute("aria-expanded", String(found.length > 0));
  say(found.length ? "" : `no class has “${text}” in a name`);
});

function choose(place) {
  state.chosen = place;
  [...$("found").children].forEach((item, i) => item.setAttribute("aria-selected", String(i === place)));
  if (place >= 0) $("q").setAttribute("aria-activedescendant", `found-${place}`);
  else $("q").removeAttribute("aria-activedescendant");
}

function close() {
  state.found = [];
  $("found").hidden = true;
  $("found").replaceChildren();
  $("q").setAttribute("aria-expanded", "false");
  choose(-1);
}

$("q").addEventListener("input", search);
$("q").addEventListener("keydown", (event) => {
  const last = state.found.length - 1;
  if (event.key === "ArrowDown") choose(Math.min(last, state.chosen + 1));
  else if (event.key === "ArrowUp") choose(Math.max(0, state.chosen - 1));
  else if (event.key === "Enter" && state.chosen >= 0) show(state.found[state.chosen].iri);
  else if (event.key === "Escape") { close(); $("answer").focus({ preventScroll: true }); }
  else return;
  event.preventDefault();
});

// --- a class
const show = guarded(async (iri, keep = false) => {
  close();
  state.view = () => show(iri, true);
  if (await render(() => described(iri), keep) && !keep) history.replaceState(null, "", `#${encodeURIComponent(iri)}`);
});

async function described(iri) {
  const one = await ask("class", { run: state.run, name: iri });
  const parts = [element("h2", {}, named(one))];
  if (one.obsolete) parts.push(element("p", { class: "error" }, "obsolete"));
  if (one.definition) parts.push(element("p", {}, one.definition));
  if (one.synonyms.length) parts.push(element("p", { class: "quiet" }, `also called ${one.synonyms.join(", ")}`));
  for (const [title, many] of [["below", one.superclasses], ["above", one.subclasses]]) {
    if (many.length) parts.push(element("h3", {}, title), places(many.map(link)));
  }
  if (one.axioms.length) {
    parts.push(element("details", {}, element("summary", {}, one.axioms.length === 1 ? "1 axiom speaks of it" : `${one.axioms.length} axioms speak of it`),
      places(one.axioms.map((text) => text))));
  }
  const ends = [["is_head", "head", "Missing axioms"], ["is_tail", "tail", "Missing axioms with it on the right"]];
  for (const [may, end, title] of ends) {
    if (!one[may] || (end === "tail" && one.is_head && !$("answer").dataset.tails)) continue;
    const { missing } = await ask("missing", { run: state.run, [end]: iri, top: 20, ...filters() });
    parts.push(element("h3", {}, title), ...axioms(missing));
  }
  const drawing = element("details", { class: "picture" }, element("summary", {}, "picture"));
  drawing.addEventListener("toggle", () => { state.drawn = drawing.open; if (drawing.open) draw(drawing, iri); });
  parts.splice(1, 0, drawing);
  drawing.open = state.drawn;
  return parts;
}

// What was asked for last is shown, and never as it was before a decision that was made meanwhile.
async function render(make, keep = false) {
  const turn = ++state.turn;
  let parts, edition;
  do {
    edition = state.edition;
    parts = await make();
  } while (edition !== state.edition);
  if (turn === state.turn) put(parts, keep);
  return turn === state.turn;
}

// --- the picture around a class
const SVG = "http://www.w3.org/2000/svg";
function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const draw = guarded(async (place, iri) => {
  if (place.querySelector("svg")) return;
  const { geometry, words, shapes } = await ask("picture", { run: state.run, name: iri });
  const low = (axis, size) => Math.min(...shapes.map((one) => one[axis] - one[size]));
  const high = (axis, size) => Math.max(...shapes.map((one) => one[axis] + one[size]));
  const [left, right, bottom, top] = [low("x", "width"), high("x", "width"), low("y", "height"), high("y", "height")];
  const scale = 600 / Math.max(right - left, top - bottom, 1e-9);
  const at = (one) => [(one.x - left) * scale + 100, (top - one.y) * scale + 40];
  const whole = [0, 0, (right - left) * scale + 200, (top - bottom) * scale + 80];
  const view = [...whole];
  const picture = svg("svg", { viewBox: view.join(" "), role: "group", "aria-label": words });
  const look = (...box) => {
    view.splice(0, 4, ...box);
    picture.setAttribute("viewBox", view.join(" "));
    picture.style.setProperty("--name", `${12 * view[2] / (picture.clientWidth || 800)}px`); // names keep their size
  };
  const zoom = (by, x = 0.5, y = 0.5) =>
    look(view[0] + view[2] * (1 - by) * x, view[1] + view[3] * (1 - by) * y, view[2] * by, view[3] * by);
  const move = (x, y) => look(view[0] + x * view[2], view[1] + y * view[3], view[2], view[3]);
  const [middle] = shapes, longest = place.clientWidth < 500 ? 16 : 28;
  if (!geometry) {
    for (const one of shapes.slice(1)) {
      const [[x1, y1], [x2, y2]] = [at(middle), at(one)];
      picture.append(svg("line", { x1, y1, x2, y2, class: one.relation }));
    }
  }
  for (const one of [...shapes].sort((a, b) => b.height - a.height)) {
    const [x, y] = at(one);
    const [width, height] = [Math.max(one.width * scale, 3), Math.max(one.height * scale, 3)];
    const outline = one.round ? svg("ellipse", { cx: x, cy: y, rx: width, ry: height }) :
      svg("rect", { x: x - width, y: y - height, width: 2 * width, height: 2 * height });
    const name = svg("text", { x, y: y - height - 4, "text-anchor": "middle" },
      one.class.label.length > longest ? `${one.class.label.slice(0, longest - 1)}…` : one.class.label);
    const go = () => show(one.class.iri);
    const group = svg("g", { class: one.relation, tabindex: 0, role: "link", "aria-label": `${named(one.class)}, ${one.relation}` },
      svg("title", {}, `${named(one.class)}: ${one.relation}`), outline, name);
    group.addEventListener("click", go);
    group.addEventListener("keydown", (event) => { if (event.key === "Enter") go(); });
    picture.append(group);
  }
  picture.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = picture.getBoundingClientRect();
    zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }, { passive: false });
  const tools = [["+", "larger", () => zoom(0.7)], ["−", "smaller", () => zoom(1 / 0.7)], ["⤢", "the whole picture", () => look(...whole)],
    ["←", "to the left", () => move(-0.2, 0)], ["→", "to the right", () => move(0.2, 0)],
    ["↑", "up", () => move(0, -0.2)], ["↓", "down", () => move(0, 0.2)]];
  const legend = [["itself", "this class"], ["above", "above it"], ["below", "below it"], ["known", "known"], ["missing", "best missing"]];
  place.append(element("p", { class: "quiet" }, words), picture,
    element("div", { class: "acts" }, ...tools.map(([sign, words_, work]) =>
      element("button", { type: "button", "aria-label": words_, title: words_, onclick: work }, sign))),
    element("p", { class: "legend" }, ...legend.filter(([name]) => shapes.some((one) => one.relation === name))
      .map(([name, words_]) => element("span", { class: name }, words_))));
  look(...whole);
});

// --- filters
function filters() {
  const least = $("least").value.trim().replace(",", ".");
  return { status: $("status").value, decided: $("decided-by").value, [state.calibrated ? "probability" : "score"]: least };
}
$("filters").addEventListener("change", () => state.view());
$("filters").addEventListener("submit", (event) => { event.preventDefault(); state.view(); });

function places(items) {
  return element("ul", { class: "places" }, ...items.map((item) => element("li", {}, item)));
}

function put(parts, keep) {
  const at = [...$("answer").querySelectorAll(".axiom")].indexOf(document.activeElement.closest?.(".axiom"));
  $("answer").replaceChildren(...parts);
  if (keep && at >= 0) $("answer").querySelectorAll(".axiom")[at]?.focus();
  else { say(""); $("answer").focus({ preventScroll: true }); }
}

// --- axioms and decisions
function axioms(rows) {
  if (!rows.length) return [element("p", { class: "quiet" }, "nothing is missing here")];
  return rows.map((row) => {
    const mine = row.decisions.find((decision) => decision.who === $("who").value.trim());
    const reasons = element("ul", { class: "reasons", hidden: true });
    const note = element("input", { "aria-label": "note", placeholder: "a note", maxlength: 4000, hidden: true });
    const act = (verdict) => guarded(async () => {
      const who = $("who").value.trim();
      if (!who) { $("who").focus(); throw new Error("say who you are first"); }
      const axiom = { head: row.head.term, role: row.role, tail: row.tail.term, who };
      const answer = verdict === "undo" ? await ask("undo", {}, axiom) :
        await ask("decisions", {}, { ...axiom, verdict, note: note.value, run: state.run, score: row.score });
      state.edition += 1;
      row.decisions = answer.decisions;
      if (card.isConnected) {
        const again = axioms([row])[0];
        card.replaceWith(again);
        again.focus();
      } else await state.view(); // the list was made anew meanwhile, perhaps without this
      say(verdict === "undo" ? (answer.undone ? "taken back" : "there was nothing to take back") : `${verdict}: kept`);
      effect();
    });
    const why = guarded(async () => {
      if (!reasons.hidden) { reasons.hidden = true; return; }
      const found = (await ask("reasons", { run: state.run, head: row.head.iri, tail: row.tail.iri })).reasons;
      reasons.replaceChildren(...(found.length ? found.map((reason) => element("li", {},
        element("span", { class: "share" }, reason.share.toFixed(4)), element("span", {}, reason.words),
      )) : [element("li", {}, "this model gives no reasons")]));
      reasons.hidden = false;
    });
    const button = (verdict, text) => element("button", {
      type: "button", class: verdict, onclick: act(verdict), "data-act": verdict[0],
      "aria-pressed": String(mine?.verdict === verdict),
    }, text);
    note.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === "Escape") card.focus(); });
    const card = element("article", {
      class: "axiom", tabindex: 0, "aria-label": `${row.head.label} ${row.role_label} ${row.tail.label}`,
    },
    element("div", {}, link(row.head), ` ${row.role_label} `, link(row.tail)),
    element("div", { class: "facts" }, `${row.status}, ${row.probability === null ? "" : `probability ${row.probability.toPrecision(2)}, `}score ${row.score.toPrecision(4)}, rank ${row.rank}${row.models === null ? "" : `, models ${row.models}`}`,
      row.neighbours.length ? ` · like ${row.neighbours.map((one) => one.label).join(", ")}` : ""),
    ...row.decisions.map((decision) => element("div", { class: `said ${decision.verdict}` },
      `${decision.verdict} by ${decision.who}${decision.note ? `: ${decision.note}` : ""}`)),
    element("div", { class: "acts" }, button("accept", "accept"), button("reject", "reject"),
      button("postpone", "postpone"),
      element("button", { type: "button", onclick: act("undo"), "data-act": "u", disabled: !mine }, "undo"),
      element("button", { type: "button", onclick: why, "data-act": "w" }, "why"),
      element("button", { type: "button", "data-act": "n", onclick: () => { note.hidden = false; note.focus(); } }, "note"),
      note), reasons);
    return card;
  });
}

const effect = guarded(async () => {
  const found = await ask("effect", { run: state.run });
  if (!found.added) return;
  const clash = found.unsatisfiable.length ?
    `make ${found.unsatisfiable.map(named).join(", ")} unsatisfiable` : "contradict nothing";
  say(`the ${found.added} accepted axioms make ${found.subsumptions} more follow and ${clash}`);
});

const best = guarded(async () => {
  state.view = best;
  say("looking at all pairs …");
  await render(async () => {
    const { missing } = await ask("missing", { run: state.run, top: 50, ...filters() });
    return [element("h2", {}, "Best missing axioms"), ...axioms(missing)];
  });
});

const decided = guarded(async () => {
  state.view = decided;
  await render(async () => {
    const { decisions } = await ask("decisions");
    return [element("h2", {}, "Decisions"), decisions.length ? places(decisions.map((decision) => element("span", {},
      element("span", { class: decision.verdict }, decision.verdict), ` ${decision.axiom} by ${decision.who}, ${decision.at}`,
      decision.note ? `: ${decision.note}` : ""))) : element("p", { class: "quiet" }, "nobody has decided anything yet")];
  });
  effect();
});

$("best").addEventListener("click", best);
$("decided").addEventListener("click", decided);
$("who").addEventListener("change", () => { localStorage.setItem("elgeo-who", $("who").value.trim()); state.view(); });

$("who").addEventListener("keydown", (event) => { if (event.key === "Enter") $("answer").focus({ preventScroll: true }); });

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const cards = [...document.querySelectorAll(".axiom")];
  const here = cards.indexOf(document.activeElement.closest(".axiom"));
  if (event.key === "/") $("q").focus();
  else if (event.key === "j") cards[Math.min(cards.length - 1, here + 1)]?.focus();
  else if (event.key === "k") cards[Math.max(0, here - 1)]?.focus();
  else if ("arpuwn".includes(event.key) && here >= 0) cards[here].querySelector(`[data-act="${event.key}"]`)?.click();
  else return;
  event.preventDefault();
});

guarded(async () => {
  const { runs } = await ask("runs");
  $("run").replaceChildren(...runs.map((run) => element("option", { value: run.run }, run.run)));
  const chosen = () => {
    state.run = $("run").value;
    const run = runs.find((one) => one.run === state.run);
    state.calibrated = run.calibrated;
    $("least-of").textContent = run.calibrated ? "probability" : "score";
    $("about").textContent = `${run.model} on ${run.dataset}: ${run.classes.toLocaleString()} classes` +
      (run.role_label ? `, what is ${run.role_label} what` : ", what is below what") +
      (run.calibrated ? "; a probability is the share of such suggestions that were true on validation" : "");
  };
  $("run").addEventListener("change", () => { chosen(); state.view(); });
  $("who").value = localStorage.getItem("elgeo-who") ?? "";
  const wanted = new URLSearchParams(location.search);
  if (runs.some((run) => run.run === wanted.get("run"))) $("run").value = wanted.get("run");
  state.drawn = wanted.get("picture") === "open";
  chosen();
  const asked = decodeURIComponent(location.hash.slice(1));
  if (asked) await show(asked);
})();
