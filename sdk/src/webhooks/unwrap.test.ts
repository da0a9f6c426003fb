import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import vectors from '../../../contract/fixtures/signature-vectors.json' with { type: 'json' };
import { Postrider, PostriderError } from '../index.ts';
import { sampleEvent, signDelivery, testSecret } from '../testing.ts';
import { type DeliveryHeaders, type RawBody, unwrap, WebhookVerificationError } from '../webhooks.ts';

const event = sampleEvent('message.received', { message: { subject: 'Grüße 🙂' } });
const { body, headers } = await signDelivery(event);
const standardNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const plainOnly = Object.fromEntries(
  Object.entries(headers).filter(([name]) => !standardNames.includes(name)),
);
const otherSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

afterEach(() => vi.unstubAllEnvs());

const refusalReason = (...call: Parameters<typeof unwrap>): Promise<string> =>
  unwrap(...call).then(
    () => 'verified',
    (error: unknown) => {
      expect(error).toBeInstanceOf(WebhookVerificationError);
      expect(error).toBeInstanceOf(PostriderError);
      return (error as WebhookVerificationError).reason;
    },
  );
const reason = (raw: unknown, all: DeliveryHeaders = headers, secret = testSecret) =>
  refusalReason(raw as RawBody, all, secret);
const plainReason = (raw: unknown, all: DeliveryHeaders, secret = testSecret) =>
  refusalReason(raw as RawBody, all, secret, { dangerouslyAllowReplays: true });

describe('the vectors that the server signs by', () => {
  it.each(vectors.deliveries)('$name: is verified by either secret and in either scheme', async (vector) => {
    const { secret, body: text, headers: all } = vector;
    const now = new Date(Number(all['webhook-timestamp']) * 1000);
    const parsed = JSON.parse(text);
    expect(await unwrap(text, all, secret, { now })).toEqual(parsed);
    const previous = 'previous_secret' in vector ? vector.previous_secret : secret;
    expect(await unwrap(Buffer.from(text), all, previous, { now })).toEqual(parsed);
    const plain = { 'x-postrider-signature': all['x-postrider-signature'] };
    expect(await unwrap(text, plain, secret, { dangerouslyAllowReplays: true })).toEqual(parsed);
    expect(await refusalReason(`${text} `, all, secret, { now })).toBe('signature_mismatch');
    expect(await refusalReason(`${text} `, plain, secret, { dangerouslyAllowReplays: true })).toBe(
      'signature_mismatch',
    );
  });

  it('are made by signDelivery too', async () => {
    for (const { secret, body: text, headers: all, ...rest } of vectors.deliveries) {
      if ('previous_secret' in rest) continue;
      const timestamp = new Date(Number(all['webhook-timestamp']) * 1000);
      const signed = await signDelivery(text, secret, { timestamp });
      expect(signed).toEqual({ body: text, headers: { 'content-type': 'application/json', ...all } });
    }
  });
});

describe('what is given', () => {
  it.each<[string, RawBody]>([
    ['a text', body],
    ['a Buffer', Buffer.from(body)],
    ['a part of a larger Uint8Array', new TextEncoder().encode(`xx${body}yy`).subarray(2, -2)],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
  ])('may be %s', async (_what, raw) => {
    expect(await unwrap(raw, headers, testSecret)).toEqual(event);
  });

  it('may have its headers in any form and case', async () => {
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    const forms = [
      new Headers(headers),
      new Map(Object.entries(headers)),
      Object.entries(headers),
      upper,
      lists,
    ];
    for (const form of forms as DeliveryHeaders[]) {
      expect(await unwrap(body, form, testSecret)).toEqual(event);
    }
  });

  it('is verified by the secret of the client, of the call or of the environment', async () => {
    const client = (webhookSecret?: string) => new Postrider({ apiKey: 'pr_test_key', webhookSecret });
    expect(await client(testSecret).webhooks.unwrap(body, headers)).toEqual(event);
    expect(await client(otherSecret).webhooks.unwrap(body, headers, testSecret)).toEqual(event);
    await expect(client(otherSecret).webhooks.unwrap(body, headers)).rejects.toThrow(
      WebhookVerificationError,
    );
    vi.stubEnv('POSTRIDER_WEBHOOK_SECRET', testSecret);
    expect(await client().webhooks.unwrap(body, headers)).toEqual(event);
    expect(await unwrap(body, headers)).toEqual(event);
  });

  it('may be an event of a kind that this version does not know', async () => {
    const future = { ...event, event: 'message.opened' };
    const signed = await signDelivery(future);
    expect(await unwrap(signed.body, signed.headers, testSecret)).toEqual(future);
  });
});

