// The display of a node. The stream is requested first, while the rest of the page is loading.
import { connect } from '../live.js?v=';
import { displayName } from './name.js?v=';

const query = location.search.slice(1);
const path = location.href.slice(document.baseURI.length).split(/[?#]/)[0];
const id = decodeURIComponent(path.split('/')[1] ?? '');
// A small picture on another page is not a display that an operator leads.
const isPreview = new URLSearchParams(query).get('preview') === 'on';
const live = connect({ node: id, ...(!isPreview && { display: query, name: displayName() }), view: 'display' });
const { show } = await import('./page.js?v=');
show(live, id, query);
