// Fills each .sortable of the page with the table in its JSON. A click on a column's name
// sorts, the fields above the table filter, and one page of rows is shown at a time.
"use strict";

const ROWS_PER_PAGE = 100;
const MOST_CHOICES = 60; // columns of more names have no drop-down list

for (const place of document.querySelectorAll(".sortable")) {
  showTable(place, JSON.parse(place.querySelector("script").textContent));
}

function showTable(place, { columns, links, rows }) {
  const everyRow = Array.from({ length: rows }, (_, row) => row);
  const state = { column: null, sign: 1, page: 0, shown: everyRow };
  const choices = columns.filter(
    ({ names }) => names && names.length > 1 && names.length <= MOST_CHOICES,
  );
  const search = element("input", { type: "search", placeholder: exampleOf(columns) });
  const selects = choices.map((column) => selectOf(column));
  const count = element("output", {});
  const back = element("button", { type: "button", textContent: "‹ back" });
  const next = element("button", { type: "button", textContent: "next ›" });
  const heads = columns.map((column) => headOf(column));
  const body = element("tbody", {});

  search.addEventListener("input", update);
  selects.forEach((select) => select.addEventListener("change", update));
  back.addEventListener("click", () => turn(-1));
  next.addEventListener("click", () => turn(1));
  heads.forEach((head, place) => {
    head.firstChild.addEventListener("click", () => sortBy(place));
  });
  const controls = element("div", { className: "controls" }, [
    labelled("search", search),
    ...selects.map((select, number) => labelled(choices[number].name, select)),
    count,
    back,
    next,
  ]);
  const table = element("table", { className: "compact" }, [
    element("thead", {}, [element("tr", {}, heads)]),
    body,
  ]);
  place.append(controls, element("div", { className: "wide" }, [table]));
  update();

  function sortBy(column) {
    const fresh = state.column !== column;
    // The first click sorts numbers from the largest, names from the first.
    state.sign = fresh ? (columns[column].names ? 1 : -1) : -state.sign;
    state.column = column;
    heads.forEach((head, other) => {
      const direction = state.sign > 0 ? "ascending" : "descending";
      head.setAttribute("aria-sort", other === column ? direction : "none");
    });
    update();
  }

  function update() {
    const tests = [
      ...search.value.split(/\s+/).filter(Boolean).map((word) => testOf(word, columns)),
      ...selects.flatMap((select, number) => {
        const { values } = choices[number];
        const wanted = select.value === "" ? null : Number(select.value);
        return wanted === null ? [] : [(row) => values[row] === wanted];
      }),
    ];
    state.shown = everyRow.filter((row) => tests.every((test) => test(row)));
    if (state.column !== null) {
      state.shown.sort(comparison(columns[state.column].values, state.sign));
    }
    state.page = 0;
    draw();
  }

  function turn(pages) {
    state.page += pages;
    draw();
    table.parentNode.scrollTop = 0;
  }

  function draw() {
    const first = state.page * ROWS_PER_PAGE;
    const page = state.shown.slice(first, first + ROWS_PER_PAGE);
    body.replaceChildren(...page.map((row) => rowOf(row, columns, links)));
    const [from, to, found, all] = [
      first + 1,
      first + page.length,
      state.shown.length,
      rows,
    ].map((number) => number.toLocaleString("en"));
    const range = page.length ? `${from}–${to} of ` : "";
    count.textContent = `${range}${found} rows${found === all ? "" : ` (${all} in all)`}`;
    back.disabled = first === 0;
    next.disabled = first + ROWS_PER_PAGE >= state.shown.length;
  }
}

function exampleOf(columns) {
  const numbers = columns.find(({ names, whole }) => !names && !whole);
  return numbers ? `words, ${numbers.name}>0.3` : "words";
}

// The test of a search word: a bound such as mig>0.3, or else a part of a name.
function testOf(word, columns) {
  const [, name, sign, number] = /^(.+?)([<>]=?|=)(.+)$/.exec(word) ?? [];
  const column = columns.find((each) => !each.names && each.name === name);
  if (column && !Number.isNaN(Number(number))) {
    const bound = Number(number);
    const holds = {
      "<": (x) => x < bound,
      "<=": (x) => x <= bound,
      "=": (x) => x === bound,
      ">=": (x) => x >= bound,
      ">": (x) => x > bound,
    }[sign];
    return (row) => column.values[row] !== null && holds(column.values[row]);
  }
  const wanted = word.toLowerCase();
  const fitting = columns
    .filter((each) => each.names)
    .map(({ names, values }) => ({
      values,
      fits: names.map((each) => each.toLowerCase().includes(wanted)),
    }));
  return (row) => fitting.some(({ values, fits }) => fits[values[row]]);
}

// Rows without a value come last in both directions; ties keep their order.
function comparison(values, sign) {
  return (row, other) => {
    const [a, b] = [values[row], values[other]];
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (a - b);
  };
}

function rowOf(row, columns, links) {
  const cells = columns.map((column) => {
    const text = cellText(column, row);
    return element("td", { className: column.names ? "text" : "", textContent: text });
  });
  if (links[row]) {
    const link = element("a", { href: links[row], textContent: cells[0].textContent });
    cells[0].replaceChildren(link);
  }
  return element("tr", {}, cells);
}

function cellText({ names, whole, values }, row) {
  const value = values[row];
  if (names) return names[value];
  if (value === null) return "–";
  if (whole) return String(value);
  const tiny = value !== 0 && Math.abs(value) < 0.0005;
  return tiny ? value.toExponential(1) : value.toFixed(3);
}

function headOf({ name, names }) {
  const words = name.split(/(?<=_)/).flatMap((word) => [word, element("wbr", {})]);
  const button = element("button", { type: "button" }, words);
  const head = element("th", { scope: "col", className: names ? "text" : "" }, [button]);
  head.setAttribute("aria-sort", "none");
  return head;
}

function selectOf({ names }) {
  const options = names.map((name, value) =>
    element("option", { value, textContent: name }),
  );
  return element("select", {}, [
    element("option", { value: "", textContent: "all" }),
    ...options,
  ]);
}

function labelled(words, field) {
  return element("label", {}, [`${words} `, field]);
}

function element(tag, properties, children = []) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
