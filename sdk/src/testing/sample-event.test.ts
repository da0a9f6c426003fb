import { Event, eventKinds } from '@postrider/contract';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { sampleEvent } from '../testing.ts';

describe('a sample event', () => {
  it.each(eventKinds)('%s is what the contract says', (kind) => {
    expect(Event.parse(sampleEvent(kind))).toEqual(sampleEvent(kind));
    expect(sampleEvent(kind).event).toBe(kind);
  });

  it('has the fields that a test sets, and the type of its kind', () => {
    const event = sampleEvent('message.bounced', {
      recipient: 'gone@example.com',
      message: { subject: 'Hello' },
    });
    expectTypeOf(event.bounce.type).toEqualTypeOf<'hard' | 'soft'>();
    expect(event).toMatchObject({ recipient: 'gone@example.com', message: { subject: 'Hello' } });
    expect(Event.parse(event)).toEqual(event);
  });

  it('may be one of an inbox that is deleted', () => {
    expect(sampleEvent('message.received', { message: null }).message).toBeNull();
  });

  it('is a new one each time', () => {
    sampleEvent('message.received').message?.to_addrs.push('changed@example.com');
    expect(sampleEvent('message.received').message?.to_addrs).toEqual(['support@postrider.test']);
  });
});
