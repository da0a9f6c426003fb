import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { makeEnvelope } from '@postrider/testkit/mail/made-envelope.ts';
import {
  failingDns,
  mailFrom,
  makeDns,
  sealMail,
  signedZone,
  signMail,
} from '@postrider/testkit/mail/signed-mail.ts';
import { makeTakingInbox } from '@postrider/testkit/servers/taking-inbox.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import type { InboxAddress } from '../inboxes/find-inbox.ts';
import type { DnsResolve } from '../mail/authenticate/ask-dns.ts';
import { createMailAuthenticator } from '../mail/authenticate/authenticate-mail.ts';
import { createMailParser } from '../mail/parse/parse-pool.ts';
import { newArrival } from './arrival.ts';
import { Intake } from './intake.ts';
import { receive } from './receive.ts';
import { createSpool } from './spool/spool-mail.ts';

let server: TestServer;
/** A busy machine must not keep signatures from being checked. */
const parser = createMailParser();
const intakes: Intake[] = [];

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
});
afterAll(async () => {
  await Promise.all(intakes.map((intake) => intake.close(5_000)));
  await Promise.all([server.stop(), parser.close()]);
});

const policies = makeDns({
  'TXT _dmarc.quarantine.example': ['v=DMARC1; p=quarantine'],
  'TXT _dmarc.trial.example': ['v=DMARC1; p=reject; pct=0'],
});
/** `broken.example` has a policy that cannot be asked for. */
const zone: DnsResolve = (name, type) =>
  name.includes('broken.example')
    ? failingDns('ESERVFAIL')(name, type)
    : policies(name, type).catch(() => signedZone(name, type));

function depsWith(dmarcReject: boolean, resolve = zone): Deps {
  const { deps } = server.server;
  const authenticator = createMailAuthenticator({
    resolve,
    parser,
    hostname: 'mx.postrider.test',
    timeoutMs: 300_000,
    trustedForwarders: ['other.example'],
  });
  return { ...deps, authenticator, config: { ...deps.config, dmarcReject } };
}

function intakeWith(dmarcReject: boolean, resolve = zone): Intake {
  const intake = new Intake(depsWith(dmarcReject, resolve));
  intakes.push(intake);
  return intake;
}

/** The SPF record of example.com names this address, and its policy is to reject mail from all others. */
const honest = '203.0.113.7';
const forger = '198.51.100.9';
let number = 0;

async function take(
  intake: Intake,
  from: string,
  inboxes: InboxAddress[],
  remoteAddress = forger,
  raw = mailFrom(from),
) {
  const recipients = inboxes.map((inbox) => ({ address: inbox.address, tag: inbox }));
  const arrival = newArrival({
    raw: Buffer.from(`X-Number: ${number++}\r\n${raw}`),
    client: { id: 'session', remoteAddress, helo: 'out.example' },
    envelopeFrom: from,
    recipients,
  });
  const { code, enhanced, text } = await receive(intake.deps, arrival, intake);
  return code === 250 ? 'taken' : `${code} ${enhanced} ${text}`;
}

const storedIn = async ({ inboxId }: InboxAddress) =>
  (
    await server.rows<{ dmarc: string }>(
      `select authentication->>'dmarc' as dmarc from messages where inbox_id = $1`,
      [inboxId],
    )
  ).map(({ dmarc }) => dmarc);
const refusal = '550 5.7.1 Mail fails DMARC, and the DMARC policy of example.com is reject';

test('mail that its author’s domain asks to reject is refused for all recipients, noted and not stored', async () => {
  const [one, two] = [await makeTakingInbox(server), await makeTakingInbox(server)];
  expect(await take(intakeWith(true), 'a@example.com', [one, two])).toBe(refusal);
  expect([await storedIn(one), await storedIn(two)]).toEqual([[], []]);
  const verdicts = () =>
    server.rows('select verdict, reply, message_id, rcpt_to from smtp_decisions where inbox_id = any($1)', [
      [one.inboxId, two.inboxId],
    ]);
  await eventually('the verdicts', async () => (await verdicts()).length === 2);
  const noted = { verdict: 'refused', reply: refusal, message_id: null };
  expect(await verdicts()).toEqual(
    expect.arrayContaining([one, two].map(({ address }) => ({ ...noted, rcpt_to: address }))),
  );
});

