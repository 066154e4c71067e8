// Redraws a part of a page.

const drawn = new WeakMap();

/**
 * Replaces the content of an element unless it would look the same: a press in progress would be lost with its button.
 *
 * @param about what the buttons refer to, beyond what is visible, as a JSON-compatible value.
 * @returns {boolean} whether it was replaced.
 */
export function redraw(element, children, about = null) {
  const made = document.createElement('div');
  made.append(...children.filter(Boolean));
  const text = JSON.stringify([made.innerHTML, about]);
  if (drawn.get(element) === text) return false;
  drawn.set(element, text);
  element.replaceChildren(...made.childNodes);
  return true;
}

/**
 * Changes those items of a list that would look different, and keeps the others: a browser takes long to lay out many.
 *
 * @param {Element[]} items the new items.
 * @param {Array} about for each of them, what its buttons refer to, beyond what is visible.
 * @returns {boolean} whether any was changed.
 */
export function redrawList(list, items, about) {
  const isShorter = list.children.length > items.length;
  while (list.children.length > items.length) list.lastElementChild.remove();
  const changed = items.filter((made, place) => {
    const item = list.children[place] ?? list.appendChild(document.createElement(made.tagName));
    const text = JSON.stringify([made.outerHTML, about[place]]);
    if (drawn.get(item) === text) return false;
    drawn.set(item, text);
    for (const { name } of [...item.attributes]) item.removeAttribute(name);
    for (const { name, value } of made.attributes) item.setAttribute(name, value);
    item.replaceChildren(...made.childNodes);
    return true;
  });
  return isShorter || changed.length > 0;
}

/** Restores the focus to the button that had it in an element, by its name, after a redraw. */
export function keepFocus(element, nameOf, draw) {
  const name = element.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  if (!draw() || !name) return;
  [...element.querySelectorAll('button')].find((button) => nameOf(button) === name)?.focus();
}
