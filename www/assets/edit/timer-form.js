// The form for one timer: its names, its times with the editor's clamps, and the bounds within which a run qualifies.
import { clockText } from '../counting.js?v=';
import { formDialog } from '../dialog.js?v=';
import { clockField, switchField, textField } from '../fields.js?v=';
import { t } from '../texts.js?v=';
import { h } from '../ui.js?v=';
import { clampTimer, timesOf } from './clamps.js?v=';
import { differences, timerName } from './differences.js?v=';
import { create, edit, find, withFields } from './operations.js?v=';
import { hasCards, timeLabel, timeName } from './words.js?v=';

const TEXTS = ['name', 'event', 'location'];
const TIMES = ['warning', 'final', 'start', 'minimum', 'maximum'];
const BOUNDS = ['minimum', 'maximum'];

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
    for (const kind of [['start', 'warning', 'final'], BOUNDS]) {
      if (kind.some((key) => oldTimes[key] !== times[key])) for (const key of kind) payload[key] = times[key];
    }
    return ['edit', payload];
  };
}

/** A timer's times as they are used up, in seconds, 0 for none: when warning and final begin, and when the time is up. */
function elapsedOf({ start, warning, final, minimum, maximum }) {
  return { warning: warning && start - warning, final: final && start - final, start, minimum, maximum };
}

/** The times of the node's model from those of the form. Green and red of a card are its bounds. */
function modelOf(wished, isCard) {
  const left = (time) => (time ? Math.max(1, wished.start - time) : 0);
  const times = clampTimer({ ...wished, warning: left(wished.warning), final: left(wished.final) });
  return isCard ? { ...times, ...boundsOf(times) } : times;
}

const boundsOf = ({ start, warning }) => ({ minimum: warning && start - warning, maximum: start });

/** Whether the bounds of a timer follow from the times of its lamps. */
const followsLamps = (times) => {
  const { minimum, maximum } = boundsOf(times);
  return times.minimum === minimum && times.maximum === maximum;
};

/** The user's changes to a timer, kept as entered: other times may clamp them, and later stop clamping them. */
class Draft {
  constructor(timer, isCard) {
    this.timer = timer;
    this.isCard = isCard;
    this.wishes = {};
  }

  wish(key, value) { this.wishes[key] = value; }

