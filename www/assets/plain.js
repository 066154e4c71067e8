// A display for old browsers, in ES5. It is the page's only file. It counts as counting.js does; a test compares them.
(function (root) {
'use strict';

// ---- Counting. Pure functions; instants are the server's ms.

var LAMPS = ['red', 'yellow', 'green'];
var HOLD_AT_ZERO = 300;
var NOTHING = 1e-6;

function isRunning(mode) { return mode === 'countdown' || mode === 'warning' || mode === 'final'; }

function two(value) { return value < 10 ? '0' + value : String(value); }

function clockText(seconds) {
  var whole = Math.max(0, Math.floor(seconds));
  var hours = Math.floor(whole / 3600);
  var minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? hours + ':' + two(minutes) + ':' + two(whole % 60) : minutes + ':' + two(whole % 60);
}

function shownSeconds(remaining) { return Math.max(0, Math.ceil(remaining - NOTHING)); }

function modeAt(remaining, times) {
  var final = times.final > 1 ? times.final : 0;
  if (final > 0 && remaining <= final + NOTHING) return 'final';
  return times.warning > 0 && remaining <= times.warning + NOTHING ? 'warning' : 'countdown';
}

function groupAt(timers, path) { return (timers && timers.groups && timers.groups[path.split('/')[0] - 1]) || null; }

function timerAt(timers, path) {
  var group = groupAt(timers, path);
  return (group && group.timers[path.split('/')[1] - 1]) || null;
}

// The path of the timer that follows at zero; null if the alarm follows.
function successor(timers, path) {
  var group = groupAt(timers, path);
  var item = Number(path.split('/')[1]);
  if (!group || group.at_zero !== 'next') return null;
  while (item < group.timers.length && !(group.timers[item].start > 0)) item += 1;
  return item < group.timers.length ? path.split('/')[0] + '/' + (item + 1) : null;
}

// The state, or that of the next timer of its sequence if that has begun and the node has not reported it yet.
function stateAt(node, now) {
  var state = node.state;
  var zero = node.counting ? node.counting.zero : null;
  var timer;
  while (isRunning(state.mode) && zero !== null && state.next && now >= zero + HOLD_AT_ZERO) {
    timer = timerAt(node.timers, state.next);
    if (!timer || !(timer.start > 0)) break;
    zero += timer.start * 1000;
    state = {
      mode: 'countdown', start: timer.start, warning: timer.warning, final: timer.final,
      next: successor(node.timers, state.next), timer: { path: state.next, name: timer.name }
    };
  }
  return { state: state, zero: zero };
}

// The mode, the time left or over, when the mode began, and when the next second comes.
function runAt(state, zero, now) {
  var remaining = zero === null ? 0 : Math.max(0, (zero - now) / 1000);
  var over = zero === null ? 0 : Math.max(0, (now - zero) / 1000);
  var mode = state.mode;
  function run(mode, remaining, overtime, began, next) {
    return { mode: mode, remaining: remaining, overtime: overtime, began: began, next: next };
  }
  if (zero === null || !(isRunning(mode) || mode === 'alarm')) {
    over = mode === 'alarm' || state.paused_mode === 'alarm' ? state.overtime || 0 : null;
    return run(mode, Math.max(0, state.precise_remaining), over, null, Infinity);
  }
  if (mode !== 'alarm' && remaining > NOTHING) {
    mode = modeAt(remaining, state);
    return run(mode, remaining, null, zero - (mode === 'countdown' ? state.start : state[mode]) * 1000,
      zero - (shownSeconds(remaining) - 1) * 1000);
  }
  if (mode !== 'alarm' && now < zero + HOLD_AT_ZERO) {
    return run(modeAt(0, state), 0, null, null, zero + HOLD_AT_ZERO);
  }
  return run('alarm', 0, over, zero, zero + (Math.floor(over + NOTHING) + 1) * 1000);
}

// Whether a pattern is on at an instant, and when that changes. One with more than three flashes a second is on.
function patternAt(pattern, now) {
  var steps = pattern.steps_ms;
  var count = steps.length;
  var passed = now - pattern.began;
  var length = 0;
  var isTooFast = false;
  var place, end;
  for (place = 0; place < count; place += 1) {
    length += steps[place];
    if (place % 2 || (!pattern.repeat && place >= count - 2)) continue;
    if (steps[place] + (steps[(place + 1) % count] || 0) < 1000 / 3) isTooFast = true;
  }
  if (passed < 0) return { lit: false, until: pattern.began };
  if (length <= 0 || (!pattern.repeat && passed >= length)) return { lit: false, until: Infinity };
  if (isTooFast) return { lit: true, until: pattern.repeat ? Infinity : pattern.began + length };
  end = pattern.began + Math.floor(passed / length) * length;
  for (place = 0; place < count && now >= end + steps[place]; place += 1) end += steps[place];
  return { lit: place % 2 === 0, until: end + steps[place % count] };
}

function signalOf(node, mode) { return (node.signals && node.signals[mode]) || { word: mode, lamps: {} }; }

// The states of the lamps in a mode that the node has not reported yet.
function expectedOutputs(node, mode) {
  var own = signalOf(node, mode).lamps;
  var lamps = own || signalOf(node, node.state.paused_mode || 'countdown').lamps || {};
  var outputs = {};
  LAMPS.forEach(function (name) {
    var state = lamps[name] || 'off';
    outputs[name] = own === null && state !== 'off' ? 'blink' : state;
  });
  return outputs;
}

// What a node shows at an instant; null if its state is not known. `isReached`: its messages reach this page.
// `isSteady`: nothing may flash.
function count(node, now, isReached, isSteady) {
  var at, state, run, isTold, isAwaited, usesOwn, outputs, until, lamps, isOver;
  if (!node || !node.state || now === null) return null;
  at = stateAt(node, now);
  state = at.state;
  run = runAt(state, at.zero, now);
  isTold = state === node.state && run.mode === state.mode;
  isAwaited = isReached && !isTold && state === node.state && run.began !== null && now < run.began + HOLD_AT_ZERO;
  usesOwn = isTold || isAwaited || run.began === null;
  outputs = node.state.outputs || {};
  if (!usesOwn || !LAMPS.some(function (name) { return name in outputs; })) outputs = expectedOutputs(node, run.mode);
  until = Infinity;
  lamps = {};
  LAMPS.forEach(function (name) {
    var lamp = { state: outputs[name] || 'off', lit: false };
    var pattern = usesOwn && node.patterns ? node.patterns[name] : null;
    var began = usesOwn ? node.counting && node.counting.since : run.began;
    var found;
    lamp.lit = lamp.state !== 'off';
    if (lamp.state === 'blink' && !isSteady) {
      found = patternAt(pattern || {
        steps_ms: run.mode === 'paused' ? [500, 1500] : [425, 425], repeat: true, began: began || 0
      }, now);
      lamp.lit = found.lit;
      until = Math.min(until, found.until);
    }
    lamps[name] = lamp;
  });
  isOver = run.overtime !== null && run.mode !== 'paused';
  return {
    mode: run.mode,
    word: signalOf(node, isOver ? 'alarm' : run.mode).word,
    text: run.overtime === null ? clockText(shownSeconds(run.remaining)) : '+' + clockText(run.overtime + NOTHING),
    timer: state.timer,
    lamps: lamps,
    isEstimate: node.availability !== 'online' || Boolean(node.counting && node.counting.estimate)
      || state !== node.state,
    nextChange: Math.min(run.next, until, isAwaited ? run.began + HOLD_AT_ZERO : Infinity)
  };
}

// The node's wall clock at an instant, in ms since 1970; null if it is not known.
function wallAt(node, now) {
  var at = Date.parse((node.state && node.state.at) || '');
  var made = node.counting ? node.counting.made : null;
  return isNaN(at) || made == null || now === null ? null : at + (now - made);
}

// Returns the name of the next meeting and the seconds until it begins. Only a stopped node counts down to one.
function leadAt(node, now) {
  var wall = wallAt(node, now);
  var lead = node.state.lead;
  if (!lead || node.state.mode !== 'stopped' || wall === null) return null;
  return { name: lead.name, seconds: Math.max(0, Math.ceil((Date.parse(lead.at) - wall) / 1000)) };
}

// How far the server's clock is ahead of this browser's, by the measurement with the smallest possible error.
function Clock() {
  var samples = [];
  function error(sample, now) { return sample.half + Math.max(0, now - sample.at) / 10000; }
  function best(now) {
    return samples.reduce(function (one, other) {
      return one && error(one, now) <= error(other, now) ? one : other;
    }, null);
  }
  this.add = function (told, asked, answered) {
    var half = Math.max(0, answered - asked) / 2;
    var sample = { offset: told - asked - half, half: half, at: answered };
    var known = best(answered);
    // More than clocks drift: one of them has jumped, or slept.
    if (known && Math.abs(sample.offset - known.offset) > error(known, answered) + half + 1) samples = [];
    samples = samples.slice(-15).concat(sample);
  };
  this.offset = function (now) { return samples.length ? best(now).offset : null; };
}

root.plain = { count: count, leadAt: leadAt, Clock: Clock };
if (typeof document === 'undefined') return;

// ---- Texts in English and German, as in the folder texts, and the German words for modes.

var TEXTS = {
  connecting: ['Connecting…', 'Verbindung wird aufgebaut …'],
  reconnecting: ['Reconnecting…', 'Verbindung wird erneuert …'],
  broker_away: ['Broker away', 'Broker nicht erreichbar'],
  offline: ['Node offline', 'Knoten offline'],
  estimate: ['≈ estimate', '≈ geschätzt'],
  unseen: ['“{id}” has not been seen yet', '„{id}“ wurde noch nie gesehen'],
  needs_token: ['Needs a link with a token', 'Braucht einen Link mit Token'],
  lead: ['Begins in', 'Beginnt in']
};
var WORDS = {
  Stopped: 'Gestoppt', Running: 'Läuft', Warning: 'Warnung', Final: 'Schluss', Overtime: 'Überzogen', Paused: 'Pause',
  Qualified: 'Qualifiziert', 'Wrap up': 'Zum Ende', Time: 'Zeit'
};
var query = location.search.slice(1);
var wished = /(?:^|&)language=(\w\w)/.exec(query);
var isGerman = (wished ? wished[1] : String(navigator.language).slice(0, 2).toLowerCase()) === 'de';
var id = location.pathname.split('/').slice(-2)[0];

function t(key) { return TEXTS[key][isGerman ? 1 : 0].replace('{id}', id); }

// ---- The server.

var clock = new Clock();
var boot = null;
var node = null;
var broker = null;
// connecting, live, reconnecting, or needs_token.
var status = 'connecting';
var name = '';
// What covers the display: a space in a blackout.
var dark = '';
var watch = null;
var failures = 0;

function ownNow() { return root.performance && root.performance.now ? root.performance.now() : Number(new Date()); }

function serverNow() {
  var now = ownNow();
  var offset = clock.offset(now);
  return offset === null ? null : now + offset;
}

// Requests JSON; `done` gets the status, 0 without an answer, and the content or null.
function get(path, done) {
  var request = new XMLHttpRequest();
  request.open('GET', path);
  request.timeout = 10000;
  request.onreadystatechange = function () {
    var content = null;
    if (request.readyState !== 4) return;
    try { content = JSON.parse(request.responseText); } catch (error) { content = null; }
    done(content === null ? 0 : request.status, content);
  };
  request.send();
}

// Measures the server's clock several times.
function measure(times) {
  var asked = ownNow();
  get('api/time', function (code, told) {
    var answered = ownNow();
    if (code !== 200) return;
    note(told.boot);
    clock.add(told.now, asked, answered);
    render();
    if (times > 1) setTimeout(function () { measure(times - 1); }, 150);
  });
}

// Measurements of another server, or from before its restart, say nothing.
function note(other) {
  if (other !== boot) clock = new Clock();
  boot = other;
}

// A message took an unknown time to arrive, but not a negative one, and rarely this long.
function heard(now) {
  var expected = serverNow();
  if (expected === null || now > expected + 100) {
    clock = new Clock();
    // It counts as a measurement that took 4 s, until there is a better one.
    clock.add(now + 2000, ownNow() - 4000, ownNow());
    measure(5);
  } else if (now < expected - 1000) {
    measure(5);
  }
}

// Takes everything that the server knows.
function take(all) {
  failures = 0;
  note(all.boot);
  heard(all.now);
  node = all.nodes[id] || null;
  broker = all.broker;
  status = 'live';
}

function failed() {
  failures += 1;
  if (status === 'live') status = 'reconnecting';
  render();
}

// Whether the server wants to know who this is.
function isRefused(code) {
  if (code === 401 || code === 403) status = 'needs_token';
  return status === 'needs_token';
}

function listen() {
  var source = new EventSource('api/events?view=display&node=' + id + '&display=' + encodeURIComponent(query)
    + (name ? '&name=' + encodeURIComponent(name) : ''));

  function again() {
    clearTimeout(watch);
    source.close();
    failed();
    get('api/nodes/' + id, isRefused);
    setTimeout(listen, 250 + Math.random() * Math.min(5000, 500 * Math.pow(2, failures)));
  }

  function on(kind, handle) {
    source.addEventListener(kind, function (event) {
      clearTimeout(watch);
      watch = setTimeout(again, 4000);
      handle(JSON.parse(event.data));
      render();
    });
  }

  watch = setTimeout(again, 4000);
  source.onerror = again;
  on('snapshot', take);
  on('node', function (change) {
    node = node || {};
    Object.keys(change).forEach(function (key) { node[key] = change[key]; });
  });
  on('gone', function () { node = null; });
  on('broker', function (other) { broker = other; });
  on('ping', function (ping) { heard(ping.now); });
  on('display', function (order) {
    if (order.name !== undefined) name = order.name;
    if (order.blackout !== undefined) dark = order.blackout ? ' ' : '';
    say('cover', order.identify ? name || id : dark);
    setTimeout(function () { say('cover', dark); }, 5000);
  });
}

// Without Server-Sent Events, everything is requested each second.
function poll() {
  get('api/nodes', function (code, all) {
    if (code === 200) take(all);
    else if (!isRefused(code)) failed();
    render();
    setTimeout(poll, 1000);
  });
}

// ---- The picture.

var COLOURS = { red: '#ff5549', yellow: '#ffd02e', green: '#2ee06a', text: '#f2f4f7' };
var isSteady = Boolean(root.matchMedia && root.matchMedia('(prefers-reduced-motion: reduce)').matches);
var elements = {};
var timer = null;
// What the layout depends on.
var shape = '';

// Places an element, from its place in percent of the window's height.
function place(name, top, height, font) {
  var style = elements[name].style;
  style.top = top + '%';
  style.height = height + '%';
  style.lineHeight = Math.round(root.innerHeight * height / 100) + 'px';
  style.fontSize = font + 'px';
}

// The largest font with which digits fit into a box.
function fitting(digits, width, height) {
  var probe = elements.probe;
  probe.textContent = digits;
  return Math.floor(Math.min(height * 0.9, 100 * width / Math.max(1, probe.offsetWidth)));
}

// Lays the page out for the window and the length of the texts.
function lay(digits, message) {
  var width = root.innerWidth;
  var height = root.innerHeight;
  var font = Math.round(Math.min(height * 0.06, width * 0.05));
  var lamp = Math.round(Math.min(height * 0.2, width * 0.28));
  var tall = message ? 30 : 43;
  var widest = digits.replace(/\d/g, '0');
  if (shape === (shape = [width, height, widest, message].join())) return;
  place('name', 0, 9, font);
  place('clock', 0, 9, font);
  place('connection', 9, 7, Math.round(font * 0.7));
  LAMPS.forEach(function (each, index) {
    var style = elements[each].style;
    style.width = style.height = Math.round(lamp * 0.8) + 'px';
    style.top = Math.round(height * 0.27 - lamp / 2) + 'px';
    style.left = Math.round(width / 2 + (index - 1.5) * lamp) + 'px';
    style.borderWidth = Math.ceil(lamp * 0.05) + 'px';
  });
  place('digits', 38, tall, fitting(widest, width * 0.94, height * tall / 100));
  place('mode', 81, 9, font);
  place('speaker', 90, 9, font);
  place('message', 68, 32, Math.round(font * 1.2));
  elements.message.style.lineHeight = 1.3;
  place('cover', 0, 100, font);
}

function say(name, text) {
  var element = elements[name];
  if (element.textContent !== (text || '')) element.textContent = text || '';
  element.style.display = text ? 'block' : 'none';
}

function timeOfDay(wall, zone) {
  var date = new Date(wall);
  try {
    return date.toLocaleTimeString(navigator.language, { hour: '2-digit', minute: '2-digit', timeZone: zone });
  } catch (error) {
    return two(date.getHours()) + ':' + two(date.getMinutes());
  }
}

// Returns what is wrong between the node and this page, or an empty text.
function problem(counted) {
  var found = '';
  var runs = counted && (isRunning(counted.mode) || counted.mode === 'alarm');
  if (status !== 'live') found = t(status);
  else if (broker && !broker.connected) found = t('broker_away');
  else if (!node) found = t('unseen');
  else if (node.availability !== 'online') found = t('offline');
  if (!runs || !(found || counted.isEstimate)) return found;
  return (found ? found + ' · ' : '') + t('estimate');
}

function messageAt(wall) {
  var message = (node && node.message) || {};
  return message.until && wall && Date.parse(message.until) <= wall ? '' : message.text || '';
}

function render() {
  var now = serverNow();
  var isReached = status === 'live' && (!broker || broker.connected) && Boolean(node)
    && node.availability === 'online' && node.heard !== false;
  var counted = count(node, now, isReached, isSteady);
  var wall = counted && wallAt(node, now);
  var lead = counted && leadAt(node, now);
  var message = messageAt(wall);
  var digits = lead ? clockText(lead.seconds) : counted ? counted.text : '';
  var title = counted ? (lead && lead.name) || counted.timer.name || node.state.group.name || id : id;
  var word = lead ? t('lead') : counted ? (isGerman && WORDS[counted.word]) || counted.word : '';
  var tone = 'text';
  lay(digits, message);
  LAMPS.forEach(function (each) {
    var lamp = counted ? counted.lamps[each] : { state: 'off' };
    elements[each].style.backgroundColor = lamp.lit ? COLOURS[each] : '#000';
    if (lamp.state !== 'off' && tone === 'text') tone = each;
  });
  elements.lamps.setAttribute('aria-label', word);
  elements.digits.style.color = COLOURS[tone];
  say('name', title);
  say('digits', digits);
  say('mode', word);
  say('speaker', counted && node.state.speaker);
  say('clock', wall && counted.mode === 'stopped' && timeOfDay(wall, node.agenda && node.agenda.zone));
  say('connection', problem(counted));
  say('message', message);
  if (document.title !== title) document.title = title;
  clearTimeout(timer);
  // The end of a message, a meeting and the time of day may come with any second.
  timer = setTimeout(render, counted
    ? Math.max(1, Math.min(Math.ceil(counted.nextChange - now), 1000 - (wall || 0) % 1000)) : 1000);
}

function start() {
  var styles = {
    name: '', lamps: ';top:0;height:38%', connection: '', digits: '', mode: '', speaker: '', cover: ';background:#000',
    clock: ';width:98%;text-align:right', message: ';white-space:normal;background:#10305f',
    probe: ';width:auto;visibility:hidden;font-size:100px'
  };
  LAMPS.forEach(function (each) { styles[each] = ';border:1px solid ' + COLOURS[each] + ';border-radius:50%'; });
  Object.keys(styles).forEach(function (each) {
    elements[each] = document.getElementById(each);
    elements[each].style.cssText = 'position:absolute;margin:0;width:100%;overflow:hidden;white-space:nowrap;'
      + 'text-align:center;font-weight:bold' + styles[each];
  });
  document.body.style.cssText = 'margin:0;overflow:hidden;font-family:Inter,Roboto,Helvetica,Arial,sans-serif';
  document.documentElement.lang = isGerman ? 'de' : 'en';
  say('cover', dark);
  root.onresize = render;
  if (root.EventSource) listen();
  else poll();
  measure(5);
  setInterval(function () { measure(5); }, 60000);
  root.onpageshow = root.ononline = root.onfocus = function () { measure(5); };
  render();
}

start();
}(this));
