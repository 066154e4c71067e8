// Shows the tokens with their values, and the elements that need code.
import { showNavigation } from '../header.js?v=';
import { session } from '../http.js?v=';
import { LAMPS } from '../lamps.js?v=';
import { confirmDialog, h, toast } from '../ui.js?v=';

const element = (id) => document.getElementById(id);

/** The names of all tokens, from the stylesheet that declares them. */
function tokens() {
  const sheet = [...document.styleSheets].find(({ href }) => href.includes('/tokens.css'));
  const root = [...sheet.cssRules].find(({ selectorText }) => selectorText === ':root');
  return [...root.style].filter((name) => name.startsWith('--'));
}

const names = tokens();
const starting = (...prefixes) => names.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
/** Gives an element the value of a token; the pages allow no style in markup. */
function styled(shown, property, name) {
  shown.style.setProperty(property, `var(${name})`);
  return shown;
}
const isColour = (name) => CSS.supports('color', getComputedStyle(document.documentElement).getPropertyValue(name));

element('swatches').replaceChildren(...names.filter(isColour).map((name) => h('li', {},
  styled(h('span'), 'background', name), name)));
element('sizes').replaceChildren(...starting('--type').map((name) => (
  styled(h('p', { class: 'digits' }, `${name} 12:34 Ada Lovelace`), 'font-size', name))));
element('distances').replaceChildren(
  ...starting('--space').map((name) => styled(h('p', { class: 'bar' }, name), 'margin-left', name)),
  ...starting('--radius').map((name) => styled(h('p', { class: 'bar' }, name), 'border-radius', name)));
element('lights').replaceChildren(...[null, ...LAMPS].map((lit) => h('span', { class: 'stoplight' },
  LAMPS.map((lamp) => h('span', { class: 'lamp', dataset: { lamp, ...(lamp === lit && { lit: '' }) } })))));
element('open-dialog').addEventListener('click', () => confirmDialog('A question, with its answers?'));
element('open-toast').addEventListener('click', () => {
  toast('A note that goes away', 'note', { label: 'Undo', run: () => {} });
  toast('An error', 'error');
});

const known = await session();
showNavigation(known.ok ? known.content : null, 'styleguide');
