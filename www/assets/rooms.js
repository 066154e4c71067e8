// The start page: all nodes on the broker with their timers. The stream is requested first, while the rest is loading.
import { connect } from './live.js?v=';

const live = connect({ view: 'rooms' });
const { show } = await import('./rooms/page.js?v=');
show(live);
