import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalSes, startLocalSes } from '@postrider/testkit/servers/local-ses.ts';
import { makeJob } from '@postrider/testkit/smtp/transport-run.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSesTransport, type SesTransportSettings } from './ses-transport.ts';
import type { Transport, TransportJob } from './transport.ts';

let ses: LocalSes;
let transport: Transport;
const opened: Transport[] = [];

function open(change: Partial<SesTransportSettings> = {}): Transport {
  const made = createSesTransport({
    region: 'eu-west-1',
    endpoint: ses.url,
    configurationSet: 'mail',
    silentMs: 300_000,
    closeGraceMs: 300_000,
    ...change,
  });
  opened.push(made);
  return made;
}

beforeEach(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'AKIDEXAMPLE';
  process.env.AWS_SECRET_ACCESS_KEY = 'secret';
  ses = await startLocalSes();
  transport = open();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close(0)));
  await ses.close();
});

const ada = 'ada@remote.example';
const names = { workspaceId: 'wsp_01abc', messageId: 'msg_01def', position: 2 };
const submit = (change: Partial<TransportJob> = {}, recipient = ada) =>
  transport.submit(makeJob(recipient, { names, ...change }));
const error = (status: number, code: string, message = 'No') => ({
  kind: 'error' as const,
  status,
  code,
  message,
});
/** Lets SES answer for no message until the function that it returns is called. */
function hold(): () => void {
  let release = () => {};
  ses.held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return release;
}
const sends = () => ses.requests.filter(({ path }) => path === '/v2/email/outbound-emails');

describe('a message for Amazon SES', () => {
  it('goes to the one recipient of the envelope, with the names of the message, and is sent', async () => {
    const raw = Buffer.from(
      'From: =?utf-8?Q?Ag=C3=A9nt?=\r\n <agent@sender.test>\r\nTo: other@remote.example\r\nMessage-ID: <one@sender.test>\r\n\r\nHello.\r\n',
    );
    const outcome = await submit({ raw });
    const [message] = ses.messages;
    expect(outcome).toEqual({
      kind: 'accepted',
      providerMessageId: message?.id,
      detail: null,
      final: false,
      messageIds: [`<${message?.id}@eu-west-1.amazonses.com>`, `<${message?.id}@email.amazonses.com>`],
    });
    expect(message).toMatchObject({
      to: [ada],
      from: '=?utf-8?Q?Ag=C3=A9nt?= <agent@sender.test>',
      configurationSet: 'mail',
      tags: { workspace: 'wsp_01abc', message: 'msg_01def', recipient: '2' },
    });
    expect(message?.raw.toString()).toBe(raw.toString());
  });

  it('is one signed request with all of it in the body', async () => {
    await submit();
    const [request] = sends();
    expect(request?.method).toBe('POST');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/ses\/aws4_request, SignedHeaders=[^,]*host[^,]*, Signature=[0-9a-f]{64}$/,
      ),
      'content-length': expect.stringMatching(/^\d+$/),
    });
    expect(Object.keys(request?.body ?? {}).sort()).toEqual([
      'ConfigurationSetName',
      'Content',
      'Destination',
      'EmailTags',
      'FromEmailAddress',
    ]);
    expect(request?.body.Destination).toEqual({ ToAddresses: [ada] });
  });

  it('of ten megabytes arrives byte for byte', async () => {
    const body = Buffer.alloc(10_000_000, `${'x'.repeat(70)}\r\n`);
    const head = 'From: a@sender.test\r\nMessage-ID: <big@sender.test>\r\n\r\n';
    const raw = Buffer.concat([Buffer.from(head), body]);
    expect(await submit({ raw })).toMatchObject({ kind: 'accepted' });
    expect(ses.messages[0]?.raw.equals(raw)).toBe(true);
  });

  it('has the domain of its recipient as A-labels, and none with other letters before the at sign', async () => {
    await submit({}, 'ada@bücher.example');
    expect(ses.messages[0]?.to).toEqual(['ada@xn--bcher-kva.example']);
    expect(await submit({}, 'adä@remote.example')).toMatchObject({ kind: 'rejected', scope: 'message' });
    expect(ses.messages).toHaveLength(1);
  });
});

describe('the handover', () => {
  it('is awaited on an open connection before anything is sent', async () => {
    let seen = -1;
    const onHandover = async () => {
      await sleep(50);
      seen = sends().length;
    };
    await submit({ onHandover });
    expect(seen).toBe(0);
    expect(ses.messages).toHaveLength(1);
  });

  it('that is refused sends nothing and rejects with the same error', async () => {
    const refused = new Error('The message was not stored.');
    await expect(submit({ onHandover: () => Promise.reject(refused) })).rejects.toBe(refused);
    expect(sends()).toEqual([]);
  });

  it('does not take place if SES cannot be reached, and the message is deferred', async () => {
    let handovers = 0;
    transport = open({ endpoint: 'http://127.0.0.1:1' });
    const onHandover = async () => {
      handovers += 1;
    };
    expect(await submit({ onHandover })).toMatchObject({ kind: 'deferred', cause: 'relay' });
    expect(handovers).toBe(0);
  });

  it('during which the attempt is cut sends nothing', async () => {
    const cut = new AbortController();
    const onHandover = async () => cut.abort();
    expect(await submit({ onHandover, signal: cut.signal })).toMatchObject({
      kind: 'deferred',
      cause: 'relay',
    });
    await sleep(50);
    expect(sends()).toEqual([]);
  });
});

