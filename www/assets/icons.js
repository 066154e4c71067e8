// Icons of the buttons, drawn on a grid of 24 by 24.

const paths = {
  play: 'M7 4v16l13-8z',
  pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
  stop: 'M5 5h14v14H5z',
  rewind: 'M4 5h2.5v14H4zM20 5v14L8 12z',
  forward: 'M17.5 5H20v14h-2.5zM4 5v14l12-7z',
  previous: 'M15.5 4 7 12l8.5 8 1.8-1.9L10.8 12l6.5-6.1z',
  next: 'M8.5 4 17 12l-8.5 8-1.8-1.9L13.2 12 6.7 5.9z',
  silence: 'M3 9v6h4l5 4V5L7 9zM15 9.4 16.4 8 19 10.6 21.6 8 23 9.4 20.4 12 23 14.6 21.6 16 19 13.4'
    + ' 16.4 16 15 14.6 17.6 12z',
  message: 'M3 4h18v13h-9l-5 4v-4H3zM6 8v1.8h12V8zM6 11.6v1.8h8v-1.8z',
  lock: 'M12 2a5 5 0 0 0-5 5v3H5v12h14V10h-2V7a5 5 0 0 0-5-5zm-2.5 8V7a2.5 2.5 0 0 1 5 0v3z',
  unlock: 'M12 2a5 5 0 0 0-5 5h2.5a2.5 2.5 0 0 1 5 0v3H5v12h14V10h-2V7a5 5 0 0 0-5-5z',
  speaker: 'M12 3a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM3 21c0-4.5 4-7.5 9-7.5s9 3 9 7.5z',
  more: 'M4 10h4v4H4zM10 10h4v4h-4zM16 10h4v4h-4z',
  back: 'M15.5 4 7 12l8.5 8 1.8-1.9L10.8 12l6.5-6.1z',
  print: 'M7 3h10v5H7zM4 9h16v8h-3v4H7v-4H4zM9 14v5h6v-5z',
};

/** An icon. Text next to it, or the label of its button, must state its meaning. */
function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paths[name]);
  path.setAttribute('fill', 'currentColor');
  svg.append(path);
  svg.dataset.name = name;
  return svg;
}

/** Inserts icons where the page names them with data-icon. */
export function placeIcons(root = document) {
  for (const element of root.querySelectorAll('[data-icon]')) setIcon(element, element.dataset.icon);
}

/** Changes the icon of an element. */
export function setIcon(element, name) {
  const old = element.querySelector(':scope > svg.icon');
  if (old?.dataset.name === name) return;
  if (old) old.replaceWith(icon(name));
  else element.prepend(icon(name));
}
