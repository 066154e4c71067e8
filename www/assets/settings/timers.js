// The settings of the nodes' timers, which operators change for everybody.
import { failureText } from '../dialog.js?v=';
import { timersDocument } from '../document.js?v=';
import { connect } from '../live.js?v=';
import { redraw } from '../redraw.js?v=';
import { t } from '../texts.js?v=';
import { h, nodeName, toast } from '../ui.js?v=';

/** Shows a switch for each node that has timers of its own. @param {Element} section hidden while there is none */
export function showTimerSettings(section) {
  const live = connect({ view: 'settings' });
  const documents = new Map();
  const list = section.querySelector('.nodes');

  const documentOf = (id) => {
    if (!documents.has(id)) documents.set(id, timersDocument(id));
    return documents.get(id);
  };
  async function change(node, input) {
    const wish = (model) => ({
      ...model, settings: { ...model.settings, start_timer_immediately: input.checked },
    });
    const document = documentOf(node.id);
    let answer = await document.change(wish);
    // Somebody else has just changed the timers; the wish holds for the new ones as well.
    if (answer.code === 'conflict') answer = await document.change(wish);
    if (answer.ok) return;
    input.checked = !input.checked;
    toast(failureText(answer), 'error');
  }
  function draw() {
    const nodes = [...live.nodes.values()].filter(({ timers, state }) => timers && !state?.follows)
      .sort((one, other) => one.id.localeCompare(other.id));
    section.hidden = nodes.length === 0;
    redraw(list, nodes.map((node) => {
      documentOf(node.id).receive(node.timers);
      const input = h('input', {
        type: 'checkbox', checked: documentOf(node.id).shown.settings?.start_timer_immediately !== false,
        onchange: (event) => change(node, event.target),
      });
      return h('label', { class: 'line' }, nodeName(node), input);
    }), nodes.map(({ timers }) => timers.model_revision));
  }
  live.addEventListener('change', ({ detail }) => {
    if (detail.id === null || ['timers', 'name'].some((key) => detail.keys.includes(key))) draw();
  });
}
