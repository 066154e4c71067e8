// A dialog with a form. Typed text is kept until it is saved or deliberately discarded.
import { t } from './texts.js?v=';
import { confirmDialog, h, refusalText, setText, toast } from './ui.js?v=';

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
 *   that there is nothing left to edit. `anew` sends what was typed again.
 */
export function formDialog({ title, children, save, isDirty, conflict, extra = null, onClose = () => {} }) {
  const message = h('p', { class: 'error', role: 'alert' });
  const place = h('div', { class: 'conflict-place' });
  const saveButton = h('button', { type: 'submit', class: 'primary' }, t('common.save'));
  const cancelButton = h('button', { type: 'button', class: 'cancel', onclick: () => leave() }, t('common.cancel'));
  const form = h('form', { novalidate: true },
    h('h2', {}, title), place, h('div', { class: 'fields' }, children), message,
    h('div', { class: 'buttons' }, extra, cancelButton, saveButton));
  const dialog = h('dialog', { class: 'dialog form-dialog', 'aria-label': title }, form);
  const close = () => dialog.close();
  const warn = (event) => { if (isDirty()) event.preventDefault(); };

  async function leave() {
    if (isDirty() && !(await confirmDialog(t('edit.discard'), t('edit.discard.yes'), t('edit.discard.no')))) return;
    close();
  }
  async function run(action) {
    saveButton.disabled = true;
    message.replaceChildren();
    const answer = await action();
    saveButton.disabled = false;
    if (!dialog.isConnected) return;
    if (answer.ok) {
      close();
    } else if (answer.code === 'conflict' && answer.theirs) {
      showConflict(answer);
    } else {
      place.replaceChildren();
      setText(message, failureText(answer));
      if ([401, 403].includes(answer.status)) message.append(' ', loginLink());
    }
  }
  function showConflict(answer) {
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
        run(anew);
      },
    });
    place.replaceChildren(box);
    box.scrollIntoView({ block: 'nearest' });
    box.querySelector('.anew').focus();
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const wrong = [...form.elements].find((input) => input.validity?.customError || input.validity?.valueMissing);
    if (!wrong) {
      run(save);
      return;
    }
    wrong.reportValidity();
    wrong.focus();
  });
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
  form.querySelector('.fields input, .fields select')?.focus();
  return { close };
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
