// The texts of the pages, in the language of the settings or of the browser.
import { settings } from './settings.js?v=';
import en from './texts/en.js?v=';

const languages = { en };
/** The others are fetched by those who read them. */
const others = { de: () => import('./texts/de.js?v=') };

/** The language that is shown: en or de. */
export function language() {
  const wished = [settings.get('language'), ...(navigator.languages ?? [])];
  return wished.map((name) => String(name).slice(0, 2).toLowerCase())
    .find((name) => name in languages || name in others) ?? 'en';
}

/** Fetches the language that is shown; to be called again before texts are asked for in another one. */
export async function loadLanguage() {
  const name = language();
  languages[name] ??= (await others[name]().catch(() => null))?.default;
}
await loadLanguage();

/** A text, with {name} replaced by the value of that name. */
export function t(key, values = {}) {
  const text = languages[language()]?.[key] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
}

/** A word for a mode: those of the node's own profiles in the language that is shown, any other as it is. */
export function wordText(word) {
  const key = `word.${word.replaceAll(' ', '_')}`;
  return en[key] === word ? t(key) : word;
}

/** Sets the text of an element, where it is another one: a screen reader repeats what is set. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Puts texts where the page names their keys: data-text for its content, data-label for aria-label and title. */
export function translate(root = document) {
  document.documentElement.lang = language();
  for (const element of root.querySelectorAll('[data-text]')) element.textContent = t(element.dataset.text);
  for (const element of root.querySelectorAll('[data-label]')) {
    element.setAttribute('aria-label', t(element.dataset.label));
    element.title = t(element.dataset.label);
  }
}

/** The language with the region of the browser, where it has one of that language: Britons and Americans differ. */
function locale() {
  return (navigator.languages ?? []).find((name) => name.toLowerCase().startsWith(language())) ?? language();
}

const formats = new Map();

/** To make a format takes long, so that each is made once. */
function formatOf(options) {
  const key = JSON.stringify([locale(), options]);
  if (!formats.has(key)) formats.set(key, newFormat(options));
  return formats.get(key);
}

function newFormat(options) {
  try {
    return new Intl.DateTimeFormat(locale(), options);
  } catch {
    // A zone that the node's system knows and this browser does not.
    return new Intl.DateTimeFormat(locale(), { ...options, timeZone: undefined });
  }
}

/** A date and a time of day as people of that language write them; in a zone that is not known, those of here. */
export const formatDate = (date, options) => formatOf(options).format(date);