describe('the signatures of Standard Webhooks', () => {
  const { 'webhook-signature': signature = '' } = headers;

  it('may be several, of which one is right, among versions that are not known', async () => {
    const others = `v1a,${signature.slice(3)} v1,AAAA v1,!! nonsense`;
    const all = { ...headers, 'webhook-signature': `${others} ${signature}` };
    expect(await unwrap(body, all, testSecret)).toEqual(event);
    expect(await reason(body, { ...headers, 'webhook-signature': others })).toBe('signature_mismatch');
  });

  it('go before the plain one, which does not stand in for them', async () => {
    expect(await reason(body, { ...headers, 'webhook-signature': 'v1,AAAA' })).toBe('signature_mismatch');
    const wrongPlain = { ...headers, 'x-postrider-signature': 'sha256=00' };
    expect(await reason(body, wrongPlain)).toBe('verified');
  });

  it('cover the id, the time and each byte of the body', async () => {
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(await reason(body, { ...headers, 'webhook-id': 'evt_other' })).toBe('signature_mismatch');
    expect(await reason(body, { ...headers, 'webhook-timestamp': later })).toBe('signature_mismatch');
    expect(await reason(body.replace('"event":', '"event": '))).toBe('signature_mismatch');
    expect(await reason(body, headers, otherSecret)).toBe('signature_mismatch');
  });

  it.each([
    [301, 'timestamp_too_old'],
    [299, 'verified'],
    [-299, 'verified'],
    [-301, 'timestamp_too_new'],
  ])('that are %i s old: %s', async (ageSeconds, expected) => {
    const now = new Date(Number(headers['webhook-timestamp']) * 1000 + ageSeconds * 1000);
    expect(await refusalReason(body, headers, testSecret, { now })).toBe(expected);
    const wide = { now, toleranceSeconds: 400 };
    expect(await refusalReason(body, headers, testSecret, wide)).toBe('verified');
  });
});

