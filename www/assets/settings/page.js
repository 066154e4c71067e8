// The settings of this browser, and its session on the server.
import { awakeSupport } from '../awake.js?v=';
import { showNavigation } from '../header.js?v=';
import { session } from '../http.js?v=';
import { settings } from '../settings.js?v=';
import { formatDate, loadLanguage, t, translate } from '../texts.js?v=';
import { feel, h, setText, toast } from '../ui.js?v=';
import { showTimerSettings } from './timers.js?v=';
import { playTone } from './tone.js?v=';

const element = (id) => document.getElementById(id);
const languages = { en: 'English', de: 'Deutsch' };

function languageChoices() {
  const browser = (navigator.languages ?? []).map((name) => name.slice(0, 2)).find((name) => name in languages) ?? 'en';
  element('language').replaceChildren(
    h('option', { value: '' }, t('settings.language.auto', { name: languages[browser] })),
    ...Object.entries(languages).map(([value, name]) => h('option', { value, lang: value }, name)));
  element('language').value = settings.get('language') ?? '';
}

/** Disables a switch for something that the browser does not support. */
function unavailable(id, text) {
  element(id).disabled = true;
  element(id).checked = false;
  setText(document.getElementById(element(id).getAttribute('aria-describedby')), text);
}

function switches() {
  for (const id of ['sound', 'vibration', 'leftHanded', 'gestures']) element(id).checked = settings.get(id);
  if (!('vibrate' in navigator)) unavailable('vibration', t('settings.vibration.none'));
  if (!('AudioContext' in window)) unavailable('sound', t('settings.sound.none'));
  element('theme').value = settings.get('theme');
}

function screenHint() {
  const support = awakeSupport();
  setText(element('screen'), t(`settings.screen.${support}`));
  element('recipe').hidden = support !== 'insecure';
}

function sessionText({ role, proof, expires }) {
  if (proof === 'session') {
    const time = formatDate(new Date(expires * 1000), { weekday: 'short', hour: '2-digit', minute: '2-digit' });
    return t('settings.session.role', { role: t(`common.role.${role}`), time });
  }
  if (role === 'viewer') return t('settings.session.viewer');
  return t(role ? 'settings.session.open' : 'settings.session.none');
}

let known = null;
let areTimersShown = false;

async function showSession() {
  const answer = await session();
  known = answer.ok ? answer.content : null;
  drawSession();
  if (known?.role === 'operator' && !areTimersShown) {
    areTimersShown = true;
    showTimerSettings(element('timers'));
  }
}

function drawSession() {
  showNavigation(known, 'settings');
  setText(element('session'), known ? sessionText(known) : t('settings.session.unknown'));
}

function draw() {
  translate();
  document.title = t('settings.title');
  languageChoices();
  switches();
  screenHint();
  if (known) drawSession();
}

element('language').addEventListener('change', async (event) => {
  settings.set('language', event.target.value || null);
  await loadLanguage();
  draw();
});
element('theme').addEventListener('change', (event) => settings.set('theme', event.target.value));
for (const id of ['vibration', 'leftHanded', 'gestures']) {
  element(id).addEventListener('change', (event) => {
    settings.set(id, event.target.checked);
    // The vibration is demonstrated at once, if the device supports it.
    feel(event.target.parentElement);
  });
}
element('sound').addEventListener('change', async (event) => {
  // Only a tap lets a page play sound; the tone shows whether it worked.
  const isWished = event.target.checked;
  const isHeard = isWished && await playTone();
  settings.set('sound', isHeard);
  if (isWished && !isHeard) toast(t('settings.sound.none'), 'error');
});
// The user may return from the login page, or change settings in another tab.
window.addEventListener('pageshow', (event) => { if (event.persisted) showSession(); });
settings.addEventListener('change', switches);

draw();
showSession();
