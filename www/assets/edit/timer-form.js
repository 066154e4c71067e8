// The form for one timer: its names, its times as a countdown or a card, and the bounds within which a run qualifies.
import { formDialog } from '../dialog.js?v=';
import { clockField, switchField, textField } from '../fields.js?v=';
import { t } from '../texts.js?v=';
import { h } from '../ui.js?v=';
import { timesOf } from './clamps.js?v=';
import { differences, timerName } from './differences.js?v=';
import { BOUNDS, CHANGES, Draft, TEXTS, TIMES } from './draft.js?v=';
import { create, edit, find, withFields } from './operations.js?v=';
import { hasCards, timeLabel } from './words.js?v=';

/** The command for an edit, with the fields that differ; null if the verb `edit` cannot express it. */
function editRequest(id) {
  return (before, after) => {
    const [old, now] = [find(before, id)?.timer, find(after, id)?.timer];
    // Removing a name, restoring a timer, and an account require the whole model.
    if (!old || (old.name && !now.name) || Boolean(old.carry) !== Boolean(now.carry)) return null;
    const payload = { timer: id };
    for (const key of TEXTS) if ((old[key] ?? '') !== (now[key] ?? '')) payload[key] = now[key] ?? '';
    const [oldTimes, times] = [timesOf(old), timesOf(now)];
    // The node sets one time after the other, and each clamps the others. All times of a kind are sent, so that those
    // entered here take effect.
    for (const kind of [CHANGES, BOUNDS]) {
      if (kind.some((key) => oldTimes[key] !== times[key])) for (const key of kind) payload[key] = times[key];
    }
    return ['edit', payload];
  };
}

/**
 * Opens the form.
 *
 * @param {SharedDocument} document
 * @param {{timer: object, place: object, isNew: boolean, node: object, neighbours: object, manner: object,
 *   extra: Element}} options the timer to edit, or to create at a place; the node as received; the rest is as in
 *   `formDialog`.
 */
export function openTimerForm(document, { timer, place, isNew, node, neighbours, manner, extra }) {
  let draft = new Draft(timer, node);
  let basedOn = document.revision;
  const texts = Object.fromEntries(TEXTS.map((key) => [key, textField(t(`edit.${key}`), timer[key], {
    onChange: (text) => draft.wish(key, text),
  })]));
  const times = Object.fromEntries(TIMES.map((key) => [key, clockField(timeLabel(node, key), draft.shown[key], {
    isRequired: key === 'start',
    onChange: (seconds) => {
      draft.wish(key, seconds);
      show();
    },
  })]));
  const kind = switchField(t('edit.kind'), draft.isCard ? 'card' : 'countdown',
    ['countdown', 'card'].map((name) => [name, t(`edit.kind.${name}`)]), (chosen) => {
      draft.become(chosen === 'card');
      show();
    });
  const cardHint = h('p', { class: 'muted hint' }, t('edit.is_card'));
  kind.element.append(cardHint);
  const carry = h('input', { type: 'checkbox', onchange: () => draft.wish('carry', carry.checked) });

  // The form of the next timer has the focus in the same field.
  for (const [key, { input }] of Object.entries({ ...texts, ...times, carry: { input: carry } })) input.name = key;

  function show() {
    const { shown, isCard } = draft;
    for (const key of TIMES) {
      times[key].show(shown[key]);
      times[key].explain(draft.fault(key), draft.note(key));
    }
    kind.value = isCard ? 'card' : 'countdown';
    cardHint.hidden = !isCard;
    carry.checked = draft.wishes.carry ?? Boolean(draft.timer.carry);
    for (const key of BOUNDS) {
      times[key].element.hidden = isCard;
      // What cannot be read there does not matter on a card.
      times[key].input.disabled = isCard;
    }
  }
  function fill(next) {
    draft = next;
    for (const key of TEXTS) texts[key].value = draft.wishes[key] ?? draft.timer[key];
    for (const key of TIMES) times[key].value = draft.shown[key];
    show();
  }
  const send = () => (isNew
    ? document.change(create(withFields({ ...timer }, draft.fields), place), { basedOn })
    : document.change(edit(draft.timer, draft.fields, place), { basedOn, request: editRequest(timer.id) }));

  show();
  return formDialog({
    title: isNew ? t('edit.add_timer') : t('edit.timer_title', { timer: timerName(timer) }),
    children: [
      h('div', { class: 'wide' }, texts.name.element),
      hasCards(node) ? h('div', { class: 'wide' }, kind.element) : null,
      h('p', { class: 'muted wide' }, t('edit.times')),
      ...TIMES.map((key) => times[key].element),
      h('details', { class: 'wide', open: isNew }, h('summary', {}, t('edit.more')),
        texts.event.element, texts.location.element, h('label', { class: 'check' }, carry, t('edit.carry'))),
    ],
    save: send,
    neighbours,
    manner,
    extra,
    isDirty: () => Object.keys(draft.fields).length > 0,
    conflict: ({ base, theirs }) => ({
      texts: differences(base, theirs),
      take: () => {
        const [mine, theirTimer] = [draft, find(theirs, timer.id)?.timer];
        basedOn = document.revision;
        if (isNew) return {};
        if (!theirTimer) return { isGone: true };
        fill(new Draft(theirTimer, node));
        return { putBack: () => fill(mine.on(theirTimer)) };
      },
      anew: () => {
        basedOn = document.revision;
        return send();
      },
    }),
  });
}
