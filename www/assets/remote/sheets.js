// The sheets that open above the remote: the speaker, and the correction of the last run.
import { clockField, textField } from '../fields.js?v=';
import { isAtLeast, loginAddress } from '../place.js?v=';
import { settings } from '../settings.js?v=';
import { t } from '../texts.js?v=';
import { feel, h } from '../ui.js?v=';
import { resultText } from './panel.js?v=';

const RECENT = 12;

/** A dialog that slides in from below on a phone. Its content is created each time it opens. */
export function sheet(title, ...content) {
  const dialog = h('dialog', { class: 'dialog sheet', 'aria-label': title, tabindex: '-1' },
    h('header', {}, h('h2', {}, title),
      h('form', { method: 'dialog' }, h('button', { class: 'quiet', 'aria-label': t('common.close') }, '✕'))),
    ...content);
  dialog.addEventListener('close', () => dialog.remove());
  // A tap outside closes it.
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  // Otherwise the button that closes it would have the focus, and take the space bar.
  dialog.focus();
  return dialog;
}

/** The listener of a button in a sheet: the press is felt, and carried out. */
export const pressed = (action) => (event) => {
  feel(event.currentTarget);
  action();
};

/** The names of recent speakers: from the report, and from this browser. */
function recentSpeakers(node) {
  const names = [...(node?.runs?.runs ?? []).map((run) => run.speaker), ...settings.get('speakers')];
  return [...new Set(names.filter(Boolean))].slice(0, RECENT);
}

/** Sets the speaker: a field, and the names of recent speakers. */
export function speakerSheet(controls) {
  const { node } = controls;
  const now = node?.state?.speaker ?? '';
  const set = async (name) => {
    dialog.close();
    const answer = await controls.send('speaker', { name }, document.getElementById('speaker'));
    if (!answer?.ok || !name) return;
    const others = settings.get('speakers').filter((other) => other !== name);
    settings.set('speakers', [name, ...others].slice(0, RECENT));
  };
  const field = h('input', {
    id: 'speaker-field', value: now, maxlength: 128, autocomplete: 'off', autocapitalize: 'words',
    enterkeyhint: 'done', spellcheck: 'false',
  });
  const form = h('form', { class: 'line', onsubmit: (event) => {
    event.preventDefault();
    set(field.value.trim());
  } }, field, h('button', { class: 'primary' }, t('remote.speaker.set')));
  const names = recentSpeakers(node);
  // The field is at the bottom, where it stays however many names there are.
  const dialog = sheet(t('remote.speaker'),
    h('div', { class: 'choices', id: 'recent-speakers' },
      names.map((name) => h('button', { type: 'button', onclick: pressed(() => set(name)) }, name)),
      now && h('button', { type: 'button', id: 'nobody', class: 'quiet', onclick: pressed(() => set('')) },
        t('remote.speaker.clear'))),
    h('label', { for: 'speaker-field' }, t('remote.speaker.name')), form);
  field.addEventListener('focus', () => field.select());
  // An on-screen keyboard would cover the names, which are needed more often.
  if (names.length === 0 || matchMedia('(hover: hover)').matches) field.focus();
}

/** Offers a corrected name in place of the wrong one. */
function replaceName(wrong, name) {
  const others = settings.get('speakers').filter((other) => other !== wrong && other !== name);
  settings.set('speakers', [name, ...others].filter(Boolean).slice(0, RECENT));
}

/**
 * Corrects the last run: who spoke, and for how long.
 *
 * @param run as the node reported it.
 */
export function resultSheet(controls, live, run) {
  if (!isAtLeast(live.role, 'operator')) {
    sheet(resultText(run), h('p', {}, t('remote.result.operator')),
      h('a', { class: 'button primary', href: loginAddress('operator') }, t('remote.to.operator')));
    return;
  }
  const name = textField(t('remote.speaker.name'), run.speaker);
  let used = Math.floor(run.used);
  const time = clockField(t('remote.result.used'), used, {
    isRequired: true, onChange: (seconds) => { used = seconds; },
  });
  const form = h('form', { class: 'fields', novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    if (!time.input.validity.valid) {
      time.input.focus();
      return;
    }
    dialog.close();
    const changes = { ...(name.value !== (run.speaker ?? '') && { speaker: name.value }),
      ...(used !== Math.floor(run.used) && { used }) };
    if (Object.keys(changes).length > 0) {
      const answer = await controls.send('runs', { run: run.id, ...changes }, document.getElementById('result'));
      if (answer?.ok && changes.speaker !== undefined) replaceName(run.speaker, changes.speaker);
    }
  } }, name.element, time.element, h('div', { class: 'buttons' }, h('button', { class: 'primary' }, t('common.save'))));
  const dialog = sheet(t('remote.result.title'), form);
  name.input.focus();
}
