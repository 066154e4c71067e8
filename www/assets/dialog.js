// A dialog with a form. Typed text is kept until it is saved or deliberately discarded.
import { swipeOf } from './swipe.js?v=';
import { t } from './texts.js?v=';
import { confirmDialog, h, refusalText, setText, toast } from './ui.js?v=';

/** The keys that, with Alt, go to the form before this one and to the one after it, and their signs. */
const KEYS = { previous: 'ArrowLeft', next: 'ArrowRight' };
const SIGNS = { previous: '←', next: '→' };

/** The message for a failure that is not a conflict. */
export const failureText = (answer) =>
  answer.code === 'impossible' ? t(`edit.impossible.${answer.message}`) : refusalText(answer);

/** A link that opens the login page in another tab, so that nothing typed is lost. */
const loginLink = () => h('a', { href: 'login?role=operator', target: '_blank' }, t('common.log_in'));

/** Shows the changes that someone else has made, with the two ways to continue. */
function conflictBox(texts, { onTake, onAnew }) {
  return h('div', { class: 'conflict', role: 'alert' },
    h('strong', {}, t('edit.conflict.title')),
    h('ul', {}, texts.map((text) => h('li', {}, text))),
    h('div', { class: 'buttons' },
      h('button', { type: 'button', class: 'take', onclick: onTake }, t('edit.conflict.take')),
      h('button', { type: 'button', class: 'anew primary', onclick: onAnew }, t('edit.conflict.anew'))));
}

/**
 * A form in a dialog.
 *
 * @param {{title: string, children: Element[], save: () => Promise<object>, isDirty: () => boolean, extra?: Element,
 *   conflict: (answer: object) => {texts: string[], take: () => object, anew: () => Promise<object>}}} options `save`
 *   sends what was typed. `take` fills the fields with the node's values, and returns how to restore what was typed, or
 *   that there is nothing left to edit. `anew` sends what was typed again. `neighbours` are the functions that open the
 *   form before this one and the one after it, each null if there is none; what was typed is saved first. They receive
 *   the manner of this form, which the other one takes over: what has the focus, and whether the fold is open.
 * @returns the functions that close the form, and that save it and then do something else; before that, the latter may
 *   ask whether that is wanted.
 */
