// What an operator calls this display. This browser keeps it for the address of the display.
import { settings } from '../settings.js?v=';

const address = () => location.pathname + location.search;

/** The name; undefined if there is none. */
export const displayName = () => settings.get('displayNames')?.[address()] || undefined;

/** Keeps a name, which the server gets whenever the display connects. */
export function keepDisplayName(live, name) {
  settings.set('displayNames', { ...settings.get('displayNames'), [address()]: name });
  live.options.name = name || undefined;
}
