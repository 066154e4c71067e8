// The operations on the matrix of timers. Pure functions: each returns a function that creates a new model from an old
// one. A position is identified by the timers around it, not by its number, so that an operation also works on a model
// that someone else has changed since.
import { Impossible } from '../document.js?v=';
import { CAPACITY, clampTimer, timesOf } from './clamps.js?v=';

/** A new id for a timer; browsers have randomUUID over HTTPS only. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * The position of a timer: the index of its group and its index within the group, from 0; null if it does not exist.
 */
export function find(model, id) {
  for (const [group, { timers }] of model.groups.entries()) {
    const item = timers.findIndex((timer) => timer.id === id);
    if (item >= 0) return { group, item, timer: timers[item] };
  }
  return null;
}

/** The index of the group that contains one of these timers, from 0. */
function findGroup(model, ids) {
  const group = model.groups.findIndex(({ timers }) => timers.some(({ id }) => ids.includes(id)));
  if (group < 0) throw new Impossible('group_gone');
  return group;
}

export const idsOf = (group) => group.timers.map(({ id }) => id);

/** A position in a model, identified by the timers there; beyond the last group it is a new group. */
export function placeAt(model, { group, item }, without = null) {
  const timers = (model.groups[group]?.timers ?? []).filter(({ id }) => id !== without);
  if (group >= model.groups.length) return { isNew: true };
  return { ids: idsOf(model.groups[group]), before: timers[item]?.id ?? null };
}

function insert(model, timer, place) {
  if (place.isNew) {
    // A new group is like the last one.
    model.groups.push({ ...model.groups.at(-1), name: '', timers: [timer] });
    return;
  }
  const { timers } = model.groups[findGroup(model, place.ids)];
  if (timers.length >= CAPACITY) throw new Impossible('full');
  const item = timers.findIndex(({ id }) => id === place.before);
  timers.splice(item < 0 ? timers.length : item, 0, timer);
}

function changed(model, change) {
  const next = structuredClone(model);
  change(next);
  next.groups = next.groups.filter(({ timers }) => timers.length > 0);
  if (next.groups.length === 0) throw new Impossible('last');
  return next;
}

export const create = (timer, place) => (model) => changed(model, (next) => {
  if (find(next, timer.id)) throw new Impossible('there');
  insert(next, timer, place);
});

export const move = (id, place) => (model) => changed(model, (next) => {
  const found = find(next, id);
  if (!found) throw new Impossible('gone');
  // The target may be in the group that the timer is leaving, and that group may be identified by this timer's id.
  const target = place.isNew ? null : findGroup(next, place.ids);
  next.groups[found.group].timers.splice(found.item, 1);
  if (target === null) {
    insert(next, found.timer, place);
    return;
  }
  const { timers } = next.groups[target];
  if (timers.length >= CAPACITY) throw new Impossible('full');
  const item = timers.findIndex((timer) => timer.id === place.before);
  timers.splice(item < 0 ? timers.length : item, 0, found.timer);
});

export const remove = (id) => (model) => changed(model, (next) => {
  const found = find(next, id);
  if (!found) throw new Impossible('gone');
  next.groups[found.group].timers.splice(found.item, 1);
});

export const removeGroup = (ids) => (model) => changed(model, (next) => {
  next.groups.splice(findGroup(next, ids), 1);
});

/** Restores what was removed from a model: timers, with their group if that was removed too. */
export const restore = (before, ids) => (model) => changed(model, (next) => {
  const { group } = find(before, ids[0]);
  const old = before.groups[group];
  const others = idsOf(old).filter((id) => !ids.includes(id));
  const place = next.groups.findIndex(({ timers }) => timers.some(({ id }) => others.includes(id)));
  if (place < 0) {
    const following = before.groups.slice(group + 1).flatMap(idsOf);
    const at = next.groups.findIndex(({ timers }) => timers.some(({ id }) => following.includes(id)));
    const timers = old.timers.filter(({ id }) => ids.includes(id) && !find(next, id));
    next.groups.splice(at < 0 ? next.groups.length : at, 0, { ...structuredClone(old), timers });
    return;
  }
  for (const id of ids.filter((one) => !find(next, one))) {
    const after = idsOf(old).slice(idsOf(old).indexOf(id) + 1);
    const following = idsOf(next.groups[place]).find((one) => after.includes(one)) ?? null;
    insert(next, structuredClone(find(before, id).timer), { ids: idsOf(next.groups[place]), before: following });
  }
});

/** Moves a timer back to where it was in a model, with its group if that is gone. */
export const moveBack = (before, id) => (model) => {
  const now = find(model, id);
  if (!now) throw new Impossible('gone');
  const { group, item } = find(before, id);
  const old = structuredClone(before);
  // It may have been edited since.
  old.groups[group].timers[item] = now.timer;
  return restore(old, [id])(remove(id)(model));
};

/** A timer with some fields changed: times that do not fit are clamped; empty strings, bounds of 0 and no account are omitted. */
export function withFields(timer, fields) {
  const next = { ...timer, ...fields };
  Object.assign(next, clampTimer(timesOf(next)));
  for (const key of ['event', 'location', 'minimum', 'maximum', 'carry']) if (!next[key]) delete next[key];
  return next;
}

/** Edits a timer. If somebody has deleted the timer meanwhile, it is restored at the given position. */
export const edit = (old, fields, place) => (model) => changed(model, (next) => {
  const found = find(next, old.id);
  const isThere = () => next.groups.some((group) => idsOf(group).some((id) => place.ids.includes(id)));
  if (found) next.groups[found.group].timers[found.item] = withFields(found.timer, fields);
  else insert(next, withFields(old, fields), isThere() ? place : { isNew: true });
});

export const editGroup = (ids, fields) => (model) => changed(model, (next) => {
  const group = next.groups[findGroup(next, ids)];
  Object.assign(group, fields);
  for (const key of ['sound', 'transition', 'budget']) if (!group[key]) delete group[key];
});

/** Moves a group by this many positions. */
export const moveGroup = (ids, by) => (model) => changed(model, (next) => {
  const group = findGroup(next, ids);
  const target = group + by;
  if (target < 0 || target >= next.groups.length) throw new Impossible('no_place');
  next.groups.splice(target, 0, ...next.groups.splice(group, 1));
});
