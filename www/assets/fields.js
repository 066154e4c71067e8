// Fields of a form: a label, an input, and a note about it.
import { clockText } from './counting.js?v=';
import { LONGEST, secondsOf } from './seconds.js?v=';
import { t } from './texts.js?v=';
import { h, setText } from './ui.js?v=';

let count = 0;
const nextID = () => `field-${count += 1}`;

const bytes = (text) => new TextEncoder().encode(text).length;
// Control characters, by the node's definition.
const CONTROL = /\p{Cc}/u;

/** The reason why the node would refuse a string; null if it would accept it. */
function misfit(text, maximum = 128) {
  if (CONTROL.test(text)) return t('edit.misfit.control');
  return bytes(text) > maximum ? t('edit.misfit.long', { bytes: bytes(text), maximum }) : null;
}

/**
 * A field around an input, with a note below it about errors and adjustments.
 *
 * @returns {{element: Element, note: (text: string) => void}}
 */
export function field(label, input, hint = null) {
  input.id ||= nextID();
  const note = h('p', { class: 'field-note', id: `${input.id}-note`, 'aria-live': 'polite' });
  input.setAttribute('aria-describedby', note.id);
  const element = h('div', { class: 'field' },
    h('label', { for: input.id }, label), input, hint && h('p', { class: 'muted hint' }, hint), note);
  return { element, input, note: (text) => setText(note, text ?? '') };
}

/** Marks a field as wrong, so that its form is not sent; null if it is right. */
function markWrong(input, wrong) {
  input.setCustomValidity(wrong ?? '');
  if (wrong) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

/** A text field. `onChange` is called for each change while typing. */
export function textField(label, value, { maximum = 128, required = false, list = null, onChange = () => {} } = {}) {
  const input = h('input', { type: 'text', value: value ?? '', autocomplete: 'off', required, list });
  const made = field(label, input);
  const check = () => {
    const wrong = misfit(input.value, maximum);
    markWrong(input, wrong);
    made.note(wrong);
  };
  input.addEventListener('input', () => {
    check();
    onChange(input.value);
  });
  return {
    ...made,
    get value() { return input.value.trim(); },
    set value(text) {
      input.value = text ?? '';
      check();
    },
  };
}

/** A field with choices: [value, text] each. */
export function selectField(label, value, choices, onChange = () => {}) {
  const input = h('select', {}, choices.map(([choice, text]) => h('option', { value: choice }, text)));
  input.value = value;
  input.addEventListener('change', () => onChange(input.value));
  return { ...field(label, input), get value() { return input.value; }, set value(next) { input.value = next; } };
}

/** A switch between choices that are all in sight: [value, text] each. */
export function switchField(label, value, choices, onChange) {
  const name = nextID();
  const inputs = choices.map(([choice]) => h('input', {
    type: 'radio', name, value: choice, onchange: () => onChange(choice),
  }));
  const show = (wanted) => { for (const input of inputs) input.checked = input.value === wanted; };
  show(value);
  const element = h('fieldset', { class: 'field switch' }, h('legend', {}, label),
    choices.map(([, text], place) => h('label', { class: 'check' }, inputs[place], text)));
  return { element, set value(next) { show(next); } };
}

/**
 * A field for a time such as 5:00 or 1:05:00, or minutes alone. An empty field is 0 unless a time is required.
 *
 * What is typed stays until the field loses the focus; then 90 minutes become 1:30:00.
 */
export function clockField(label, seconds, { isRequired = false, longest = LONGEST, onChange }) {
  const input = h('input', {
    type: 'text', class: 'clock digits', autocomplete: 'off', spellcheck: 'false', placeholder: 'm:ss', required: isRequired,
  });
  const made = field(label, input);
  const write = (value) => { input.value = value > 0 ? clockText(value) : ''; };
  let shown = seconds;
  /** What is wrong: with the text, and with a time that does not fit the others. */
  let [misread, misfitting, marked] = [null, null, null];
  const mark = () => {
    const wrong = misread ?? misfitting;
    if (wrong === marked) return;
    marked = wrong;
    markWrong(input, wrong);
    made.note(wrong);
  };
  write(seconds);
  input.addEventListener('input', () => {
    const isEmpty = input.value.trim() === '';
    const value = isEmpty ? 0 : secondsOf(input.value, longest);
    misread = value === null || (isEmpty && isRequired) ? t('edit.clamp.time') : null;
    mark();
    if (misread) return;
    shown = value;
    onChange(value);
  });
  input.addEventListener('change', () => { if (!misread) write(shown); });
  input.addEventListener('focus', () => input.select());
  return {
    ...made,
    /** Shows a time; but what is being typed, or cannot be read, stays. */
    show(value) {
      shown = value;
      if (input !== document.activeElement && !misread) write(value);
    },
    /** Shows a time in place of whatever was typed. */
    set value(value) {
      shown = value;
      misread = null;
      write(value);
      mark();
    },
    /** Says below the field why its time does not fit the others, or else what one should know about it. */
    explain(fault, note) {
      misfitting = fault;
      mark();
      if (!marked) made.note(note);
    },
  };
}
