// The picture around a class: shapes where the model has them, names where there is room for them.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const LETTER = 7, LINE = 15; // pixels that a letter and a line of a name take, about
const LOUD = ["itself", "missing", "known", "above", "below"]; // whose names come first where there is little room
const MEANS = { itself: "this class", above: "above it", below: "below it", known: "known", missing: "best missing" };

function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// Where each shape is drawn, in pixels. Without a geometry places mean nothing, so the room is filled.
function laidOut(shapes, geometry, wide, tall) {
  const margin = { x: geometry ? LINE : Math.min(100, wide / 5), y: 2 * LINE };
  const reach = (one, size) => (geometry ? one[size] : 0);
  const span = (axis, size) => [Math.min(...shapes.map((one) => one[axis] - reach(one, size))), Math.max(...shapes.map((one) => one[axis] + reach(one, size)))];
  const [[left, right], [bottom, top]] = [span("x", "width"), span("y", "height")];
  let across = (wide - 2 * margin.x) / Math.max(right - left, 1e-9), up = (tall - 2 * margin.y) / Math.max(top - bottom, 1e-9);
  if (geometry) across = up = Math.min(across, up);
  return shapes.map((one) => ({
    ...one,
    x: wide / 2 + (right > left ? (one.x - (left + right) / 2) * across : 0),
    y: tall / 2 - (top > bottom ? (one.y - (top + bottom) / 2) * up : 0),
    width: geometry ? Math.max(one.width * across, 3) : 12,
    height: geometry ? Math.max(one.height * up, 3) : 6,
  }));
}

// An element, and what moves in it; `go` is called with the class of a shape that is chosen.
function painted({ geometry, words, shapes }, wide, tall, go) {
  const drawn = laidOut(shapes, geometry, wide, tall), longest = wide < 500 ? 22 : 36;
  const whole = [0, 0, wide, tall], view = [...whole];
  const picture = svg("svg", { role: "group", "aria-label": words });
  for (const one of geometry ? [] : drawn.slice(1)) {
    picture.append(svg("line", { x1: drawn[0].x, y1: drawn[0].y, x2: one.x, y2: one.y, class: one.relation }));
  }
  for (const one of [...drawn].sort((a, b) => b.height - a.height)) {
    const { x, y, width, height } = one, label = one.class.label;
    const outline = one.round ? svg("ellipse", { cx: x, cy: y, rx: width, ry: height }) :
      svg("rect", { x: x - width, y: y - height, width: 2 * width, height: 2 * height });
    one.name = svg("text", { "text-anchor": "middle" }, label.length > longest ? `${label.slice(0, longest - 1)}…` : label);
    one.group = svg("g", { class: one.relation, tabindex: 0, role: "link", "aria-label": `${named(one.class)}, ${MEANS[one.relation]}` },
      svg("title", {}, `${named(one.class)}: ${MEANS[one.relation]}`), outline, one.name);
    one.group.addEventListener("click", () => go(one.class.iri));
    one.group.addEventListener("keydown", (event) => { if (event.key === "Enter") go(one.class.iri); });
    picture.append(one.group);
  }
  // Names keep their size and stay in sight; one that would lie on another is shown when its shape is pointed at.
  const name = () => {
    const larger = wide / view[2], taken = [];
    picture.style.setProperty("--name", `${12 / larger}px`);
    for (const one of [...drawn].sort((a, b) => LOUD.indexOf(a.relation) - LOUD.indexOf(b.relation))) {
      const half = one.name.textContent.length * LETTER / 2, [x, y] = [(one.x - view[0]) * larger, (one.y - view[1]) * larger];
      const [above, below] = [y - one.height * larger - 5, y + one.height * larger + LINE - 2];
      const middle = Math.min(Math.max(x, half + 3), wide - half - 3);
      const free = (at) => at > LINE && at < tall - 4 && x > 0 && x < wide &&
        !taken.some((other) => Math.abs(other.at - at) < LINE && Math.abs(other.middle - middle) < half + other.half);
      const at = [above, below, above - LINE, below + LINE].find(free);
      one.group.classList.toggle("crowded", at === undefined);
      one.name.setAttribute("x", view[0] + middle / larger);
      one.name.setAttribute("y", view[1] + (at ?? Math.min(Math.max(above, LINE), tall - 4)) / larger);
      if (at !== undefined) taken.push({ at, middle, half });
    }
  };
  const look = (...box) => {
    view.splice(0, 4, ...box);
    picture.setAttribute("viewBox", view.join(" "));
    name();
  };
  const zoom = (by, x = 0.5, y = 0.5) =>
    look(view[0] + view[2] * (1 - by) * x, view[1] + view[3] * (1 - by) * y, view[2] * by, view[3] * by);
  const move = (x, y) => look(view[0] + x * view[2], view[1] + y * view[3], view[2], view[3]);
  picture.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return; // the page is scrolled
    event.preventDefault();
    const box = picture.getBoundingClientRect();
    zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }, { passive: false });
  look(...whole);
  const tools = [["+", "larger", () => zoom(0.7)], ["−", "smaller", () => zoom(1 / 0.7)], ["⤢", "the whole picture", () => look(...whole)],
    ["←", "to the left", () => move(-0.2, 0)], ["→", "to the right", () => move(0.2, 0)],
    ["↑", "up", () => move(0, -0.2)], ["↓", "down", () => move(0, 0.2)]];
  return { picture, tools };
}

const draw = guarded(async (place, iri) => {
  if (place.querySelector("svg")) return;
  const found = await ask("picture", { run: state.run, name: iri });
  const wide = place.clientWidth || 600, most = 0.7 * window.innerHeight;
  const tall = Math.max(240, Math.min(most, found.geometry ? wide : 400));
  const { picture, tools } = painted(found, wide, tall, show);
  place.append(element("p", { class: "quiet" }, found.words), picture,
    element("div", { class: "acts" }, ...tools.map(([sign, words, work]) =>
      element("button", { type: "button", "aria-label": words, title: words, onclick: work }, sign))),
    element("p", { class: "legend" }, ...Object.entries(MEANS).filter(([name]) => found.shapes.some((one) => one.relation === name))
      .map(([name, words]) => element("span", { class: name }, words))));
});
