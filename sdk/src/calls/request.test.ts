import { describe, expect, it } from 'vitest';
import { answer, stubApi } from '../../test/stub-api.ts';
import { PostriderError } from '../index.ts';

const { reply, client } = stubApi();

describe('paths', () => {
  it.each([
    ['a/b', '/inboxes/a%2Fb'],
    ['a b?c#d', '/inboxes/a%20b%3Fc%23d'],
    ['é', '/inboxes/%C3%A9'],
    ['%2e%2e', '/inboxes/%252e%252e'],
  ])('encodes the id %s', async (id, path) => {
    const seen = reply(() => answer(200, {}));
    await client().inboxes.get(id);
    expect(seen[0]?.path).toBe(path);
  });

  it('encodes addresses with a plus tag', async () => {
    const seen = reply(() => answer(204));
    await client().suppressions.delete('ada+tag@example.com');
    expect(seen[0]?.path).toBe('/suppressions/ada%2Btag%40example.com');
  });

  it.each(['', '.', '..'])('refuses the id %o, whose path would be another route', async (id) => {
    const seen = reply(() => answer(204));
    await expect(client().inboxes.delete(id)).rejects.toThrow(PostriderError);
    expect(seen).toHaveLength(0);
  });

  it('refuses what is no id at run time either', async () => {
    const missing: { id?: string } = {};
    await expect(client().inboxes.delete(missing.id as string)).rejects.toThrow('inboxes.delete needs an id');
  });
});

describe('queries', () => {
  it('keep false, and leave out what is undefined', async () => {
    const seen = reply(() => answer(200, { messages: [], next_cursor: null }));
    await client().messages.list({ has_attachment: false, wait_seconds: 0, subject: '', from: undefined });
    expect(seen[0]?.path).toBe('/messages?has_attachment=false&wait_seconds=0&subject=');
  });

  it('separate the items of a list by commas and encode what needs it', async () => {
    const seen = reply(() => answer(200, { events: [], next_cursor: null }));
    await client().events.list({ events: ['message.received', 'message.bounced'] });
    expect(decodeURIComponent(seen[0]?.path ?? '')).toBe('/events?events=message.received,message.bounced');
    const searched = reply(() => answer(200, { messages: [], next_cursor: null }));
    await client().messages.list({ query: 'a&b=c+d "é"' });
    expect(new URL(`http://x${searched[0]?.path}`).searchParams.get('query')).toBe('a&b=c+d "é"');
  });
});

describe('bodies', () => {
  it("keep null, false, 0 and ''", async () => {
    const seen = reply(() => answer(200, {}));
    const params = { subject: '', text: null, scheduled_at: null, to: [], html: undefined };
    await client().drafts.update('dft_1', params);
    expect(seen[0]?.body).toEqual({ subject: '', text: null, scheduled_at: null, to: [] });
    expect(seen[0]?.headers.get('content-type')).toBe('application/json');
    await client().webhooks.update('whk_1', { enabled: false });
    expect(seen[1]?.body).toEqual({ enabled: false });
  });

  it('are left out where a route has none', async () => {
    const seen = reply(() => answer(200, {}));
    await client().webhooks.rotateSecret('whk_1');
    await client().account.get();
    expect(seen.map(({ body }) => body)).toEqual([undefined, undefined]);
    expect(seen[0]?.headers.has('content-type')).toBe(false);
  });

  it('are empty objects where all fields are optional', async () => {
    const seen = reply(() => answer(200, {}));
    await client().domains.dmarc('dom_1');
    await client().domains.dmarc('dom_1', { policy: 'none' });
    expect(seen.map(({ body }) => body)).toEqual([{}, { policy: 'none' }]);
  });
});

describe('headers', () => {
  it('carry the key, the name of the client and what the call adds', async () => {
    const seen = reply(() => answer(200, {}));
    await client().account.get({ headers: { 'X-Trace': 't1', 'User-Agent': 'mine', Authorization: 'nope' } });
    const headers = Object.fromEntries(seen[0]?.headers ?? []);
    expect(headers).toMatchObject({
      accept: 'application/json',
      authorization: 'Bearer pr_test_key',
      'user-agent': 'mine',
      'x-trace': 't1',
    });
  });

  it('name the client and its version', async () => {
    const seen = reply(() => answer(200, {}));
    await client().account.get();
    expect(seen[0]?.headers.get('user-agent')).toMatch(/^postrider-js\/\d+\.\d+\.\d+$/);
  });
});
