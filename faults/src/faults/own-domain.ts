import { randomBytes } from 'node:crypto';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import type { DnsRecord, Domain } from 'postrider';
import type { Fault } from '../fault.ts';
import { type Knot, startKnot } from '../mail/knot.ts';
import { openSubject } from '../subject.ts';
import type { Trial } from '../trial.ts';

const mailDomain = 'mail.host.example';
const zone = 'acme.example';
const names = {
  wrong: 'steps after which a domain or record had another status than expected',
  silent: 'records that were not verified and did not say what was found, where and when',
  subdomain: 'dedicated subdomains that were not verified by themselves',
};

export const ownDomain: Fault = {
  name: 'own-domain',
  about:
    'domains are published in Knot DNS record by record, broken, mended and ramped to reject; dedicated subdomains are published by RFC 2136',
  times: { postgres: 5, own: 2 },
  control: {
    about: 'the owner publishes values that differ in their last character',
    breaks: [names.wrong],
    times: 1,
  },
  run: async (trial) => {
    const tsig = { name: 'mail.key', secret: randomBytes(32).toString('base64') };
    const knot = await startKnot({ zones: [zone, mailDomain], tsig });
    const subject = await openSubject(trial, {
      env: {
        POSTRIDER_DNS: knot.address,
        POSTRIDER_DNS_UPDATE: `rfc2136://${tsig.name}:${encodeURIComponent(tsig.secret)}@${knot.address}`,
        POSTRIDER_MAIL_DOMAIN: mailDomain,
        POSTRIDER_SMTP_HOSTNAME: 'mx.host.example',
      },
    });
    try {
      const server = await subject.home.start();
      await goThrough(trial, server, knot);
      await server.stop();
    } finally {
      await subject.close();
      await knot.stop();
    }
  },
};

async function goThrough(trial: Trial, server: ServerProcess, knot: Knot): Promise<void> {
  const wrong: string[] = [];
  const silent: string[] = [];
  const late: string[] = [];
  for (let round = 0; round < trial.times; round++) {
    await followOne({ trial, server, knot, wrong, silent }, `d${round}.${zone}`);
    if (!(await isPublished(server, `team-${round}`, trial.control ? 30_000 : 300_000)))
      late.push(`team-${round}`);
  }
  trial.invariant(names.wrong, wrong.length, { exactly: 0 }, wrong);
  trial.invariant(names.silent, silent.length, { exactly: 0 }, silent);
  trial.invariant(names.subdomain, late.length, { exactly: 0 }, late);
  trial.figure('domains', trial.times);
}

interface Round {
  trial: Trial;
  server: ServerProcess;
  knot: Knot;
  wrong: string[];
  silent: string[];
}

/** Takes one domain from nothing to a policy of reject, and breaks it on the way. */
async function followOne(round: Round, hostname: string): Promise<void> {
  const { domains } = round.server.client;
  const added = await domains.create({ hostname });
  const verify = async (expected: Domain['status'], step: string) => {
    const domain = await domains.verify(added.id);
    round.trial.count('looks', 1);
    if (domain.status !== expected)
      round.wrong.push(`${hostname} ${step}: ${domain.status}, not ${expected}`);
    for (const { name, status, found } of domain.records)
      if (status !== 'verified' && !/; asked .* at .*Z; next look at .*Z$/.test(found ?? ''))
        round.silent.push(`${name}: ${found}`);
    return domain;
  };
  await verify('pending', 'before anything is published');
  for (const [place, record] of added.records.entries()) {
    await publish(round, record);
    const isLast = place === added.records.length - 1;
    const domain = await verify(isLast ? 'verified' : 'verifying', `with ${record.purpose}`);
    const judged = domain.records.filter(({ status }) => status === 'verified').length;
    if (judged !== place + 1) round.wrong.push(`${hostname}: ${judged} of ${place + 1} records verified`);
  }
  for (const purpose of ['ownership', 'dkim', 'spf', 'mail_from', 'dmarc', 'inbound'] as const) {
    const record = added.records.find((one) => one.purpose === purpose)!;
    await round.knot.setRecord(zone, record.name, record.type, []);
    await verify('verifying', `without ${purpose}`);
    await publish(round, record);
    await verify('verified', `with ${purpose} again`);
  }
  for (const policy of ['quarantine', 'reject'] as const) {
    const ramped = await domains.dmarc(added.id);
    if (ramped.dmarc_policy !== policy)
      round.wrong.push(`${hostname}: ${ramped.dmarc_policy}, not ${policy}`);
    await verify('verified', `before ${policy} is published`);
    await publish(round, ramped.records.find(({ purpose }) => purpose === 'dmarc')!);
    const { records } = await verify('verified', `with ${policy}`);
    if (records.some(({ status }) => status !== 'verified'))
      round.wrong.push(`${hostname}: ${policy} is not found`);
  }
}

/** Publishes a record as its owner would; in a control with another value. */
function publish({ trial, knot }: Round, { name, type, value, priority }: DnsRecord): Promise<void> {
  const published = trial.control ? `${value.slice(0, -1)}~` : value;
  const text =
    type === 'MX'
      ? `${priority} ${published.replace('~', 'x')}.`
      : (published.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(' ');
  return knot.setRecord(zone, name, type, [text]);
}

async function isPublished({ client }: ServerProcess, label: string, limitMs: number): Promise<boolean> {
  const { id } = await client.domains.subdomain({ label });
  const isVerified = async () => (await client.domains.get(id)).status === 'verified';
  return eventually('the subdomain to be verified', isVerified, { withinMs: limitMs }).then(
    () => true,
    () => false,
  );
}
