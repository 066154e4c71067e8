// The form for one timer: its names, its times with the editor's clamps, and the bounds within which a run qualifies.
import { clockText } from '../counting.js?v=';
import { formDialog } from '../dialog.js?v=';
import { textField, timeField } from '../fields.js?v=';
import { t } from '../texts.js?v=';
import { h } from '../ui.js?v=';
import { LONGEST, clampTimer, timesOf } from './clamps.js?v=';
import { differences, timerName } from './differences.js?v=';
import { create, edit, find, withFields } from './operations.js?v=';
import { timeName } from './words.js?v=';

const TEXTS = ['name', 'event', 'location'];
const TIMES = ['start', 'warning', 'final', 'minimum', 'maximum'];
const BOUNDS = ['minimum', 'maximum'];

/** The command for an edit, with the fields that differ; null if the verb `edit` cannot express it. */
function editRequest(id) {
  return (before, after) => {
    const [old, now] = [find(before, id)?.timer, find(after, id)?.timer];
    // Removing a name, or restoring a timer, requires the whole model.
    if (!old || (old.name && !now.name)) return null;
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

/** The user's changes to a timer, kept as entered: other times may clamp them, and later stop clamping them. */
class Draft {
  constructor(timer) {
    this.timer = timer;
    this.wishes = {};
  }

  wish(key, value) { this.wishes[key] = value; }

  get times() { return clampTimer({ ...timesOf(this.timer), ...this.#wished(TIMES) }); }

  #wished(keys) { return Object.fromEntries(Object.entries(this.wishes).filter(([key]) => keys.includes(key))); }

  /** The fields that differ from the timer's, with strings trimmed. */
  get fields() {
    const texts = Object.entries(this.#wished(TEXTS)).map(([key, text]) => [key, text.trim()])
      .filter(([key, text]) => text !== (this.timer[key] ?? ''));
    const times = Object.entries(this.#wished(TIMES)).filter(([key, time]) => time !== timesOf(this.timer)[key]);
    return Object.fromEntries([...texts, ...times]);
  }
}

/** Why a time differs from the one that was entered. */
function clampText(node, key, wished, times, isOwn) {
  const time = times[key];
  if (wished === undefined || wished === time) return null;
  const reasons = { warning: 'start', final: times.warning > 0 ? 'warning' : 'start', minimum: 'maximum' };
  const values = { time: clockText(time), below: reasons[key] ? timeName(node, reasons[key]) : '' };
  if (key === 'minimum') return t('edit.clamp.bound', values);
  if (!reasons[key] || (key === 'final' && wished >= LONGEST)) return t('edit.clamp.longest', values);
  return t(isOwn ? 'edit.clamp.own' : 'edit.clamp.lowered', values);
}

/**
 * Opens the form.
 *
 * @param {SharedDocument} document
 * @param {{timer: object, place: object, isNew: boolean, node: object}} options the timer to edit, or to create at a
 *   place; the node as received.
 */
export function openTimerForm(document, { timer, place, isNew, node }) {
  let draft = new Draft(timer);
  let basedOn = document.revision;
  const texts = Object.fromEntries(TEXTS.map((key) => [key, textField(t(`edit.${key}`), timer[key], {
    onChange: (text) => draft.wish(key, text),
  })]));
  const wish = (key) => (seconds) => {
    draft.wish(key, seconds);
    show(key);
  };
  const times = Object.fromEntries(TIMES.map((key) =>
    [key, timeField(timeName(node, key), timesOf(timer)[key], wish(key))]));

  function show(typed = null) {
    const [shown, before] = [draft.times, timesOf(draft.timer)];
    for (const key of TIMES) {
      times[key].show(shown[key]);
      times[key].note(clampText(node, key, draft.wishes[key] ?? before[key], shown, key === typed || key in draft.wishes));
    }
  }
  function fill(next) {
    draft = next;
    for (const key of TEXTS) texts[key].value = draft.wishes[key] ?? draft.timer[key];
    show();
  }
  const send = () => (isNew
    ? document.change(create(withFields({ ...timer }, draft.fields), place), { basedOn })
    : document.change(edit(draft.timer, draft.fields, place), { basedOn, request: editRequest(timer.id) }));

  return formDialog({
    title: isNew ? t('edit.new_timer') : t('edit.timer_title', { timer: timerName(timer) }),
    children: [
      ...TEXTS.map((key) => texts[key].element),
      ...['start', 'warning', 'final'].map((key) => times[key].element),
      h('p', { class: 'muted wide' }, t('edit.qualify')),
      ...BOUNDS.map((key) => times[key].element),
    ],
    save: send,
    isDirty: () => Object.keys(draft.fields).length > 0,
    conflict: ({ base, theirs }) => ({
      texts: differences(base, theirs),
      take: () => {
        const [mine, theirTimer] = [draft, find(theirs, timer.id)?.timer];
        basedOn = document.revision;
        if (isNew) return {};
        if (!theirTimer) return { isGone: true };
        fill(new Draft(theirTimer));
        return {
          putBack: () => {
            const both = new Draft(theirTimer);
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
