// Drawing a part of a page anew.

const drawn = new WeakMap();

/**
 * Replaces what is in an element, but where it would look the same: a press that is going on would be lost with the button
 * that it is on.
 */
export function redraw(element, children) {
  const made = document.createElement('div');
  made.append(...children.filter(Boolean));
  const text = made.innerHTML;
  if (drawn.get(element) === text) return false;
  drawn.set(element, text);
  element.replaceChildren(...made.childNodes);
  return true;
}

/** Gives the focus back to what had it in an element, after that was drawn anew. @param {(one: Element) => string} nameOf */
export function keepFocus(element, nameOf, draw) {
  const name = element.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  if (!draw() || !name) return;
  [...element.querySelectorAll('button')].find((button) => nameOf(button) === name)?.focus();
}
