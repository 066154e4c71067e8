// The sheets that open above the remote: the speaker, a message, and the less common actions.
import { settings } from '../settings.js?v=';
import { t } from '../texts.js?v=';
import { feel, h, holdButton } from '../ui.js?v=';
import { isAtLeast, loginAddress } from '../place.js?v=';
import { isInProgress } from './controls.js?v=';
import { say } from './commands.js?v=';

const RECENT = 12;

/** A dialog that slides in from below on a phone. Its content is created each time it opens. */
function sheet(title, ...content) {
  const dialog = h('dialog', { class: 'dialog sheet', 'aria-label': title },
    h('header', {}, h('h2', {}, title),
      h('form', { method: 'dialog' }, h('button', { class: 'quiet', 'aria-label': t('common.close') }, '✕'))),
    ...content);
  dialog.addEventListener('close', () => dialog.remove());
  // A tap outside closes it.
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

const pressed = (action) => (event) => {
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
  const dialog = sheet(t('remote.speaker'),
    h('label', { for: 'speaker-field' }, t('remote.speaker.name')), form,
    h('div', { class: 'choices', id: 'recent-speakers' },
      names.map((name) => h('button', { type: 'button', onclick: pressed(() => set(name)) }, name)),
      now && h('button', { type: 'button', id: 'nobody', class: 'quiet', onclick: pressed(() => set('')) },
        t('remote.speaker.none'))));
  field.addEventListener('focus', () => field.select());
  // The on-screen keyboard would cover the names, which are needed more often.
  if (names.length === 0) field.focus();
}

/** The ready-made messages: those of the configuration, or general ones. */
function readyMessages(live) {
  if (live.site.messages?.length) return live.site.messages;
  return ['1', '2', '3', '4'].map((number) => t(`remote.ready.${number}`));
}

let asksForAttention = false;

/**
 * A message to the speaker: a ready-made one, or the user's own words.
 *
 * @param isTyped whether it was opened with the keyboard, so that letters may follow.
 */
export function messageSheet(controls, live, isTyped) {
  const shown = controls.node?.message?.text ?? null;
  const attention = h('input', { type: 'checkbox', id: 'attention', checked: asksForAttention });
  attention.addEventListener('change', () => { asksForAttention = attention.checked; });
  const set = (text) => {
    const length = Number(time.value);
    dialog.close();
    controls.send('message', text === '' ? { text } : {
      text, attention: attention.checked, ...(length ? { for: length } : {}),
    }, document.getElementById('message'));
  };
  const time = h('select', { id: 'message-time' },
    [0, 15, 60, 300].map((seconds) => h('option', { value: seconds }, t(`remote.message.for.${seconds}`))));
  const field = h('input', { id: 'message-field', maxlength: 200, autocomplete: 'off', enterkeyhint: 'send' });
  const form = h('form', { class: 'line', onsubmit: (event) => {
    event.preventDefault();
    const text = field.value.trim();
    // An empty string would remove the message, but there is a button for that.
    if (text) set(text);
    else field.focus();
  } }, field, h('button', { class: 'primary' }, t('remote.message.send')));
  const dialog = sheet(t('remote.message.title'),
    shown && h('p', { class: 'now' }, h('span', {}, t('remote.message.shown', { text: shown })),
      h('button', { type: 'button', id: 'message-clear', onclick: pressed(() => set('')) }, t('remote.message.clear'))),
    h('div', { class: 'choices', id: 'ready' }, readyMessages(live).map((text) => h('button',
      { type: 'button', onclick: pressed(() => set(text)) }, text))),
    h('label', { for: 'message-field' }, t('remote.message.own')), form,
    h('div', { class: 'options' },
      h('label', { class: 'check' }, attention, t('remote.message.attention')),
      h('label', { class: 'visually-hidden', for: 'message-time' }, t('remote.message.for')), time));
  if (isTyped) field.focus();
}

/** The less common actions, and links to the node's other pages. */
export function moreSheet(controls, live, id) {
  const at = `n/${encodeURIComponent(id)}`;
  const goesOn = () => isInProgress(controls.node);
  const held = (key, verb) => {
    const button = h('button', { type: 'button', id: `more-${verb}` }, t(key));
    return holdButton(button, goesOn, () => {
      dialog.close();
      controls.send(verb, {}, document.getElementById('more'));
    }, 1000, say);
  };
  const link = (key, address, role = 'viewer') => (isAtLeast(live.role, role)
    ? h('a', { class: 'button', href: address }, t(key)) : null);
  const dialog = sheet(t('remote.more'),
    h('div', { class: 'choices' },
      held('remote.restart', 'start'), held('remote.end', 'end'),
      h('button', { type: 'button', id: 'more-identify', onclick: pressed(() => {
        dialog.close();
        controls.send('identify', {}, document.getElementById('more'));
      }) }, t('remote.identify'))),
    h('div', { class: 'choices' },
      link('remote.to.display', at), link('remote.to.report', `${at}/report`, 'remote'),
      link('remote.to.edit', `${at}/edit`, 'operator'), link('common.agenda', 'agenda'),
      link('common.settings', 'settings'),
      !isAtLeast(live.role, 'operator')
        && h('a', { class: 'button', href: loginAddress('operator') }, t('remote.to.operator'))));
}
