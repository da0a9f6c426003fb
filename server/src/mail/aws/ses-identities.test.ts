import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { type LocalSes, startLocalSes } from '@postrider/testkit/servers/local-ses.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSesIdentities, type SesIdentities } from './ses-identities.ts';

let ses: LocalSes;
let identities: SesIdentities;
const makeKey = (modulusLength = 2048) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
const { privateKey: privateKeyPem, publicKey } = makeKey();

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
  ses = await startLocalSes();
  identities = createSesIdentities({ region: 'eu-west-1', endpoint: ses.url });
});
afterAll(() => ses.close());
beforeEach(() => {
  ses.identities.clear();
  ses.requests.length = 0;
});

const input = {
  hostname: 'mail.example.com',
  selector: 'pr1',
  privateKeyPem,
  mailFromDomain: 'bounce.mail.example.com',
  configurationSet: 'mail',
};
const calls = () => ses.requests.map(({ method, path }) => `${method} ${path.replace('/v2/email', '')}`);

describe('a domain at SES', () => {
  it('is created with our key, without the lines around it, and with its MAIL FROM domain', async () => {
    const state = await identities.ensure(input);
    expect(calls()).toEqual([
      'GET /identities/mail.example.com',
      'POST /identities',
      'PUT /identities/mail.example.com/mail-from',
      'GET /identities/mail.example.com',
    ]);
    expect(ses.requests[1]?.body).toEqual({
      EmailIdentity: 'mail.example.com',
      DkimSigningAttributes: {
        DomainSigningSelector: 'pr1',
        DomainSigningPrivateKey: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
      },
      ConfigurationSetName: 'mail',
    });
    const key = ses.identities.get('mail.example.com')?.privateKey ?? '';
    const der = { key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' } as const;
    expect(createPublicKey(createPrivateKey(der)).export({ type: 'spki', format: 'pem' })).toBe(publicKey);
    expect(ses.requests[2]?.body).toEqual({
      MailFromDomain: 'bounce.mail.example.com',
      BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
    });
    expect(state).toEqual({
      dkimStatus: 'PENDING',
      mailFromStatus: 'PENDING',
      verifiedForSending: false,
      detail: 'Amazon SES has not verified the DKIM key yet.',
    });
  });

  it('that exists keeps its key under the same selector, and gets another under another', async () => {
    await identities.ensure(input);
    ses.requests.length = 0;
    await identities.ensure(input);
    expect(calls().filter((call) => call.includes('dkim'))).toEqual([]);
    await identities.ensure({ ...input, selector: 'pr2', privateKeyPem: makeKey().privateKey });
    const put = ses.requests.find(({ path }) => path.endsWith('/dkim/signing'));
    expect(put?.body).toMatchObject({
      SigningAttributesOrigin: 'EXTERNAL',
      SigningAttributes: { DomainSigningSelector: 'pr2' },
    });
    expect(ses.identities.get('mail.example.com')?.selector).toBe('pr2');
  });

  it('is made by one of two calls at once, and both end well', async () => {
    const states = await Promise.all([identities.ensure(input), identities.ensure(input)]);
    expect(states.map(({ dkimStatus }) => dkimStatus)).toEqual(['PENDING', 'PENDING']);
  });

  it('is forgotten, also if it is not known, and is then null', async () => {
    await identities.ensure(input);
    await identities.remove(input.hostname, 'another');
    expect(await identities.read(input.hostname)).not.toBeNull();
    await identities.remove(input.hostname, input.selector);
    await identities.remove(input.hostname, input.selector);
    expect(await identities.read(input.hostname)).toBeNull();
  });
});

describe('an error', () => {
  it.each([
    ['a key that is too long', makeKey(3072).privateKey],
    [
      'a key of another kind',
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ],
    ['no key', '-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----'],
  ])('says that SES does not take %s, before any call', async (_what, pem) => {
    await expect(identities.ensure({ ...input, privateKeyPem: pem })).rejects.toThrow(
      /RSA keys|not a private key/,
    );
    expect(ses.requests).toEqual([]);
  });

  it('is one sentence without the key, also if SES cannot be reached', async () => {
    const away = createSesIdentities({ region: 'eu-west-1', endpoint: 'http://127.0.0.1:1' });
    const error = await away.ensure(input).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'SesIdentityError', message: 'Amazon SES could not be reached.' });
    expect(error).not.toHaveProperty('cause');
  });
});

it('the account has its quotas, and whether it is in the sandbox', async () => {
  expect(await identities.account()).toEqual({
    sandbox: false,
    sendingEnabled: true,
    maxSendRate: 1_000,
    max24Hour: 50_000,
    sentLast24Hours: 0,
  });
});
