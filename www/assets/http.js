// Requests to the server. Nothing here throws: the result contains the error, for the page to show.

/** The server gives up on a node after 5 s, so a server that takes longer than this is unreachable. */
const PATIENCE = 12_000;

const isJSON = (answer) => (answer.headers.get('content-type') ?? '').includes('json');

/** The number of seconds that the server asks us to wait, or null. */
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
      // Older browsers lack it, and wait for the system's timeout.
      signal: AbortSignal.timeout?.(PATIENCE),
    });
    const content = isJSON(answer) ? await answer.json() : null;
    if (answer.ok) return { ok: true, status: answer.status, content };
    return {
      ok: false,
      status: answer.status,
      code: content?.error?.code ?? `http_${answer.status}`,
      // HTTP/2 has no status text.
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
 * Sends a command to a node, once. A command without a response may have been executed, so it is never repeated here.
 *
 * @returns {Promise<{ok: true, response: object} | {ok: false, status: number, code: string, message: string}>}
 */
export async function command(node, verb, payload = {}) {
  const answer = await post(`api/nodes/${encodeURIComponent(node)}/commands/${verb}`, payload);
  return answer.ok ? { ok: true, response: answer.content } : answer;
}

/** Requests this browser's session. */
export const session = () => get('api/session');
