// Finds entries in whose id or title all words occur; ids before titles.
"use strict";
const box = document.getElementById("q"), list = document.getElementById("found"), count = document.getElementById("count");

function find(text) {
  const words = text.toLowerCase().replace(/^-+/, "").split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries.filter(e => e.k === "causes");
  const plain = s => s.toLowerCase().replaceAll("_", "-");
  const hit = e => words.every(w => plain(e.i + " " + e.t).includes(plain(w)));
  const rank = e => (words.every(w => plain(e.i).includes(plain(w))) ? 0 : 1);
  return entries.filter(hit).sort((a, b) => rank(a) - rank(b));
}

function show() {
  const found = find(box.value);
  count.textContent = String(found.length);
  list.replaceChildren(...found.slice(0, 100).map(e => {
    const item = document.createElement("li"), link = document.createElement("a"), title = document.createElement("small");
    link.href = e.k + "/" + e.i + ".html";
    link.textContent = e.i;
    title.textContent = " " + e.t;
    item.append(link, title);
    return item;
  }));
  history.replaceState(null, "", box.value ? "#" + encodeURIComponent(box.value) : location.pathname);
}

box.value = decodeURIComponent(location.hash.slice(1));
box.addEventListener("input", show);
show();
