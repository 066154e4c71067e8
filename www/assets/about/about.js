// What this is: its version, its addresses, its licences, and where its documentation is.
import { keepRole } from '../access.js?v=';
import { showNavigation } from '../header.js?v=';
import { connect } from '../live.js?v=';
import { redraw } from '../redraw.js?v=';
import { t, translate } from '../texts.js?v=';
import { h, nodeName, setText } from '../ui.js?v=';

const element = (id) => document.getElementById(id);
const live = connect({ view: 'about' });

function draw() {
  setText(element('version'), live.site.version ?? '');
  const server = live.site.public_url ?? document.baseURI;
  const nodes = [...live.nodes.values()].sort((one, other) => one.id.localeCompare(other.id));
  redraw(element('addresses'), [[t('about.server'), server],
    [t('about.broker'), live.broker?.address ?? '–'],
    ...nodes.map((node) => [t('about.node', { node: nodeName(node) }), `${live.site.prefix}/${node.id}`])]
    .flatMap(([name, address]) => [h('dt', {}, name), h('dd', {}, h('code', {}, address))]));
}

translate();
document.title = t('about.title');
keepRole(live, 'viewer');
live.addEventListener('status', draw);
live.addEventListener('change', ({ detail }) => {
  if (detail.keys.includes('snapshot')) showNavigation(live, 'about');
  if (detail.id === null || detail.keys.includes('name')) draw();
});
draw();
