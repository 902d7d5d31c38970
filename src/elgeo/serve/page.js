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
  const answer = await fetch(`api/${path}?${query}`, options).catch(() => {
    throw new Error("the server does not answer: what you decide now is not kept");
  });
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
  if (await render(() => described(iri), keep) && !keep) remember(encodeURIComponent(iri));
});

// Each view has an address of its own, so that the way back and a copied address lead to it.
function remember(place) {
  if (location.hash !== `#${place}`) history.pushState(null, "", `#${place}`);
}

function open() {
  const asked = location.hash.slice(1);
  if (asked === "/best") return best();
  if (asked === "/decisions") return decided();
  if (asked) return show(decodeURIComponent(asked));
  state.view = open;
  close();
  return render(async () => [
    element("p", {}, "Search for a class to see where it stands and which axioms it may lack, each with reasons; or begin with the best of all."),
    element("p", {}, "Say who you are, then accept, reject or postpone: whoever looks at the same axiom sees it, and what was accepted is added to a copy of your ontology by ",
      element("code", {}, "elgeo apply"), ".")]);
}

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
    const told = (found) => {
      row.told = found;
      reasons.hidden = !found;
      reasons.replaceChildren(...(found ?? []).map((reason) => element("li", {},
        element("span", { class: "share" }, reason.share.toFixed(4)), element("span", {}, reason.words))));
      if (found && !found.length) reasons.append(element("li", {}, "this model gives no reasons"));
    };
    told(row.told ?? null);
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
        const [again] = axioms([row]), mine = card.contains(document.activeElement);
        card.replaceWith(again);
        if (mine) again.focus(); // who has gone on to the next meanwhile stays there
      } else await state.view(); // the list was made anew meanwhile, perhaps without this
      say(verdict === "undo" ? (answer.undone ? "taken back" : "there was nothing to take back") : `${verdict}: kept`);
      effect();
    });
    const why = guarded(async () => {
      told(row.told ? null : (await ask("reasons", { run: state.run, head: row.head.iri, tail: row.tail.iri })).reasons);
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
  const [subject, s] = found.added === 1 ? ["the accepted axiom", "s"] : [`the ${found.added} accepted axioms`, ""];
  const clash = found.unsatisfiable.map(named).join(", "), more = found.subsumptions + found.links - found.new;
  const seen = found.beyond ? ` as far as EL++ sees: ${found.beyond} axiom${found.beyond === 1 ? " goes" : "s go"} beyond it` : "";
  say(clash ? `${subject} make${s} ${clash} unsatisfiable` : `${subject} make${s} ${more} more follow and contradict${s} nothing${seen}`);
});

const best = guarded(async () => {
  state.view = best;
  say("looking at all pairs …");
  const shown = await render(async () => {
    const { missing } = await ask("missing", { run: state.run, top: 50, ...filters() });
    return [element("h2", {}, "Best missing axioms"), ...axioms(missing)];
  });
  if (shown) remember("/best");
});

const decided = guarded(async () => {
  state.view = decided;
  const shown = await render(async () => {
    const { decisions } = await ask("decisions");
    const most = 200, shown = decisions.slice(-most).reverse().map((decision) => {
      const { head, role_label, tail } = decision.called ?? {};
      const undo = guarded(async () => {
        const { head: left, role, tail: right, who } = decision;
        await ask("undo", {}, { head: left, role, tail: right, who });
        state.edition += 1;
        await decided();
      });
      return element("article", { class: "axiom" },
        element("div", {}, ...(head ? [link(head), ` ${role_label} `, link(tail)] : [decision.axiom])),
        element("div", { class: `said ${decision.verdict}` }, `${decision.verdict} by ${decision.who}${decision.note ? `: ${decision.note}` : ""}`),
        element("div", { class: "facts" }, `${new Date(decision.at).toLocaleString()}${decision.run ? `, ${decision.model} (${decision.run})` : ""}${decision.score === null ? "" : `, score ${decision.score.toPrecision(4)}`}`),
        ...(decision.who === $("who").value.trim() ? [element("div", { class: "acts" }, element("button", { type: "button", "data-act": "u", onclick: undo }, "undo"))] : []));
    });
    shown.forEach((card) => card.setAttribute("tabindex", "0"));
    const rest = decisions.length > most ? `and ${(decisions.length - most).toLocaleString()} before these` :
      decisions.length ? "" : "nobody has decided anything yet";
    return [element("h2", {}, "Decisions"), ...shown, element("p", { class: "quiet" }, rest)];
  });
  if (shown) remember("/decisions");
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
  await open();
  addEventListener("popstate", guarded(open));
})();
