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

/** Restores the focus to the button that had it in an element, by its name, after a redraw. */
export function keepFocus(element, nameOf, draw) {
  const name = element.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  if (!draw() || !name) return;
  [...element.querySelectorAll('button')].find((button) => nameOf(button) === name)?.focus();
}
