// Requests to the server. Nothing here throws: what went wrong is in the result, for the page to say.

/** The server itself gives up on a node after 5 s; whoever takes longer is not there. */
const PATIENCE = 12_000;

const isJSON = (answer) => (answer.headers.get('content-type') ?? '').includes('json');

/** The seconds that the server asks us to wait, or null. */
function retryAfter(answer) {
  const seconds = Number.parseInt(answer.headers.get('retry-after') ?? '', 10);
  return Number.isFinite(seconds) ? Math.max(1, seconds) : null;
}

async function request(method, path, body) {
  try {
    const answer = await fetch(path, {
      method,
      cache: 'no-store',
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      // Older browsers lack it, and then wait for as long as their system does.
      signal: AbortSignal.timeout?.(PATIENCE),
    });
    const content = isJSON(answer) ? await answer.json() : null;
    if (answer.ok) return { ok: true, status: answer.status, content };
    return {
      ok: false,
      status: answer.status,
      code: content?.error?.code ?? `http_${answer.status}`,
      // HTTP/2 has no text for a status.
      message: content?.error?.message || answer.statusText || `HTTP ${answer.status}`,
      response: content?.response ?? null,
      retryAfter: retryAfter(answer),
    };
  } catch (error) {
    const message = String(error.message ?? error);
    return { ok: false, status: 0, code: 'unreachable', message, response: null, retryAfter: null };
  }
}

export const get = (path) => request('GET', path);
export const post = (path, body = {}) => request('POST', path, body);
export const remove = (path) => request('DELETE', path);

/**
 * Sends a command to a node, once: what nobody answered may have been done, so that it is never repeated here.
 *
 * @returns {Promise<{ok: true, response: object} | {ok: false, status: number, code: string, message: string}>}
 */
export async function command(node, verb, payload = {}) {
  const answer = await post(`api/nodes/${encodeURIComponent(node)}/commands/${verb}`, payload);
  return answer.ok ? { ok: true, response: answer.content } : answer;
}

/** Who this browser is for the server. */
export const session = () => get('api/session');
