// Moves an entry of the running order with the mouse; on most phones and tablets with a long press. The buttons of an
// entry do the same with the keyboard.

/** The place before or after an entry, whichever half of it the pointer is in. */
function placeAt(item, y) {
  const { top, height } = item.getBoundingClientRect();
  return y < top + height / 2 ? 'before' : 'after';
}

export class Drag {
  #dragged = null;

  /**
   * @param {Element} list with an element with `data-entry` and `draggable` for each entry.
   * @param {(id: string, place: 'before'|'after', other: string) => void} drop
   * @param {() => void} end called after each drag.
   */
  constructor(list, drop, end) {
    this.list = list;
    const itemAt = (event) => event.target.closest?.('[data-entry][draggable=true]');
    list.addEventListener('dragstart', (event) => {
      const item = itemAt(event);
      if (!item) return;
      this.#dragged = item.dataset.entry;
      // Firefox drags nothing that has no data.
      event.dataTransfer.setData('text/plain', item.querySelector('.title').textContent);
      event.dataTransfer.effectAllowed = 'move';
    });
    list.addEventListener('dragover', (event) => {
      const item = itemAt(event);
      if (this.#dragged === null || !item) return;
      event.preventDefault();
      this.#mark(item, placeAt(item, event.clientY));
    });
    list.addEventListener('drop', (event) => {
      const item = itemAt(event);
      if (this.#dragged === null || !item) return;
      event.preventDefault();
      if (item.dataset.entry !== this.#dragged) drop(this.#dragged, placeAt(item, event.clientY), item.dataset.entry);
    });
    list.addEventListener('dragend', () => {
      this.#dragged = null;
      this.#mark(null);
      end();
    });
  }

  /** Whether an entry is being dragged: a redraw would drop it. */
  get isDragging() { return this.#dragged !== null; }

  #mark(item, place) {
    for (const marked of this.list.querySelectorAll('[data-drop]')) delete marked.dataset.drop;
    if (item) item.dataset.drop = place;
  }
}
