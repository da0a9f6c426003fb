import { APIError, type Draft, Postrider } from 'postrider';
import { expect, it } from 'vitest';
import { sendDraft } from './send-draft.ts';

interface Sent {
  path: string;
  clientId: string | undefined;
}

/** Returns a client of the API whose requests are answered by a function, and the requests that send. */
function clientFor(answer: (path: string) => Response) {
  const sent: Sent[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    const path = new URL(request.url).pathname;
    const { client_id: clientId } = request.method === 'POST' ? await request.json() : {};
    if (request.method === 'POST') sent.push({ path, clientId });
    return request.method === 'DELETE' ? new Response(null, { status: 204 }) : answer(path);
  };
  return {
    sent,
    api: new Postrider({ apiKey: 'pr_live_x', baseURL: 'http://server.test/v1', fetch, maxRetries: 0 }),
  };
}

const receipt = { id: 'msg_2', thread_id: 'thr_1', dropped: [], idempotent: false };
const original = { message_id: '<a@x>', references: [] };
const draft = {
  id: 'dft_1',
  inbox_id: 'inb_1',
  to: ['ada@x.org'],
  cc: [],
  bcc: [],
  subject: 'Hi',
  text: 'Hello',
  attachments: [],
  metadata: {},
  reply_to_message_id: null,
  updated_at: '2026-11-20T09:30:00.000Z',
} as unknown as Draft;
const forward = { ...draft, metadata: { console_forward: 'msg_1' } };
const reply = { ...draft, reply_to_message_id: 'msg_1' };
const later = { updated_at: '2026-11-20T09:31:00.000Z', text: 'Hello again' };
const rejection = () =>
  Response.json({ error: 'message_rejected', message: 'No.', request_id: 'req_1' }, { status: 422 });

it('names a draft with its version, so that a repeat returns the first message', async () => {
  const { api, sent } = clientFor(() => Response.json(receipt));
  await sendDraft(api, draft);
  await sendDraft(api, draft);
  expect(sent.map(({ path }) => path)).toEqual(['/v1/drafts/dft_1/send', '/v1/drafts/dft_1/send']);
  expect(new Set(sent.map(({ clientId }) => clientId)).size).toBe(1);
});

it('never sends a forward twice, even if it was changed after a lost response', async () => {
  let isLost = true;
  const { api, sent } = clientFor(() => {
    if (isLost) throw new TypeError('The connection broke off.');
    return Response.json(receipt);
  });
  await expect(sendDraft(api, forward)).rejects.toThrow();
  isLost = false;
  await sendDraft(api, { ...forward, ...later });
  expect(sent.map(({ path }) => path)).toEqual(['/v1/messages/msg_1/forward', '/v1/messages/msg_1/forward']);
  expect(sent[0]?.clientId).toBe(sent[1]?.clientId);
});

it('sends a forward that the provider refused anew', async () => {
  let isRefused = true;
  const { api, sent } = clientFor(() => (isRefused ? rejection() : Response.json(receipt)));
  const other = { ...forward, id: 'dft_2' };
  await expect(sendDraft(api, other)).rejects.toThrow(APIError);
  isRefused = false;
  await sendDraft(api, other);
  expect(sent[0]?.clientId).not.toBe(sent[1]?.clientId);
});

it('answers an automatic message only if it is forced to, and in its thread', async () => {
  const { api, sent } = clientFor((path) =>
    Response.json(path === '/v1/messages/msg_1' ? original : receipt),
  );
  await sendDraft(api, reply);
  await sendDraft(api, reply, { force: true });
  expect(sent.map(({ path }) => path)).toEqual(['/v1/drafts/dft_1/send', '/v1/messages']);
});
