import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { brand } from './brand.ts';
import { Event, eventKinds } from './events.ts';
import { ConnectedFrame, RealtimeFrame, RealtimeQuery, realtimeCloseCodes } from './realtime.ts';
import { Delivery } from './webhooks.ts';

const folder = new URL('../fixtures/events/', import.meta.url);
const fixture = (kind: string): unknown => JSON.parse(readFileSync(new URL(`${kind}.json`, folder), 'utf8'));

describe('events', () => {
  it('have an example of every kind and no other', () => {
    expect(readdirSync(folder).sort()).toEqual(eventKinds.map((kind) => `${kind}.json`).sort());
  });

  it.each(eventKinds)('%s: the example is exactly what the contract describes', (kind) => {
    expect(Event.parse(fixture(kind))).toEqual(fixture(kind));
    expect(fixture(kind)).toMatchObject({ event: kind });
  });

  it.each(eventKinds)('%s: the message is null once its inbox is deleted, and still named', (kind) => {
    expect(Event.safeParse({ ...Object(fixture(kind)), message: null }).success).toBe(true);
    const { message, message_ref } = Object(fixture(kind));
    if (message) expect(message_ref).toBe(message.id);
  });

  it('have the extra fields of their kind', () => {
    const keys = (kind: string) => Object.keys(Object(fixture(kind)));
    const shared = [
      'id',
      'event',
      'created_at',
      'workspace_id',
      'inbox_id',
      'thread_id',
      'message_ref',
      'message',
    ];
    expect(keys('message.received')).toEqual(shared);
    expect(keys('message.delivered')).toEqual([...shared, 'recipient']);
    expect(keys('message.bounced')).toEqual([...shared, 'recipient', 'bounce']);
    expect(keys('message.complained')).toEqual([...shared, 'recipient', 'complaint']);
    expect(keys('message.rejected')).toEqual([...shared, 'recipient', 'reason']);
    expect(keys('message.sent')).toEqual([...shared, 'recipient']);
    expect(keys('message.held')).toEqual(shared);
    expect(keys('message.deferred')).toEqual([...shared, 'recipient', 'detail']);
    expect(keys('message.updated')).toEqual([...shared, 'changed']);
    expect(keys('message.deleted')).toEqual(shared);
    expect(keys('draft.sent')).toEqual([...shared, 'draft_id']);
    expect(keys('draft.failed')).toEqual([...shared, 'draft_id', 'failure']);
  });

  it('are refused when a field of their kind is missing or their kind is unknown', () => {
    const { bounce: _, ...bare } = Object(fixture('message.bounced'));
    expect(Event.safeParse(bare).success).toBe(false);
    expect(Event.safeParse({ ...Object(fixture('message.received')), event: 'message.opened' }).success).toBe(
      false,
    );
  });

  it('have times in UTC with milliseconds, and ids of their kinds', () => {
    const event = Object(fixture('message.received'));
    for (const created_at of ['2026-11-20T09:30:00Z', '2026-11-20T10:30:00.000+01:00', '2026-11-20']) {
      expect(Event.safeParse({ ...event, created_at }).success).toBe(false);
    }
    expect(Event.safeParse({ ...event, id: event.inbox_id }).success).toBe(false);
  });
});

describe('realtime', () => {
  const connected = {
    event: 'connected',
    data: { workspace_id: Object(fixture('message.received')).workspace_id, cursor: null },
  };

  it('starts with a connected frame and goes on with events', () => {
    expect(ConnectedFrame.parse(connected)).toEqual(connected);
    expect(RealtimeFrame.parse(connected)).toEqual(connected);
    for (const kind of eventKinds) expect(RealtimeFrame.parse(fixture(kind))).toEqual(fixture(kind));
    expect(RealtimeFrame.safeParse({ event: 'pong' }).success).toBe(false);
  });

  it('takes events, inbox_id and after, and no other query', () => {
    const query = { events: 'message.received', inbox_id: 'inb_1', after: 'latest' };
    expect(RealtimeQuery.parse(query)).toEqual({ ...query, events: ['message.received'] });
    expect(RealtimeQuery.safeParse({ limit: '5' }).success).toBe(false);
  });

  it('closes with the codes of the interface page', () => {
    expect(Object.values(realtimeCloseCodes).map(({ code }) => code)).toEqual([4001, 4008, 4010]);
    expect(brand.realtime.subprotocol).toBe('postrider.v1');
  });
});

describe('deliveries', () => {
  it('may be pending with no attempt yet', () => {
    const delivery = {
      id: 'dlv_01m7yyvjvwe8jaq5v5nnd2z9vq',
      webhook_id: 'whk_01m7yyvjvwe8jaq5tvrew55wyb',
      event_id: Object(fixture('message.received')).id,
      event: 'message.received',
      status: 'pending',
      attempts: [],
      next_attempt_at: '2026-11-20T09:30:00.000Z',
      created_at: '2026-11-20T09:30:00.000Z',
    };
    expect(Delivery.parse(delivery)).toEqual(delivery);
  });
});