export function formDialog({
  title, children, save, isDirty, conflict, extra = null, neighbours = null, manner = null, onClose = () => {},
}) {
  const message = h('p', { class: 'error', role: 'alert' });
  const place = h('div', { class: 'conflict-place' });
  const saveButton = h('button', { type: 'submit', class: 'primary' }, t('common.save'));
  const cancelButton = h('button', { type: 'button', class: 'cancel', onclick: () => leave() }, t('common.cancel'));
  const heading = h('h2', { tabindex: '-1' }, title);
  const form = h('form', { novalidate: true },
    h('div', { class: 'form-head' }, heading, neighbours && Object.keys(KEYS).map((name) => h('button', {
      type: 'button', class: `quiet ${name}`, name, disabled: !neighbours[name],
      'aria-label': t(`edit.neighbour.${name}`), 'aria-keyshortcuts': `Alt+${KEYS[name]}`,
      title: `${t(`edit.neighbour.${name}`)} (Alt+${SIGNS[name]})`, onclick: () => goOn(neighbours[name]),
    }, name === 'previous' ? '‹' : '›'))), place, h('div', { class: 'fields' }, children), message,
    h('div', { class: 'buttons' }, extra, cancelButton, saveButton));
  const dialog = h('dialog', { class: 'dialog form-dialog', 'aria-label': title }, form);
  const close = () => dialog.close();
  // What cannot be read has not been taken as a change, but it was typed.
  const isChanged = () => isDirty() || [...form.elements].some(({ validity }) => validity?.customError);
  const warn = (event) => { if (isChanged()) event.preventDefault(); };

  async function leave() {
    if (isChanged() && !(await confirmDialog(t('edit.discard'), t('edit.discard.yes'), t('edit.discard.no')))) return;
    close();
  }
  async function run(action, then = null) {
    saveButton.disabled = true;
    message.replaceChildren();
    const answer = await action();
    saveButton.disabled = false;
    if (!dialog.isConnected) return;
    if (answer.ok) {
      close();
      then?.();
    } else if (answer.code === 'conflict' && answer.theirs) {
      showConflict(answer, then);
    } else {
      place.replaceChildren();
      setText(message, failureText(answer));
      if ([401, 403].includes(answer.status)) message.append(' ', loginLink());
    }
  }
  function showConflict(answer, then) {
    const { texts, take, anew } = conflict(answer);
    const box = conflictBox(texts, {
      onTake: () => {
        place.replaceChildren();
        const { putBack = null, isGone = false } = take();
        if (putBack) toastInside(dialog, t('edit.conflict.taken'), { label: t('edit.conflict.mine'), run: putBack });
        if (isGone) close();
      },
      onAnew: () => {
        place.replaceChildren();
        run(anew, then);
      },
    });
    place.replaceChildren(box);
    box.scrollIntoView({ block: 'nearest' });
    box.querySelector('.anew').focus();
  }

  /** Does something, unless a field is wrong: then it has the focus, and says what is wrong. */
  function whenRight(action) {
    const wrong = [...form.elements].find(({ willValidate, validity }) =>
      willValidate && (validity.customError || validity.valueMissing));
    if (!wrong) {
      action();
      return;
    }
    wrong.closest('details')?.setAttribute('open', '');
    wrong.reportValidity();
    wrong.focus();
  }
  const goOn = (action, isWanted = () => true) => whenRight(async () => {
    if (saveButton.disabled || !await isWanted()) return;
    const now = { focused: document.activeElement.name ?? '', isUnfolded: form.querySelector('details')?.open ?? false };
    const then = () => action(now);
    if (isDirty()) {
      run(save, then);
      return;
    }
    close();
    then();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    whenRight(() => run(save));
  });
  if (neighbours) {
    listenToSwipes(form, { left: neighbours.next, right: neighbours.previous }, goOn);
    listenToArrows(dialog, neighbours, goOn);
  }
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    leave();
  });
  const before = document.activeElement;
  dialog.addEventListener('close', () => {
    window.removeEventListener('beforeunload', warn);
    dialog.remove();
    if (before?.isConnected) before.focus();
    onClose();
  });
  window.addEventListener('beforeunload', warn);
  document.body.append(dialog);
  dialog.showModal();
  if (manner) {
    form.querySelector('details')?.toggleAttribute('open', manner.isUnfolded);
    heading.focus();
    form.elements[manner.focused]?.focus();
  } else {
    form.querySelector('.fields input, .fields select')?.focus();
  }
  return { close, goOn };
}

/** Alt and an arrow go to the next form or to the previous one, and do not leave the page as they otherwise would. */
function listenToArrows(dialog, neighbours, goOn) {
  dialog.addEventListener('keydown', (event) => {
    const name = Object.keys(KEYS).find((one) => KEYS[one] === event.key);
    if (!name || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // On a Mac they move the caret from word to word.
    if (event.target.matches('input[type=text]') && navigator.platform.startsWith('Mac')) return;
    event.preventDefault();
    if (neighbours[name]) goOn(neighbours[name]);
  });
}

/** A finger that swipes across a form, but not across one of its fields, goes to the next one or to the previous one. */
function listenToSwipes(form, targets, goOn) {
  let start = null;
  form.classList.add('swipes');
  form.addEventListener('pointerdown', (event) => {
    const isFinger = event.pointerType === 'touch' && event.isPrimary && !event.target.closest('input, select, textarea');
    start = isFinger ? { x: event.clientX, y: event.clientY } : null;
  });
  form.addEventListener('pointercancel', () => { start = null; });
  form.addEventListener('pointerup', (event) => {
    const target = start && targets[swipeOf(start, { x: event.clientX, y: event.clientY })];
    start = null;
    if (target) goOn(target);
  });
}

/** Shows a toast inside a dialog: while a dialog is open, nothing outside it can be pressed. */
function toastInside(dialog, text, action) {
  const message = toast(text, 'note', action);
  const list = message.parentElement;
  dialog.append(list);
  dialog.addEventListener('close', () => document.body.append(list), { once: true });
}

/** Shows a conflict of a change that was made without a form; resolves to whether to repeat the change. */
export function conflictDialog(texts, change) {
  return new Promise((resolve) => {
    const end = (isAnew) => {
      dialog.close();
      dialog.remove();
      resolve(isAnew);
    };
    const dialog = h('dialog', { class: 'dialog form-dialog', 'aria-label': t('edit.conflict.title') },
      h('p', {}, t('edit.conflict.yours', { change })),
      conflictBox(texts, { onTake: () => end(false), onAnew: () => end(true) }));
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      end(false);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