describe('the plain signature', () => {
  it('is not enough, since whoever recorded a delivery could remove the signed time and post it again', async () => {
    const old = await signDelivery(event, testSecret, { timestamp: new Date(Date.now() - 30 * 86_400_000) });
    const remaining = Object.entries(old.headers).filter(([name]) => !standardNames.includes(name));
    expect(await reason(old.body, old.headers)).toBe('timestamp_too_old');
    for (let removed = 1; removed < 8; removed++) {
      const stripped = Object.entries(old.headers).filter(
        ([name]) => !standardNames.some((one, index) => one === name && removed & (1 << index)),
      );
      expect(['missing_header', 'timestamp_too_old']).toContain(await reason(old.body, stripped));
    }
    const error = await unwrap(old.body, remaining, testSecret).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'missing_header' });
    expect(String(error)).toContain('x-postrider-signature alone does not prove when');
  });

  it('is enough only where replays are allowed, by either name of the option', async () => {
    expect(await unwrap(body, plainOnly, testSecret, { dangerouslyAllowReplays: true })).toEqual(event);
    expect(await unwrap(body, plainOnly, testSecret, { requireTimestamp: false })).toEqual(event);
    for (const options of [{}, { requireTimestamp: true }, { dangerouslyAllowReplays: false }])
      expect(await refusalReason(body, plainOnly, testSecret, options)).toBe('missing_header');
  });

  it('is not allowed by a value that only looks like one', async () => {
    for (const options of [
      { dangerouslyAllowReplays: 'false' },
      { requireTimestamp: null },
      { requireTimestamp: 0 },
    ])
      expect(await refusalReason(body, plainOnly, testSecret, options as object)).toBe('missing_header');
  });

  it('is keyed with the secret as it is written, whatever it looks like', async () => {
    const secret = 'not base64 – at all';
    const hex = createHmac('sha256', secret).update(body).digest('hex');
    expect(await plainReason(body, { 'x-postrider-signature': `sha256=${hex}` }, secret)).toBe('verified');
    for (const text of [hex, `sha256=${hex.toUpperCase()}`, `sha1=${hex}`, 'sha256=', 'sha256=0']) {
      expect([text, await plainReason(body, { 'x-postrider-signature': text }, secret)]).toEqual([
        text,
        'malformed_header',
      ]);
    }
    expect(await plainReason(body, { 'x-postrider-signature': 'sha256=00' }, secret)).toBe(
      'signature_mismatch',
    );
  });
});

describe('what is no delivery', () => {
  it.each(standardNames)('without %s says so', async (name) => {
    const { [name]: _, ...rest } = headers;
    const error = await unwrap(body, rest, testSecret).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'missing_header', name: 'WebhookVerificationError' });
    expect(String(error)).toContain(`The request has no ${name}`);
  });

  it('without any header, or with malformed ones, says so', async () => {
    expect(await reason(body, {})).toBe('missing_header');
    expect(await reason(body, null as unknown as DeliveryHeaders)).toBe('missing_header');
    for (const timestamp of ['soon', '1e9', '-1', '1.5', '9'.repeat(20)]) {
      expect(await reason(body, { ...headers, 'webhook-timestamp': timestamp })).toBe('malformed_header');
    }
    for (const signature of ['nonsense', 'v2,AAAA', 'v1,', 'v1,%%%']) {
      expect([signature, await reason(body, { ...headers, 'webhook-signature': signature })]).not.toContain(
        'verified',
      );
    }
    expect(await reason(body, { ...headers, 'webhook-signature': ['v1,AAAA', 'v1,BBBB'] })).not.toBe(
      'verified',
    );
  });

  it('with a body that was parsed says what to do', async () => {
    for (const parsed of [event, JSON.parse(body), [event], null, undefined, 17]) {
      expect(await reason(parsed)).toBe('parsed_body');
    }
    await expect(unwrap(event as unknown as string, headers, testSecret)).rejects.toThrow(
      'mount the webhook before express.json()',
    );
  });

  it('with a body that is signed and no event says so', async () => {
    for (const text of ['', 'no json', '[]', 'null', '"message.received"', '{}']) {
      const hex = createHmac('sha256', testSecret).update(text).digest('hex');
      expect(await plainReason(text, { 'x-postrider-signature': `sha256=${hex}` })).toBe('malformed_body');
    }
    const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
    const hex = createHmac('sha256', testSecret).update(bytes).digest('hex');
    expect(await plainReason(bytes, { 'x-postrider-signature': `sha256=${hex}` })).toBe('malformed_body');
  });

  it('without a secret, or with one that is none, says so and shows nothing of it', async () => {
    vi.stubEnv('POSTRIDER_WEBHOOK_SECRET', '');
    expect(await refusalReason(body, headers)).toBe('missing_secret');
    expect(await reason(body, headers, '')).toBe('missing_secret');
    for (const secret of ['whsec_', 'whsec_%%secret%%']) {
      const error = await unwrap(body, headers, secret).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ reason: 'malformed_secret' });
      expect(String(error)).not.toContain('%%secret%%');
    }
  });
});
