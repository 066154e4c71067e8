// The small parts that pages share.
import { t } from './texts.js?v=';

/**
 * An element. Attributes that begin with "on" are listeners; true and false set and leave out an attribute.
 * Children are elements, texts, or nothing (null, false).
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2).toLowerCase(), value);
    else if (name === 'class') element.className = value;
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Sets the text of an element, where it is another one: a screen reader repeats what is set. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** What people call a node: its name where it tells one, else its id. */
export const nodeName = ({ id, name }) => name || id.charAt(0).toUpperCase() + id.slice(1);

let toasts = null;

/** Says something for some seconds. @param {'note'|'error'} kind */
export function toast(text, kind = 'note', action = null) {
  toasts ??= document.body.appendChild(h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' }));
  const run = () => {
    action.run();
    message.remove();
  };
  const button = action && h('button', { type: 'button', onclick: run }, action.label);
  const message = h('div', { class: `toast toast-${kind}` }, h('span', {}, text), button);
  toasts.append(message);
  setTimeout(() => message.remove(), action ? 10_000 : 5_000);
  return message;
}

/** Asks; resolves to whether it was confirmed. */
export function confirmDialog(text, yes = t('common.yes'), no = t('common.cancel')) {
  return new Promise((resolve) => {
    const dialog = h('dialog', { class: 'dialog' },
      h('p', {}, text),
      h('form', { method: 'dialog', class: 'buttons' },
        h('button', { value: 'no' }, no),
        h('button', { value: 'yes', class: 'primary' }, yes)));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Shows at once that a press was felt, whatever comes of it. */
export function feel(button) {
  button.classList.remove('felt');
  // Reading the layout lets the animation begin anew.
  void button.offsetWidth;
  button.classList.add('felt');
}

/**
 * A button whose action needs to be held for a second where `isNeeded` says so; otherwise a press is enough.
 * With the keyboard, Enter or Space are held in the same way.
 */
export function holdButton(button, isNeeded, action, duration = 1000) {
  let timer = null;
  let isDone = false;
  const end = () => {
    clearTimeout(timer);
    timer = null;
    button.classList.remove('holding');
  };
  const begin = () => {
    feel(button);
    isDone = false;
    if (!isNeeded() || timer !== null) return;
    button.classList.add('holding');
    timer = setTimeout(() => {
      end();
      isDone = true;
      action();
    }, duration);
  };
  button.addEventListener('pointerdown', (event) => { if (event.button === 0) begin(); });
  for (const name of ['pointerup', 'pointerleave', 'pointercancel', 'blur']) button.addEventListener(name, end);
  button.addEventListener('keydown', (event) => {
    if (!['Enter', ' '].includes(event.key) || event.repeat) return;
    if (isNeeded()) event.preventDefault();
    begin();
  });
  button.addEventListener('keyup', end);
  button.addEventListener('contextmenu', (event) => event.preventDefault());
  button.addEventListener('click', () => {
    if (isDone) {
      isDone = false;
      return;
    }
    if (isNeeded()) toast(t('common.hold'));
    else action();
  });
  return button;
}

/** The links of a page to the others; those that a role may not use are left out. */
export function navigation(role, current) {
  const pages = [['rooms', './'], ['agenda', 'agenda']];
  if (role === 'operator') pages.push(['displays', 'displays']);
  pages.push(['settings', 'settings']);
  return h('nav', { class: 'site', 'aria-label': t('common.navigation') },
    pages.map(([name, address]) => h('a',
      { href: address, 'aria-current': name === current ? 'page' : null }, t(`common.${name}`))));
}

/** The words for why a command was not done. */
export function refusalText(answer) {
  const key = `common.refused.${answer.code}`;
  const text = t(key);
  return text === key ? answer.message : text.replace('{message}', answer.message);
}
