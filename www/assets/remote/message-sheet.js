// The sheet that sends a message to the speaker, and keeps messages for all remotes.
import { get, post } from '../http.js?v=';
import { t } from '../texts.js?v=';
import { h, refusalText, toast } from '../ui.js?v=';
import { pressed, sheet } from './sheets.js?v=';

/** Keeps a message on the server, or removes it. */
async function change(text, isKept) {
  const answer = await post('api/messages', { text, keep: isKept });
  if (!answer.ok) toast(refusalText(answer), 'error');
  return answer;
}

/**
 * Shows the messages that are kept, each with a button that removes it.
 *
 * @param choice creates the button that sends a message.
 * @param forgotten called with a message that was removed.
 */
async function showKept(element, choice, forgotten, answer = null) {
  const { ok, content } = answer ?? await get('api/messages');
  // Without them, the others can still be sent.
  if (!ok) return;
  element.replaceChildren(...content.messages.map((text) => h('div', { class: 'kept' }, choice(text), h('button', {
    type: 'button', class: 'quiet', 'aria-label': t('remote.message.forget', { text }),
    onclick: pressed(async () => {
      const after = await change(text, false);
      if (after.ok) forgotten(text);
      showKept(element, choice, forgotten, after);
    }),
  }, '✕'))));
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
    [20, 60, 300, 0].map((seconds) => h('option', { value: seconds }, t(`remote.message.for.${seconds}`))));
  const keep = h('input', { type: 'checkbox', id: 'keep' });
  const field = h('input', { id: 'message-field', maxlength: 200, autocomplete: 'off', enterkeyhint: 'send' });
  const form = h('form', { class: 'line', onsubmit: (event) => {
    event.preventDefault();
    const text = field.value.trim();
    // An empty string would remove the message, but there is a button for that.
    if (text === '') {
      field.focus();
      return;
    }
    if (keep.checked) change(text, true);
    set(text);
  } }, field, h('button', { class: 'primary' }, t('remote.message.send')));
  const choice = (text) => h('button', { type: 'button', onclick: pressed(() => set(text)) }, text);
  const kept = h('div', { class: 'choices', id: 'kept' });
  // What was removed by mistake is there to be kept again.
  showKept(kept, choice, (text) => { field.value = text; });
  const dialog = sheet(t('remote.message.title'),
    shown && h('p', { class: 'now' }, h('span', {}, t('remote.message.shown', { text: shown })),
      h('button', { type: 'button', id: 'message-clear', onclick: pressed(() => set('')) }, t('remote.message.clear'))),
    h('div', { class: 'choices', id: 'ready' }, readyMessages(live).map(choice)), kept,
    h('label', { for: 'message-field' }, t('remote.message.own')), form,
    h('div', { class: 'options' },
      h('label', { class: 'check' }, attention, t('remote.message.attention')),
      h('label', { class: 'check' }, keep, t('remote.message.keep')),
      h('label', { class: 'visually-hidden', for: 'message-time' }, t('remote.message.for')), time));
  if (isTyped) field.focus();
}
