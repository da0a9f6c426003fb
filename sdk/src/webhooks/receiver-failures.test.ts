import { expect, it } from 'vitest';
import { sampleEvent, signDelivery, testSecret } from '../testing.ts';
import {
  expressWebhook,
  fastifyWebhook,
  fetchWebhook,
  honoWebhook,
  unwrap,
  type WebhookOptions,
} from '../webhooks.ts';

const signed = await signDelivery(sampleEvent('message.received'));
const thrower = () => {
  throw new Error('full');
};

/** Posts to a webhook whose handler fails. Returns its response and what `onError` was given. */
async function post(options: WebhookOptions, body: BodyInit = signed.body) {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const webhook = fetchWebhook(thrower, { secret: testSecret, onError, ...options });
  const init = { method: 'POST', headers: signed.headers, body, duplex: 'half' };
  const answer = await webhook(new Request('http://agent.test/', init as RequestInit));
  return { status: answer.status, reason: (await answer.json()).reason, errors };
}

it('a body that breaks off is answered 400, and is not an error of the receiver', async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
  expect(await post({}, broken)).toEqual({ status: 400, reason: 'body_incomplete', errors: [] });
});

it('a receiver that does not find its secret says that it is missing', async () => {
  const lost = new Error('the vault is locked');
  const answer = await post({ secret: () => Promise.reject(lost) });
  expect(answer).toEqual({ status: 500, reason: 'missing_secret', errors: [lost] });
});

it('a receiver that cannot take note of an error answers all the same', async () => {
  for (const onError of [thrower, async () => thrower()]) {
    expect(await post({ onError })).toMatchObject({ status: 500, reason: 'handler_failed' });
    expect(await post({ onError, secret: thrower })).toMatchObject({ reason: 'missing_secret' });
  }
});

it.each(Object.entries({ expressWebhook, fastifyWebhook, fetchWebhook, honoWebhook }))(
  'an option that %s does not know is refused when it is made',
  (_name, adapter) => {
    const make = (options: object) => () => (adapter as typeof fetchWebhook)(thrower, options);
    expect(make({ Secret: testSecret })).toThrow('Did you mean secret?');
    expect(make({ tolerance: 10 })).toThrow('Did you mean toleranceSeconds?');
    expect(make({ ack: 'soon' })).toThrow("ack must be 'early' or 'late', not \"soon\".");
  },
);

it('an option that unwrap does not know is refused', async () => {
  const options = { requireTimestamps: true } as object;
  await expect(unwrap(signed.body, signed.headers, testSecret, options)).rejects.toThrow(
    'Did you mean requireTimestamp?',
  );
});
