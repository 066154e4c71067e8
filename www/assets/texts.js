// The page strings, in the language set in the settings or in the browser.
import { settings } from './settings.js?v=';
import en from './texts/en.js?v=';

const languages = { en };
/** Other languages are loaded only when needed. */
const others = { de: () => import('./texts/de.js?v=') };

/** The language that is shown: en or de. */
export function language() {
  const wished = [settings.get('language'), ...(navigator.languages ?? [])];
  return wished.map((name) => String(name).slice(0, 2).toLowerCase())
    .find((name) => name in languages || name in others) ?? 'en';
}

/** Loads the language that is shown; must be called again before strings are requested in another language. */
export async function loadLanguage() {
  const name = language();
  languages[name] ??= (await others[name]().catch(() => null))?.default;
}
await loadLanguage();

/** A string, with each {name} replaced by the value of that name. */
export function t(key, values = {}) {
  const text = languages[language()]?.[key] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
}

/** A word for a mode: words of the node's built-in profiles are translated, others are returned unchanged. */
export function wordText(word) {
  const key = `word.${word.replaceAll(' ', '_')}`;
  return en[key] === word ? t(key) : word;
}

/** Sets the text of an element if it differs, because a screen reader repeats all text that is set. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Inserts strings wherever the page names their keys: data-text for the content, data-label for aria-label and title.
 */
export function translate(root = document) {
  document.documentElement.lang = language();
  for (const element of root.querySelectorAll('[data-text]')) element.textContent = t(element.dataset.text);
  for (const element of root.querySelectorAll('[data-label]')) {
    element.setAttribute('aria-label', t(element.dataset.label));
    element.title = t(element.dataset.label);
  }
}

/** The browser's locale for the language that is shown, if it has one, because British and American formats differ. */
function locale() {
  return (navigator.languages ?? []).find((name) => name.toLowerCase().startsWith(language())) ?? language();
}

const formats = new Map();

/** Creating a format is slow, so each is created once. */
function formatOf(options) {
  const key = JSON.stringify([locale(), options]);
  if (!formats.has(key)) formats.set(key, newFormat(options));
  return formats.get(key);
}

function newFormat(options) {
  try {
    return new Intl.DateTimeFormat(locale(), options);
  } catch {
    // The node's system knows this zone, but the browser does not.
    return new Intl.DateTimeFormat(locale(), { ...options, timeZone: undefined });
  }
}

/** A date and a time of day in the local format; in this browser's zone if the given one is unknown. */
export const formatDate = (date, options) => formatOf(options).format(date);

/**
 * A time of day in the local format.
 *
 * @param instant in ms since 1970, or a date as text.
 * @param zone the IANA name; undefined for this browser's zone.
 */
export const timeOfDay = (instant, zone) => formatDate(
  new Date(instant), { hour: '2-digit', minute: '2-digit', timeZone: zone });