test('with the setting off the same mail is kept and marked', async () => {
  const inbox = await makeTakingInbox(server);
  expect(await take(intakeWith(false), 'a@example.com', [inbox])).toBe('taken');
  expect(await storedIn(inbox)).toEqual(['fail']);
});

test('mail of a domain that asks for less, or whose policy is not known for now, is kept and marked', async () => {
  const inbox = await makeTakingInbox(server);
  const intake = intakeWith(true);
  for (const domain of ['quarantine.example', 'trial.example', 'broken.example', 'unknown.example'])
    expect(await take(intake, `a@${domain}`, [inbox])).toBe('taken');
  expect(await storedIn(inbox)).toEqual(['fail', 'fail', 'temperror', 'none']);
});

test('mail that passes, mail that a trusted forwarder vouches for and mail from a private network are taken', async () => {
  const inbox = await makeTakingInbox(server);
  const intake = intakeWith(true);
  const changed = (await signMail(mailFrom('a@example.com'), 'example.com')).replace(
    'body\r\n',
    'body, and more\r\n',
  );
  const sealed = await sealMail(
    changed,
    'other.example',
    'other.example; dmarc=pass header.from=example.com',
  );
  expect(await take(intake, 'a@example.com', [inbox], honest)).toBe('taken');
  expect(await take(intake, 'a@example.com', [inbox], '10.0.0.7', changed)).toBe('taken');
  // The number is above the seal, which does not cover it.
  expect(await take(intake, 'a@example.com', [inbox], forger, sealed)).toBe('taken');
  expect(await take(intake, 'a@example.com', [inbox], forger, changed)).toBe(refusal);
  expect((await storedIn(inbox)).sort()).toEqual(['fail', 'pass', 'pass']);
});

test('however fast mail arrives, no forged one is acknowledged, and every honest one is stored once', async () => {
  const inbox = await makeTakingInbox(server);
  const intake = intakeWith(true);
  const rounds = Array.from({ length: 40 });
  const answers = await Promise.all(
    rounds.flatMap(() => [
      take(intake, 'a@example.com', [inbox]),
      take(intake, 'a@example.com', [inbox], honest),
    ]),
  );
  expect(answers).toEqual(rounds.flatMap(() => [refusal, 'taken']));
  expect(await storedIn(inbox)).toEqual(rounds.map(() => 'pass'));
});

test('mail that was acknowledged before the setting was turned on is kept and marked', async () => {
  const inbox = await makeTakingInbox(server);
  const deps = depsWith(true);
  const raw = Buffer.from(mailFrom('a@example.com'));
  const envelope = { ...makeEnvelope(inbox, raw, 'a@example.com'), remote_address: forger };
  expect(await createSpool(deps)({ envelope, raw })).toBe(true);
  intakeWith(true);
  await server.filed();
  expect(await storedIn(inbox)).toEqual(['fail']);
});

test('a mail that a rule blocks too is refused to each recipient with its own reason', async () => {
  const blocking = { ...(await makeTakingInbox(server)), hasInboundRules: true };
  await server.client.rules.create({ kind: 'block', direction: 'inbound', pattern: 'example.com' });
  const owner = await server.workspace();
  const other = await makeTakingInbox({ ...server, inbox: () => server.inbox(owner) });
  const intake = intakeWith(true);
  expect(await take(intake, 'a@example.com', [blocking, other])).toBe(refusal);
  const replies = async ({ inboxId }: InboxAddress) =>
    server.rows('select verdict, reply from smtp_decisions where inbox_id = $1', [inboxId]);
  await eventually('the verdict', async () => (await replies(other)).length === 1);
  const blocked = '550 5.7.1 Recipient does not accept mail from this sender';
  expect(await replies(blocking)).toEqual([{ verdict: 'refused', reply: blocked }]);
  expect(await replies(other)).toEqual([{ verdict: 'refused', reply: refusal }]);
});
