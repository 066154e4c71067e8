// The report of a node: who spoke for how long on a day, and who qualified.
import { showNavigation } from '../header.js?v=';
import { command, get } from '../http.js?v=';
import { placeIcons } from '../icons.js?v=';
import { connect } from '../live.js?v=';
import { isAtLeast, logIn, nodeID, requireRole } from '../place.js?v=';
import { keepFocus } from '../redraw.js?v=';
import { formatDate, t, translate } from '../texts.js?v=';
import { h, nodeName, refusalText, setText, toast } from '../ui.js?v=';
import { counts, dayAfter, dayOf, isDay, noonOf, runsOfDay, shownRuns } from './runs.js?v=';
import { tables } from './table.js?v=';

const element = (id) => document.getElementById(id);
const id = nodeID();
let live = null;
const node = `n/${encodeURIComponent(id)}`;
const api = `api/nodes/${encodeURIComponent(id)}/runs`;
const query = new URLSearchParams(location.search);

let day = isDay(query.get('day') ?? '') ? query.get('day') : dayOf(new Date());
let role = null;
let runs = [];
/** The number of the latest request: responses to older ones are not shown. */
let asked = 0;
/** Whether something has arrived that is not shown yet, because the user is typing a name. */
let isOutdated = false;

translate();
placeIcons();
document.title = `${t('report.title')} · ${id}`;
element('remote').href = `${node}/remote`;

const isEditing = () => Boolean(document.activeElement?.closest('#tables input'));

function show() {
  // Redrawing the table would remove the field while the user is typing.
  isOutdated = isEditing();
  if (isOutdated) return;
  const chosen = shownRuns(runs, element('show').value);
  keepFocus(element('tables'), (button) => button.closest('tr').dataset.run, () => {
    element('tables').replaceChildren(...tables(chosen, role === 'operator' ? amend : null));
    return true;
  });
  const { count, judged, qualified } = counts(chosen);
  const talks = t(count === 1 ? 'report.summary.one' : 'report.summary.plain', { count });
  setText(element('summary'), count === 0 ? '' : judged === 0 ? talks
    : t('report.summary', { talks, judged, qualified }));
  const names = new Set(runs.map((run) => run.speaker).filter(Boolean));
  element('names').replaceChildren(...[...names].map((name) => h('option', { value: name })));
  return chosen.length;
}

function say(text, isError = false) {
  setText(element('state'), text);
  element('state').hidden = text === '';
  element('state').classList.toggle('error', isError);
}

async function load() {
  const question = ++asked;
  element('day').value = day;
  const written = formatDate(noonOf(day), { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
  setText(element('heading'), t('report.of', { node: nodeName(live?.nodes.get(id) ?? { id }), day: written }));
  element('csv').href = `${api}.csv?${new URLSearchParams({ from: day, to: day })}`;
  // The server's days may begin at another time than here.
  const range = new URLSearchParams({ from: dayAfter(day, -1), to: dayAfter(day, 1) });
  const answer = await get(`${api}?${range}`);
  if (question !== asked) return;
  if (answer.status === 401 || answer.status === 403) {
    logIn('remote');
    return;
  }
  if (!answer.ok) {
    say(refusalText(answer), true);
    return;
  }
  runs = runsOfDay(answer.content.runs, day);
  const count = show();
  if (runs.length === 0) say(t('report.none'));
  else if (count === 0) say(t('report.none.shown'));
  else say(answer.content.complete ? '' : t('report.incomplete'), true);
}

/** Handles the end of editing a name: shows what has arrived meanwhile, and saves the name if it has changed. */
async function amend(run, speaker) {
  // The next element receives the focus only afterwards.
  if (isOutdated) setTimeout(show);
  if (speaker === null) return;
  const answer = await command(id, 'runs', { run: run.id, speaker });
  if (!answer.ok) {
    toast(refusalText(answer), 'error');
    return;
  }
  runs = runs.map((other) => (other.id === run.id ? { ...other, speaker: speaker || null } : other));
  show();
  toast(t('report.amended'));
}

function choose(newDay) {
  if (!isDay(newDay)) return;
  day = newDay;
  runs = [];
  const address = new URL(location.href);
  if (day === dayOf(new Date())) address.searchParams.delete('day');
  else address.searchParams.set('day', day);
  history.replaceState(null, '', address);
  load();
}

element('choice').addEventListener('submit', (event) => event.preventDefault());
element('day').addEventListener('change', () => choose(element('day').value));
element('before').addEventListener('click', () => choose(dayAfter(day, -1)));
element('after').addEventListener('click', () => choose(dayAfter(day, 1)));
element('today').addEventListener('click', () => choose(dayOf(new Date())));
element('show').addEventListener('change', load);
element('print').addEventListener('click', () => window.print());

const session = await requireRole('remote');
if (session) {
  role = session.role;
  showNavigation(session, 'report');
  live = connect({ node: id, view: 'report' });
  live.addEventListener('change', ({ detail }) => {
    const isSnapshot = detail.keys.includes('snapshot');
    if (isSnapshot) {
      if (!isAtLeast(live.role, 'remote')) logIn('remote');
      role = live.role;
    }
    if (isSnapshot || detail.keys.includes('runs')) load();
  });
  live.addEventListener('session', () => logIn('remote'));
  live.addEventListener('status', () => { if (live.status !== 'live') requireRole('remote'); });
  load();
} else {
  say(t('common.refused.unreachable'), true);
}
