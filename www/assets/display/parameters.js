// The appearance of a display, as set by its address.
//
// | Parameter | Values | Default | What it does |
// |---|---|---|---|
// | `display` | `numerical`, `circular`, `stoplights`, `lower-third`, `backstage` | the group's | the kind of display |
// | `view` | a name of `web.views` | none | the parameters of that view; those in the address take precedence |
// | `elements` | names of the table below, with commas; `-name` removes one | the display's | what is shown |
// | `count` | `down`, `up` | `down` | whether the digits show what is left or what has passed |
// | `digits` | `on`, `off` | `on` | `off`: only the lamps |
// | `colours` | `digits`, `background`, `none` | `digits` | what has the colour of the lamps; also `colors` |
// | `green`, `yellow`, `red` | a colour such as `1ec252` | those of the lamps | the colour of a lamp |
// | `foreground` | a colour | the theme's | the colour of the text |
// | `background` | a colour, `transparent` | the theme's; `lower-third`: `transparent` | the colour of the background |
// | `theme` | `dark`, `light`, `auto` | `dark` | light or dark; `auto` is as in the settings or the browser |
// | `mirror` | `horizontal` or `on`, `vertical`, `both` | none | for a mirror or rear projection |
// | `size` | 10 to 100 | 100 | how much of the screen is used, in % |
// | `motion` | `on`, `off` | as in the browser | `off`: nothing flashes |
// | `palette` | `usual`, `red-green` | `usual` | `red-green`: colours that people with red-green blindness tell apart |
// | `speak` | `on`, `off` | `off` | `on`: the browser says the mode, that a minute is left, and messages |
// | `controls` | `on`, `off` | `on` | the buttons that appear when the pointer moves |
// | `preview` | `on`, `off` | `off` | `on`: a picture on another page, which is not in the list of displays |
// | `timer` | a timer's id, or its path such as `1/2` | the selected one | shows only that timer |
// | `language` | `en`, `de` | as in the settings or the browser | the display language |
//
// | Element | What it is |
// |---|---|
// | `lamps` | the three lamps, small; in `stoplights` its housing |
// | `digits` | the time |
// | `mode` | the word for the mode |
// | `name`, `event`, `location`, `speaker` | as in the timer |
// | `progress` | a bar with the warning and final parts; in `circular` the ring (`ring` is the same) |
// | `now` | the current entry of the running order |
// | `next` | the next entry of the running order; without one, the next timer |
// | `expected` | when the next entry is expected to begin |
// | `list` | the running order around the current entry |
// | `end` | the expected end of the timer, and of the meeting |
// | `clock` | the time of day while the timer is stopped; in `backstage` always |
// | `message` | the message to the speaker |
// | `connection` | connection faults, and whether the time is an estimate |
//
// A `lower-third` has no room for `progress`, `next`, `expected`, `list`, `end` and `clock`.

/** The displays. */
const KINDS = ['numerical', 'circular', 'stoplights', 'lower-third', 'backstage'];

const USUAL = [
  'lamps', 'digits', 'mode', 'now', 'name', 'event', 'location', 'speaker', 'progress', 'next', 'clock', 'message',
  'connection',
];
/** The elements that each display shows unless the address sets others. */
const ELEMENTS = {
  numerical: USUAL,
  circular: USUAL,
  stoplights: USUAL.filter((name) => name !== 'progress'),
  'lower-third': ['lamps', 'digits', 'now', 'name', 'event', 'location', 'speaker', 'mode', 'connection'],
  // How the evening runs is for those who lead it.
  backstage: [...USUAL, 'expected', 'end'],
};
/** Everything that can be shown. */
export const ALL_ELEMENTS = [...ELEMENTS.backstage, 'list'];

const OTHER_NAMES = { ring: 'progress', lights: 'lamps' };

const COLOUR = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** The value if it is one of the words, otherwise the first word. */
const choice = (value, ...words) => (words.includes(value) ? value : words[0]);

function colour(value) {
  const found = COLOUR.exec(value ?? '');
  return found ? `#${found[1].toLowerCase()}` : null;
}

function elements(value, kind) {
  const usual = ELEMENTS[kind];
  const told = (value ?? '').split(',').map((name) => name.trim()).filter(Boolean);
  const names = told.map((name) => OTHER_NAMES[name] ?? name);
  if (names.length === 0) return new Set(usual);
  if (names.every((name) => name.startsWith('-'))) {
    return new Set(usual.filter((name) => !names.includes(`-${name}`)));
  }
  return new Set(names.filter((name) => ALL_ELEMENTS.includes(name)));
}

/** The parameters of an address, which take precedence over those of the view that it names. */
export function merged(query, views = {}) {
  const own = new URLSearchParams(query);
  const all = new URLSearchParams(views[own.get('view')] ?? '');
  for (const [key, value] of own) all.set(key, value);
  return all;
}

/**
 * How a display should look.
 *
 * @param {URLSearchParams} query the parameters, as returned by `merged`.
 * @param {string} usualKind the display of the timer's group.
 */
export function parameters(query, usualKind) {
  const wished = query.get('display');
  const kind = [wished, usualKind].find((name) => KINDS.includes(name)) ?? 'numerical';
  const shown = elements(query.get('elements'), kind);
  if (query.get('digits') === 'off') shown.delete('digits');
  const size = Number(query.get('size') || 100);
  const isClear = query.get('background') === 'transparent' || (kind === 'lower-third' && !query.has('background'));
  const mirror = { on: 'horizontal', horizontal: 'horizontal', vertical: 'vertical', both: 'both' };
  return {
    kind,
    elements: shown,
    countsUp: query.get('count') === 'up',
    colours: choice(query.get('colours') ?? query.get('colors'), 'digits', 'background', 'none'),
    palette: {
      green: colour(query.get('green')), yellow: colour(query.get('yellow')), red: colour(query.get('red')),
      foreground: colour(query.get('foreground')), background: colour(query.get('background')),
    },
    colourSet: choice(query.get('palette'), 'usual', 'red-green'),
    speaks: query.get('speak') === 'on',
    isTransparent: isClear,
    theme: choice(query.get('theme'), 'dark', 'light', 'auto'),
    mirror: mirror[query.get('mirror')] ?? 'none',
    size: Number.isFinite(size) ? Math.min(100, Math.max(10, size)) : 100,
    isSteady: query.get('motion') === 'off',
    hasControls: query.get('controls') !== 'off',
    timer: query.get('timer'),
    language: query.get('language'),
  };
}