describe('a call without a certain answer', () => {
  it.each([
    { kind: 'drop-late' as const },
    { kind: 'hang' as const },
    { kind: 'page' as const, status: 502 },
  ])('is unconfirmed and not repeated: %o', async (trouble) => {
    if (trouble.kind === 'hang') transport = open({ silentMs: 10_000 });
    ses.trouble(trouble);
    expect(await submit()).toMatchObject({ kind: 'unconfirmed' });
    await expect.poll(() => sends().length).toBeGreaterThan(0);
    await sleep(100);
    expect(sends()).toHaveLength(1);
  });

  it.each([
    [500, 'InternalServiceErrorException'],
    [500, 'InternalFailure'],
    [503, 'Unknown'],
    [504, 'GatewayTimeout'],
  ])('is unconfirmed after %d %s', async (status, code) => {
    ses.trouble(error(status, code));
    expect(await submit()).toMatchObject({ kind: 'unconfirmed' });
    expect(sends()).toHaveLength(1);
  });

  it('is deferred if the connection was lost before the end of the message could leave', async () => {
    ses.trouble({ kind: 'drop-early' });
    const raw = Buffer.alloc(20_000_000, 'x');
    expect(await submit({ raw })).toMatchObject({ kind: 'deferred', cause: 'relay' });
  });
});

describe('a refusal of SES', () => {
  const second = 1_000;
  const minute = 60 * second;

  it.each([
    [429, 'TooManyRequestsException', 'Too Many Requests', 2 * second, /this second/],
    [400, 'ThrottlingException', 'Maximum sending rate exceeded.', 2 * second, /this second/],
    [400, 'ThrottlingException', 'Daily message quota exceeded.', 15 * minute, /24-hour quota/],
    [400, 'LimitExceededException', 'No', 15 * minute, /24-hour quota/],
    [400, 'SendingPausedException', 'No', 15 * minute, /paused sending/],
    [400, 'AccountSuspendedException', 'No', 60 * minute, /permanently restricted/],
    [400, 'MailFromDomainNotVerifiedException', 'No', 15 * minute, /MX and SPF/],
    [404, 'NotFoundException', 'Configuration set <x> does not exist.', 15 * minute, /CONFIGURATION_SET/],
    [
      403,
      'ExpiredTokenException',
      'The security token included in the request is expired',
      5 * minute,
      /expired/,
    ],
    [403, 'UnrecognizedClientException', 'The security token is invalid.', 5 * minute, /does not accept/],
    [403, 'InvalidSignatureException', 'Signature expired: 20260101T000000Z is now', 5 * minute, /clock/],
    [403, 'RequestTimeTooSkewed', 'No', 5 * minute, /clock/],
    [503, 'ServiceUnavailable', 'No', minute, /overloaded/],
  ])('%d %s (%s) is a deferral', async (status, code, message, retryAfterMs, detail) => {
    ses.trouble(error(status, code, message));
    expect(await submit()).toMatchObject({ kind: 'deferred', cause: 'relay', retryAfterMs });
    ses.trouble(error(status, code, message));
    expect(await submit()).toMatchObject({ detail: expect.stringMatching(detail) });
    expect(sends()).toHaveLength(2);
  });

  it('for missing rights names the right and not the account', async () => {
    const message = 'User: arn:aws:iam::123456789012:user/mailer is not authorized to perform: ses:SendEmail';
    ses.trouble(error(403, 'AccessDeniedException', message));
    const outcome = await submit();
    expect(outcome).toMatchObject({ kind: 'deferred', detail: expect.stringContaining('ses:SendEmail') });
    expect(JSON.stringify(outcome)).not.toContain('123456789012');
  });

  it.each([
    [400, 'BadRequestException', 'Missing final @domain'],
    [400, 'MessageRejected', 'Invalid content'],
  ])('%d %s is about the message, which is not sent again', async (status, code, message) => {
    ses.trouble(error(status, code, message));
    expect(await submit()).toMatchObject({
      kind: 'rejected',
      scope: 'message',
      detail: `Amazon SES: ${message}`,
    });
  });

  it('in the sandbox says that the recipient has to be verified, or production access requested', async () => {
    ses.account.sandbox = true;
    ses.account.verified = ['sender.test'];
    expect(await submit()).toMatchObject({ kind: 'deferred', detail: expect.stringContaining('sandbox') });
    ses.account.verified = ['elsewhere.test', 'remote.example'];
    expect(await submit()).toMatchObject({
      kind: 'deferred',
      detail: expect.stringContaining('of the sender'),
    });
    ses.account.verified = ['sender.test', 'remote.example'];
    expect(await submit()).toMatchObject({ kind: 'accepted' });
  });
});

