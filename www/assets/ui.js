// Small components that the pages share.
import { settings } from './settings.js?v=';
import { t } from './texts.js?v=';

export { holdButton } from './hold.js?v=';
export { setText } from './texts.js?v=';

/**
 * An element. Attributes that begin with "on" are listeners; true sets an attribute and false omits it. Children are
 * elements, strings, or nothing (null, false).
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

/** The display name of a node: its name if it has one, otherwise its id. */
export const nodeName = ({ id, name }) => name || id.charAt(0).toUpperCase() + id.slice(1);

let toasts = null;

/** Shows a string for a few seconds. @param {'note'|'error'} kind */
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

/** Asks for confirmation; resolves to whether it was given. */
export function confirmDialog(text, yes = t('common.yes'), no = t('common.cancel')) {
  return new Promise((resolve) => {
    const dialog = h('dialog', { class: 'dialog', 'aria-label': text },
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

/** Acknowledges a press at once, whatever its result. */
export function feel(button) {
  if (settings.get('vibration')) navigator.vibrate?.(15);
  clearTimeout(button.feeling);
  button.classList.remove('felt');
  // Reading the layout restarts the animation.
  void button.offsetWidth;
  button.classList.add('felt');
  button.feeling = setTimeout(() => button.classList.remove('felt'), 300);
}

/** The message for a refusal: chosen by its code, otherwise by its status, otherwise the server's own text. */
export function refusalText(answer) {
  const keys = [`common.refused.${answer.code}`, `common.refused.${answer.status}`];
  const found = keys.map((key) => [key, t(key, { message: answer.message })]).find(([key, text]) => key !== text);
  return found?.[1] ?? answer.message;
}
