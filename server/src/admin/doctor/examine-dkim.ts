import type { Config } from '../../config/config.ts';
import type { Db } from '../../db/tables.ts';
import { findSharedKey, isSigning } from '../../domains/open-shared-signer.ts';
import { quoteText } from '../../domains/records/zone-file.ts';
import { dkimRecordOf } from '../../lib/crypto/dkim-key.ts';
import type { DnsResolve } from '../../mail/authenticate/ask-dns.ts';
import { type Finding, note, ok, problem } from './finding.ts';
import { askIn } from './network/ask-dns-records.ts';
import { isReserved } from './network/examine-dns.ts';

/** Checks whether DNS has the key that signs the mail of the shared domain, and shows the record if it has not. */
export async function examineDkim(
  { db }: { db: Db },
  config: Pick<Config, 'mailDomain' | 'transport' | 'smtpRelays'>,
  resolve: DnsResolve,
): Promise<Finding[]> {
  if (!isSigning(config)) return [];
  const { mailDomain } = config;
  const key = await findSharedKey({ db }, mailDomain);
  if (key === null) return [note('dkim', `the next start makes the key of ${mailDomain}`)];
  const name = `${key.selector}._domainkey.${mailDomain}`;
  const record = `${name}. TXT ${quoteText(dkimRecordOf(key.publicKey))}`;
  if (isReserved(mailDomain))
    return [ok('dkim', `mail is signed; ${mailDomain} is in no DNS. Key: ${record}`)];
  const texts = (await askIn(resolve)(name, 'TXT')) as string[][] | null;
  if (texts === null)
    return [note('dkim', `The resolver does not answer for ${name}. It should have ${record}`)];
  const keys = texts.map((strings) => publicKeyOf(strings.join('')));
  if (keys.length === 1 && keys[0] === key.publicKey) return [ok('dkim', `${name} has the key that signs`)];
  const found =
    keys.length === 0
      ? 'has no record, so receivers cannot verify the signatures of mail.'
      : keys.includes(key.publicKey)
        ? 'has more than one record, and receivers may read another than that of the key.'
        : 'has another key than the one that signs, so receivers take mail for forged.';
  return [problem('dkim', `${name} ${found}`, `Publish only ${record}`)];
}

/** Returns the key of a record, or null if it has none (RFC 6376, section 3.6.1). */
function publicKeyOf(record: string): string | null {
  return /(?:^|;)\s*p\s*=([^;]*)/.exec(record)?.[1]?.replace(/\s/g, '') ?? null;
}
