import { describe, expect, it } from 'vitest';
import { answer, errorAnswer, type SeenRequest, stubApi } from '../../test/stub-api.ts';
import { APIError } from '../index.ts';

const { reply, client } = stubApi();
const inbox = { id: 'inb_1', local_part: 'support', domain_id: null, address: 'support@postrider.test' };
const calls = (seen: SeenRequest[]) => seen.map(({ method, path }) => `${method} ${path}`);

describe('inboxes.getOrCreate', () => {
  it('creates the inbox', async () => {
    const seen = reply(() => answer(201, inbox));
    expect(await client().inboxes.getOrCreate({ local_part: 'support' })).toEqual(inbox);
    expect(calls(seen)).toEqual(['POST /inboxes']);
  });

  it('gets the one that the workspace has', async () => {
    const seen = reply(
      () => errorAnswer(409, 'address_taken', { reason: 'taken', inbox_id: 'inb_1' }),
      () => answer(200, inbox),
    );
    const { data, requestId } = await client().inboxes.getOrCreate({ local_part: 'support' }).withResponse();
    expect([data, requestId]).toEqual([inbox, 'req_stub']);
    expect(calls(seen)).toEqual(['POST /inboxes', 'GET /inboxes/inb_1']);
  });

  it('is repeated over lost connections, unlike create', async () => {
    const seen = reply(
      () => Response.error(),
      () => errorAnswer(409, 'address_taken', { reason: 'taken', inbox_id: 'inb_1' }),
      () => answer(200, inbox),
    );
    expect(await client().inboxes.getOrCreate({ local_part: 'support' })).toEqual(inbox);
    expect(seen).toHaveLength(3);
  });

  it('throws when somebody else has the address, or the name is reserved', async () => {
    for (const reason of ['taken', 'reserved', 'held']) {
      const seen = reply(() => errorAnswer(409, 'address_taken', { reason }));
      await expect(client().inboxes.getOrCreate({ local_part: 'abuse' })).rejects.toThrow(APIError);
      expect(calls(seen)).toEqual(['POST /inboxes']);
    }
  });
});

describe('labels.getOrCreate', () => {
  const label = (id: string, name: string) => ({ id, name, color: null });
  const page = (labels: object[], next_cursor: string | null = null) => answer(200, { labels, next_cursor });

  it('creates the label', async () => {
    const seen = reply(() => answer(201, label('lbl_1', 'urgent')));
    expect(await client().labels.getOrCreate({ name: 'urgent' })).toMatchObject({ id: 'lbl_1' });
    expect(calls(seen)).toEqual(['POST /labels']);
  });

  it('finds the one that the workspace has, on whichever page, ignoring case', async () => {
    const seen = reply(
      () => errorAnswer(409, 'label_name_taken'),
      () => page([label('lbl_2', 'later')], 'more'),
      () => page([label('lbl_1', 'Urgent')]),
    );
    expect(await client().labels.getOrCreate({ name: ' urgent' })).toMatchObject({ id: 'lbl_1' });
    expect(calls(seen)).toEqual([
      'POST /labels',
      'GET /labels?limit=100',
      'GET /labels?limit=100&cursor=more',
    ]);
  });

  it('throws if the label is gone again', async () => {
    reply(
      () => errorAnswer(409, 'label_name_taken'),
      () => page([]),
    );
    await expect(client().labels.getOrCreate({ name: 'urgent' })).rejects.toThrow('label_name_taken');
  });
});

describe('webhooks.ensure', () => {
  const url = 'https://agent.example.com/hooks';
  const webhook = { id: 'whk_2', url, events: ['message.received'], enabled: true };
  const list = (...webhooks: object[]) => answer(200, { webhooks, next_cursor: null });

  it('creates the webhook when there is none', async () => {
    const created = { ...webhook, secret: 'whsec_x' };
    const seen = reply(
      () => list({ ...webhook, id: 'whk_1', url: 'https://other.example.com/' }),
      () => answer(201, created),
      () => list(webhook),
    );
    expect(await client().webhooks.ensure({ url, events: ['message.received'] })).toEqual(created);
    expect(calls(seen)).toEqual(['GET /webhooks?limit=100', 'POST /webhooks', 'GET /webhooks?limit=100']);
  });

  it('leaves one that is there as it is', async () => {
    const seen = reply(() => list(webhook));
    expect(await client().webhooks.ensure({ url, events: ['message.received'] })).toEqual(webhook);
    expect(seen).toHaveLength(1);
  });

  it('deletes its own when another program was first', async () => {
    const first = { ...webhook, id: 'whk_1' };
    const seen = reply(
      () => list(),
      () => answer(201, { ...webhook, secret: 'whsec_x' }),
      () => list(webhook, first),
      () => new Response(null, { status: 204 }),
    );
    expect(await client().webhooks.ensure({ url, events: ['message.received'] })).toEqual(first);
    expect(calls(seen).at(-1)).toBe('DELETE /webhooks/whk_2');
  });

  it('sets its events and enables it', async () => {
    const seen = reply(
      () => list({ ...webhook, enabled: false }),
      () => answer(200, webhook),
    );
    await client().webhooks.ensure({ url, events: ['message.bounced', 'message.received'] });
    expect(seen[1]).toMatchObject({
      method: 'PATCH',
      path: '/webhooks/whk_2',
      body: { events: ['message.bounced', 'message.received'], enabled: true },
    });
  });

  it('tells webhooks of other inboxes apart', async () => {
    const seen = reply(
      () => list({ ...webhook, inbox_ids: ['inb_1', 'inb_2'] }),
      () => answer(201, webhook),
      () => list({ ...webhook, inbox_ids: ['inb_1', 'inb_2'] }, webhook),
    );
    await client().webhooks.ensure({ url, events: ['message.received'] });
    expect(calls(seen)).toContain('POST /webhooks');
  });
});