describe('the pace', () => {
  it('is that of the account after the burst of a second, and at most so many are under way', async () => {
    ses.account.maxSendRate = 20;
    ses.delayMs = 30;
    transport = open({ atOnceMax: 4, keptForOthers: 1 });
    const begun = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, n) => submit({}, `n${n}@remote.example`)),
    );
    expect(outcomes.every(({ kind }) => kind === 'accepted')).toBe(true);
    expect(performance.now() - begun).toBeGreaterThan(450);
    expect(ses.underway.most).toBeLessThanOrEqual(3);
    expect(ses.requests.filter(({ path }) => path === '/v2/email/account')).toHaveLength(1);
  });

  it('does not let one workspace hold up another', async () => {
    ses.account.maxSendRate = 10;
    const order: string[] = [];
    const inTurn = (workspaceId: string, user: string) =>
      submit(
        { names: { ...names, workspaceId }, onHandover: async () => void order.push(user) },
        `${user}@remote.example`,
      );
    const many = Array.from({ length: 20 }, (_, n) => inTurn('wsp_many', `n${n}`));
    await Promise.all([...many, inTurn('wsp_other', 'other')]);
    expect(order.indexOf('other')).toBeLessThan(18);
  });

  it('lets few messages wait, of one workspace fewer, and says when to try the others again', async () => {
    ses.account.maxSendRate = 2;
    const release = hold();
    transport = open({ atOnceMax: 1, keptForOthers: 0, waitingMax: 3, waitingOfOwnerMax: 2 });
    const of = (workspaceId: string, user: string) =>
      submit({ names: { ...names, workspaceId } }, `${user}@remote.example`);
    const kept = ['a', 'b', 'c'].map((user) => of('wsp_one', user));
    while (sends().length === 0) await sleep(5);
    const full = { kind: 'deferred', cause: 'relay', detail: expect.stringContaining('are waiting') };
    expect(await of('wsp_one', 'd')).toMatchObject({ ...full, retryAfterMs: 1_000 });
    kept.push(of('wsp_two', 'e'));
    expect(await of('wsp_three', 'f')).toMatchObject({ ...full, retryAfterMs: 1_500 });
    release();
    for (const outcome of await Promise.all(kept)) expect(outcome).toMatchObject({ kind: 'accepted' });
    expect(await of('wsp_one', 'd')).toMatchObject({ kind: 'accepted' });
    expect(ses.messages).toHaveLength(5);
  });

  it('is unknown and messages go all the same if the account may not be read', async () => {
    const refused = ses.account;
    Object.defineProperty(ses, 'account', {
      get: () => {
        throw new Error('no account');
      },
    });
    expect(await transport.check()).toMatchObject({ ok: false });
    Object.defineProperty(ses, 'account', { value: refused });
    expect(await submit()).toMatchObject({ kind: 'accepted' });
  });
});

describe('a check', () => {
  it('names the quotas', async () => {
    expect(await transport.check()).toEqual({
      ok: true,
      detail: 'ready, 1000 messages a second, 0 of 50000 in 24 hours.',
    });
  });

  it('is not passed in the sandbox, while sending is paused, or with the quota used up', async () => {
    ses.account.sandbox = true;
    expect(await transport.check()).toMatchObject({
      ok: false,
      detail: expect.stringContaining('production'),
    });
    ses.account.sendingEnabled = false;
    expect(await transport.check()).toMatchObject({ ok: false, detail: expect.stringContaining('paused') });
    ses.account.sendingEnabled = true;
    ses.account.max24Hour = 0;
    expect(await transport.check()).toMatchObject({ ok: false, detail: expect.stringContaining('used up') });
  });
});

describe('closing', () => {
  it('lets what is under way end, and refuses and defers the rest', async () => {
    const release = hold();
    const underway = submit();
    await expect.poll(() => sends().length).toBe(1);
    const closed = transport.close(300_000);
    expect(await submit({}, 'late@remote.example')).toMatchObject({ kind: 'deferred' });
    release();
    expect(await underway).toMatchObject({ kind: 'accepted' });
    await closed;
  });

  it('cuts what takes longer, which is then unconfirmed', async () => {
    ses.trouble({ kind: 'hang' });
    transport = open({ silentMs: 60_000 });
    const underway = submit();
    while (ses.messages.length === 0) await sleep(5);
    await transport.close(50);
    expect(await underway).toMatchObject({ kind: 'unconfirmed' });
  });
});
