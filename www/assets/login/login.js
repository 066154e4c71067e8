// The login: a PIN of eight digits, which determines the role.
import { post, session } from '../http.js?v=';
import { isAtLeast } from '../place.js?v=';
import { clockText } from '../counting.js?v=';
import { showNavigation } from '../header.js?v=';
import { t, translate } from '../texts.js?v=';
import { feel, refusalText, setText } from '../ui.js?v=';
import { nextAddress, pinOf } from './next.js?v=';

const element = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const wanted = ['viewer', 'remote', 'operator'].includes(query.get('role')) ? query.get('role') : null;
const next = nextAddress(query.get('next'), document.baseURI);
const LENGTH = 8;
/** How long the page stays after the login, in ms. */
const PAUSE = 700;
/** The waiting time if the server does not specify one, in seconds. */
const MINUTE = 60;

let waiting = null;
let isAsking = false;

translate();
document.title = t('login.title');
showNavigation(null, 'login');
setText(element('reason'), wanted ? t(`login.for.${wanted}`) : '');
// Password managers save a PIN for each name.
element('role').value = t(`common.role.${wanted ?? 'remote'}`);
const go = () => location.replace(next);

function problem(text) {
  setText(element('problem'), text);
  element('pin').setAttribute('aria-invalid', String(text !== ''));
}

function wait(seconds) {
  const until = performance.now() + seconds * 1000;
  clearInterval(waiting);
  const show = () => {
    const left = Math.ceil((until - performance.now()) / 1000);
    element('submit').disabled = left > 0;
    if (left > 0) {
      problem(t('login.wait', { time: clockText(left) }));
      return;
    }
    clearInterval(waiting);
    problem('');
    element('pin').focus();
  };
  waiting = setInterval(show, 500);
  show();
}

async function submit() {
  const pin = pinOf(element('pin').value);
  if (isAsking || element('submit').disabled) return;
  if (pin.length !== LENGTH) {
    problem(t('login.incomplete'));
    element('pin').focus();
    return;
  }
  isAsking = true;
  element('submit').setAttribute('aria-busy', 'true');
  problem('');
  const answer = await post('api/session', { pin });
  isAsking = false;
  element('submit').removeAttribute('aria-busy');
  if (!answer.ok) {
    if (answer.status === 429) wait(answer.retryAfter ?? MINUTE);
    else problem(answer.code === 'wrong_pin' ? t('login.wrong') : refusalText(answer));
    element('pin').select();
    return;
  }
  const { role } = answer.content;
  if (!wanted || isAtLeast(role, wanted)) {
    // The last digit has submitted it: a tap meant for the button must not land on the next page.
    setText(element('submit'), t('login.already', { role: t(`common.role.${role}`) }));
    element('submit').disabled = true;
    setTimeout(go, PAUSE);
    return;
  }
  problem(t('login.less', { role: t(`common.role.${role}`), wanted: t(`common.role.${wanted}`) }));
  element('pin').value = '';
  element('pin').focus();
}

function showReveal(isShown) {
  element('pin').type = isShown ? 'text' : 'password';
  setText(element('reveal'), t(isShown ? 'login.hide' : 'login.show'));
  element('reveal').setAttribute('aria-pressed', String(isShown));
}

element('form').addEventListener('submit', (event) => {
  event.preventDefault();
  feel(element('submit'));
  submit();
});
element('pin').addEventListener('input', () => {
  if (!element('submit').disabled) problem('');
  // Submits without a press of the button, even when a password manager fills in the PIN.
  if (pinOf(element('pin').value).length === LENGTH) submit();
});
element('reveal').addEventListener('click', () => showReveal(element('pin').type === 'password'));
showReveal(false);

const known = await session();
if (known.ok && known.content.proof === 'session') {
  const { role } = known.content;
  setText(element('already'), t('login.already', { role: t(`common.role.${role}`) }));
  element('already').hidden = false;
  element('go-on').href = next;
  element('go-on').hidden = Boolean(wanted) && !isAtLeast(role, wanted);
}
