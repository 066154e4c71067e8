// All nodes of the broker with their timers: the way in. The stream is asked for first, while the rest is on its way.
import { connect } from './live.js?v=';

const live = connect({ view: 'rooms' });
const { show } = await import('./rooms/page.js?v=');
show(live);
