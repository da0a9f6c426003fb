import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newId } from '../lib/ids.ts';
import { makeSecret, signDelivery, signingKeys } from './sign-delivery.ts';

interface Vector {
  name: string;
  secret: string;
  previous_secret?: string;
  body: string;
  headers: Record<string, string>;
}

const file = new URL('../../../contract/fixtures/signature-vectors.json', import.meta.url);
const { deliveries } = JSON.parse(readFileSync(file, 'utf8')) as { deliveries: Vector[] };

describe('the headers of a delivery', () => {
  test.each(deliveries)('are those of the shared vector: $name', (vector) => {
    const signed = signDelivery(signingKeys(vector.secret, vector.previous_secret ?? null), {
      eventId: vector.headers['webhook-id'] ?? '',
      kind: vector.headers['x-postrider-event'] ?? '',
      body: Buffer.from(vector.body),
      at: new Date(Number(vector.headers['webhook-timestamp']) * 1_000 + 999),
    });
    expect(signed).toEqual(vector.headers);
  });

  test('are accepted by a stock verifier, by the old secret as well as by the new one', () => {
    const [current, previous, other] = [makeSecret(), makeSecret(), makeSecret()];
    const body = Buffer.from('{"text":"grüße"}');
    const eventId = newId('evt');
    const headers = signDelivery(signingKeys(current, previous), {
      eventId,
      kind: 'message.received',
      body,
      at: new Date(),
    });
    for (const secret of [current, previous])
      expect(new Webhook(secret).verify(body, headers)).toEqual({ text: 'grüße' });
    expect(() => new Webhook(other).verify(body, headers)).toThrow();
    expect(() => new Webhook(current).verify('{"text":"grüsse"}', headers)).toThrow();
  });
});
