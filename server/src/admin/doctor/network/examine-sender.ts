/* Checks the records by which receivers tell mail of the shared domain from forged mail: SPF, DMARC and DKIM. */

import type { Config } from '../../../config/config.ts';
import type { Db } from '../../../db/tables.ts';
import type { AskZone, ZoneAnswer } from '../../../dns/ask-zone.ts';
import { findSharedKey, isSigning } from '../../../domains/open-shared-signer.ts';
import type { ExpectedRecord } from '../../../domains/records/expected-records.ts';
import { type Judgement, judgeRecord, missing } from '../../../domains/records/judge-record.ts';
import { judgeSpf } from '../../../domains/records/judge-spf.ts';
import { quoteText } from '../../../domains/records/zone-file.ts';
import { dkimRecordOf } from '../../../lib/crypto/dkim-key.ts';
import { settingNames } from '../../../lib/start/start-error.ts';
import type { DnsResolve } from '../../../mail/authenticate/ask-dns.ts';
import { type Finding, note, ok, problem } from '../finding.ts';
import { askIn, isReserved } from './examine-dns.ts';

type Settings = Pick<Config, 'mailDomain' | 'smtp' | 'spf' | 'transport'>;

/** The resolvers that the checks ask, and the addresses that mail is sent from, as far as they are known. */
interface SenderDeps {
  askZone: AskZone;
  resolve: DnsResolve;
  addresses: string[];
}

/** Checks SPF and DMARC of the shared domain. */
export async function examineSender(config: Settings, deps: SenderDeps): Promise<Finding[]> {
  const found = await Promise.all([
    isUnnamedRelay(config) ? examineSpfOfRelay(config, deps) : examineSpf(config, deps),
    examineDmarc(config, deps),
  ]);
  return found.flat();
}

/** Returns whether mail is sent through a relay that the SPF records of this server's domains do not name. */
function isUnnamedRelay({ transport, spf, smtp }: Settings): boolean {
  return transport === 'smtp' && spf === `a:${smtp.hostname.toLowerCase()}`;
}

function expectedText(purpose: 'spf' | 'dmarc', name: string, value: string): ExpectedRecord {
  return { purpose, type: 'TXT', name, value, priority: null };
}

/** `judgeSpf` needs records to judge. */
async function judgeText(expected: ExpectedRecord, answer: ZoneAnswer, askZone: AskZone): Promise<Judgement> {
  return answer.kind === 'records' ? judgeSpf(expected, answer, askZone) : missing(expected, answer);
}

async function examineSpf(config: Settings, { askZone, resolve, addresses }: SenderDeps): Promise<Finding[]> {
  const { mailDomain, transport } = config;
  const value = `v=spf1 ${config.spf} -all`;
  const finding = transport === 'direct' ? problem : note;
  const answer = await askZone(mailDomain, 'TXT');
  if (answer.kind === 'unanswered') return [note('spf', answer.detail ?? `No answer for ${mailDomain}.`)];
  const { status, found, hint } = await judgeText(expectedText('spf', mailDomain, value), answer, askZone);
  if (status === 'verified') return [ok('spf', `${mailDomain} has ${found}`)];
  if (transport === 'direct' && addresses.length > 0) {
    const allowed = await Promise.all(addresses.map((ip) => passesSpf(config, ip, resolve)));
    if (allowed.every(Boolean)) return [ok('spf', `${mailDomain} lets ${addresses.join(', ')} send`)];
  }
  return [
    finding(
      'spf',
      `${mailDomain} has ${hint}; receivers may consider its mail forged.`,
      `Publish ${mailDomain}. TXT "${value}", or add ${config.spf} to its SPF record.`,
    ),
  ];
}

/** Without the mechanisms of the relay, only the form of the record can be checked. */
async function examineSpfOfRelay({ mailDomain, spf }: Settings, { askZone }: SenderDeps): Promise<Finding[]> {
  const remedy = `Set ${settingNames.spf} to the mechanisms of the relay, such as include:relay.example.net, and publish them.`;
  const answer = await askZone(mailDomain, 'TXT');
  const { status, hint } = await judgeText(expectedText('spf', mailDomain, 'v=spf1 -all'), answer, askZone);
  return [
    note(
      'spf',
      `The server tells its domains to publish ${spf}, which names this server but not the relay.`,
      remedy,
    ),
    ...(status === 'verified' || answer.kind === 'unanswered'
      ? []
      : [note('spf', `${mailDomain} has ${hint}; receivers may consider its mail forged.`)]),
  ];
}

async function passesSpf({ mailDomain, smtp }: Settings, ip: string, resolver: DnsResolve): Promise<boolean> {
  const { spf } = await import('mailauth/lib/spf/index.js');
  const { hostname } = smtp;
  const { status } = await spf({
    ip,
    helo: hostname,
    sender: `postmaster@${mailDomain}`,
    mta: hostname,
    resolver,
  });
  return status.result === 'pass';
}

async function examineDmarc({ mailDomain }: Settings, { askZone }: SenderDeps): Promise<Finding[]> {
  const name = `_dmarc.${mailDomain}`;
  const value = 'v=DMARC1; p=none';
  const answer = await askZone(name, 'TXT');
  if (answer.kind === 'unanswered') return [note('dmarc', answer.detail ?? `No answer for ${name}.`)];
  const { status, found, hint } = judgeRecord(expectedText('dmarc', name, value), answer);
  return status === 'verified'
    ? [ok('dmarc', `${name} has ${found}`)]
    : [
        note(
          'dmarc',
          `${mailDomain} has ${hint}; large receivers require one.`,
          `Publish ${name}. TXT "${value}"`,
        ),
      ];
}

/** Checks whether DNS has the key that signs the mail of the shared domain, and shows the record if it has not. */
export async function examineDkim(
  { db }: { db: Db },
  config: Pick<Config, 'mailDomain' | 'transport' | 'smtpRelays'>,
  resolve: DnsResolve,
): Promise<Finding[]> {
  if (!isSigning(config)) return [];
  const { mailDomain } = config;
  const key = await findSharedKey({ db }, mailDomain);
  if (key === null) return [note('dkim', `the next start creates the key of ${mailDomain}`)];
  const name = `${key.selector}._domainkey.${mailDomain}`;
  const record = `${name}. TXT ${quoteText(dkimRecordOf(key.publicKey))}`;
  if (isReserved(mailDomain))
    return [ok('dkim', `mail is signed; ${mailDomain} is not in DNS. Key: ${record}`)];
  const texts = (await askIn(resolve)(name, 'TXT')) as string[][] | null;
  if (texts === null)
    return [note('dkim', `The resolver does not respond for ${name}. The record should be ${record}`)];
  const keys = texts.map((strings) => readPublicKey(strings.join('')));
  if (keys.length === 1 && keys[0] === key.publicKey)
    return [ok('dkim', `${name} publishes the key that signs mail`)];
  const found =
    keys.length === 0
      ? 'has no record, so receivers cannot verify the signatures of mail.'
      : keys.includes(key.publicKey)
        ? 'has more than one record, and receivers may read the wrong one.'
        : 'has a different key from the one that signs, so receivers consider mail forged.';
  return [problem('dkim', `${name} ${found}`, `Publish only ${record}`)];
}

/** Returns the key of a record, or null if it has none (RFC 6376, section 3.6.1). */
function readPublicKey(record: string): string | null {
  return /(?:^|;)\s*p\s*=([^;]*)/.exec(record)?.[1]?.replace(/\s/g, '') ?? null;
}