  /** The times that the user sees, before they are clamped. */
  get wished() { return { ...elapsedOf(timesOf(this.timer)), ...this.#wished(TIMES) }; }

  get times() { return modelOf(this.wished, this.isCard); }

  #wished(keys) { return Object.fromEntries(Object.entries(this.wishes).filter(([key]) => keys.includes(key))); }

  /** The fields that differ from the timer's, with strings trimmed. */
  get fields() {
    const texts = Object.entries(this.#wished(TEXTS)).map(([key, text]) => [key, text.trim()])
      .filter(([key, text]) => text !== (this.timer[key] ?? ''));
    const [before, now] = [timesOf(this.timer), this.times];
    const times = TIMES.filter((key) => now[key] !== before[key]).map((key) => [key, now[key]]);
    const { carry = false } = this.wishes;
    const isOther = 'carry' in this.wishes && carry !== Boolean(this.timer.carry);
    return Object.fromEntries([...texts, ...times, ...(isOther ? [['carry', carry]] : [])]);
  }
}

/** The note below a time: why it differs from the one that was entered, otherwise what is left then. */
function noteOf(node, key, wished, times) {
  const shown = elapsedOf(times);
  const isLamp = key === 'warning' || key === 'final';
  // The engine has no final mode of a single second.
  if (key === 'final' && times.final === 1) return t('edit.clamp.second');
  if (wished[key] === shown[key] || (isLamp && times[key] === 0 && !wished[key])) {
    return isLamp && times[key] > 0 ? t('edit.left', { time: clockText(times[key]) }) : null;
  }
  const time = clockText(shown[key]);
  if (key === 'minimum') return t('edit.clamp.bound', { time });
  if (!isLamp) return t('edit.clamp.longest', { time });
  if (times[key] === 0) return t('edit.clamp.none');
  return shown[key] < wished[key] ? t('edit.clamp.before', { time, other: timeName(node, 'start') })
    : t('edit.clamp.after', { time, other: timeName(node, 'warning') });
}

/**
 * Opens the form.
 *
 * @param {SharedDocument} document
 * @param {{timer: object, place: object, isNew: boolean, node: object, neighbours: object, extra: Element}} options the
 *   timer to edit, or to create at a place; the node as received; the rest is as in `formDialog`.
 */
export function openTimerForm(document, { timer, place, isNew, node, neighbours, extra }) {
  const ownTimes = timesOf(timer);
  const isCard = hasCards(node) && followsLamps(ownTimes);
  let draft = new Draft(timer, isCard);
  let basedOn = document.revision;
  const texts = Object.fromEntries(TEXTS.map((key) => [key, textField(t(`edit.${key}`), timer[key], {
    onChange: (text) => draft.wish(key, text),
  })]));
  const times = Object.fromEntries(TIMES.map((key) => [key, clockField(timeLabel(node, key), elapsedOf(ownTimes)[key], {
    isRequired: key === 'start',
    onChange: (seconds) => {
      draft.wish(key, seconds);
      show();
    },
  })]));
  const kind = switchField(t('edit.kind'), isCard ? 'card' : 'countdown',
    ['countdown', 'card'].map((name) => [name, t(`edit.kind.${name}`)]), (chosen) => {
      draft.isCard = chosen === 'card';
      show();
    });
  const cardHint = h('p', { class: 'muted hint' }, t('edit.is_card'));
  kind.element.append(cardHint);
  const carry = h('input', { type: 'checkbox', onchange: () => draft.wish('carry', carry.checked) });

  function show() {
    const shown = draft.times;
    for (const key of TIMES) {
      times[key].show(elapsedOf(shown)[key]);
      if (times[key].input.validity.valid) times[key].note(noteOf(node, key, draft.wished, shown));
    }
    kind.value = draft.isCard ? 'card' : 'countdown';
    cardHint.hidden = !draft.isCard;
    carry.checked = draft.wishes.carry ?? Boolean(draft.timer.carry);
    for (const key of BOUNDS) times[key].element.hidden = draft.isCard;
  }
  function fill(next) {
    draft = next;
    for (const key of TEXTS) texts[key].value = draft.wishes[key] ?? draft.timer[key];
    show();
  }
  const send = () => (isNew
    ? document.change(create(withFields({ ...timer }, draft.fields), place), { basedOn })
    : document.change(edit(draft.timer, draft.fields, place), { basedOn, request: editRequest(timer.id) }));

  show();
  return formDialog({
    title: isNew ? t('edit.new_timer') : t('edit.timer_title', { timer: timerName(timer) }),
    children: [
      h('div', { class: 'wide' }, texts.name.element),
      hasCards(node) ? h('div', { class: 'wide' }, kind.element) : null,
      h('p', { class: 'muted wide' }, t('edit.times')),
      ...['warning', 'final', 'start'].map((key) => times[key].element),
      ...BOUNDS.map((key) => times[key].element),
      h('details', { class: 'wide', open: isNew }, h('summary', {}, t('edit.more')),
        texts.event.element, texts.location.element, h('label', { class: 'check' }, carry, t('edit.carry'))),
    ],
    save: send,
    neighbours,
    extra,
    isDirty: () => Object.keys(draft.fields).length > 0,
    conflict: ({ base, theirs }) => ({
      texts: differences(base, theirs),
      take: () => {
        const [mine, theirTimer] = [draft, find(theirs, timer.id)?.timer];
        basedOn = document.revision;
        if (isNew) return {};
        if (!theirTimer) return { isGone: true };
        fill(new Draft(theirTimer, hasCards(node) && followsLamps(timesOf(theirTimer))));
        return {
          putBack: () => {
            const both = new Draft(theirTimer, mine.isCard);
            both.wishes = { ...mine.wishes };
            fill(both);
          },
        };
      },
      anew: () => {
        basedOn = document.revision;
        return send();
      },
    }),
  });
}
