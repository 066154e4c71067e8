// Drawing a part of a page anew.

const drawn = new WeakMap();

/**
 * Replaces what is in an element, but not where it would look the same: a press that is going on would be lost with the
 * button that it is on.
 *
 * @param about what its buttons are about besides what can be seen of it, as JSON can say it.
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

/** Gives the focus back to the button that had it in an element, by its name, after that was drawn anew. */
export function keepFocus(element, nameOf, draw) {
  const name = element.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  if (!draw() || !name) return;
  [...element.querySelectorAll('button')].find((button) => nameOf(button) === name)?.focus();
}
