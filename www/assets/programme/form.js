// The dialogs of the running order: an entry, and a table from a spreadsheet.
import { clockField, selectField, textField } from '../fields.js?v=';
import { post } from '../http.js?v=';
import { t } from '../texts.js?v=';
import { h, refusalText, setText } from '../ui.js?v=';

function dialogOf(title, form) {
  const dialog = h('dialog', { class: 'dialog', 'aria-label': title },
    h('header', {}, h('h2', {}, title),
      h('form', { method: 'dialog' }, h('button', { class: 'quiet', 'aria-label': t('common.close') }, '✕'))), form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Edits an entry: its title and speaker, and a timer of the node or a time of its own.
 *
 * @param entry the entry, or an empty one.
 * @param timers the node's timers: [path, text] each.
 * @param save takes the changed entry, and returns whether it was saved.
 */
export function entryForm(entry, timers, save) {
  const changed = { ...entry };
  const title = textField(t('programme.field.title'), entry.title, { required: true });
  const speaker = textField(t('programme.field.speaker'), entry.speaker);
  const kinds = [['', t('programme.untimed')], ['own', t('programme.own')], ...timers];
  const timer = selectField(t('programme.field.timer'), entry.timer ?? (entry.start ? 'own' : ''), kinds, show);
  const time = (key) => clockField(t(`programme.field.${key}`), entry[key] ?? 0, {
    onChange: (seconds) => { changed[key] = seconds || null; },
  });
  const own = ['start', 'warning', 'final', 'minimum', 'maximum'].map((key) => time(key).element);
  const at = textField(t('programme.field.at'), entry.at);
  at.input.placeholder = '19:05';
  const note = textField(t('programme.field.note'), entry.note, { maximum: 512 });
  const fault = h('p', { class: 'error', role: 'alert' });
  const form = h('form', { class: 'fields', onsubmit: async (event) => {
    event.preventDefault();
    const isOwn = timer.value === 'own';
    const wanted = {
      ...changed, title: title.value, speaker: speaker.value || null, at: at.value || null, note: note.value || null,
      timer: isOwn || timer.value === '' ? null : timer.value,
      ...(isOwn ? {} : { start: null, warning: null, final: null, minimum: null, maximum: null }),
    };
    const refusal = await save(wanted);
    if (refusal) setText(fault, refusal);
    else dialog.close();
  } }, title.element, speaker.element, timer.element, ...own, at.element, note.element, fault,
  h('div', { class: 'buttons' }, h('button', { class: 'primary' }, t('common.save'))));
  function show() {
    for (const element of own) element.hidden = timer.value !== 'own';
  }
  show();
  const dialog = dialogOf(t(entry.title ? 'programme.edit' : 'programme.add'), form);
  title.input.focus();
}

/**
 * Reads a table from a spreadsheet. The server finds its columns, and says what is wrong with which line.
 *
 * @param save takes the entries, and returns what is wrong with them, if anything is.
 */
export function pasteForm(save) {
  const text = h('textarea', { id: 'table', required: true, spellcheck: 'false', placeholder: t('programme.paste.example') });
  const fault = h('p', { class: 'error', role: 'alert' });
  const form = h('form', { class: 'fields', onsubmit: async (event) => {
    event.preventDefault();
    const answer = await post('api/programme/table', { text: text.value });
    const refusal = answer.ok ? await save(answer.content.entries) : refusalText(answer);
    if (refusal) setText(fault, refusal);
    else dialog.close();
  } }, h('label', { for: 'table' }, t('programme.paste.hint')), text, fault,
  h('div', { class: 'buttons' }, h('button', { class: 'primary' }, t('programme.paste.replace'))));
  const dialog = dialogOf(t('programme.paste'), form);
  text.focus();
}
