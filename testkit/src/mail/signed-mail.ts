import { generateKeyPairSync } from 'node:crypto';
import { createSeal } from 'mailauth/lib/arc/index.js';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import type { DnsResolve } from '../../../server/src/mail/authenticate/ask-dns.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The DNS record of the key with which `signMail` signs. */
export const keyRecord = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;

/** Returns a small mail from one or more authors. */
export function mailFrom(from: string): string {
  return [
    `From: ${from}`,
    'To: b@inbox.example',
    'Subject: hello',
    'Date: Fri, 20 Nov 2026 10:00:00 +0000',
    'Message-ID: <1@x.y>',
    '',
    'body',
    '',
  ].join('\r\n');
}

/** Returns a mail with a DKIM signature of a domain by the selector `s1`, over the first `maxBodyLength` bytes of the body. */
export async function signMail(raw: string, signingDomain: string, maxBodyLength?: number): Promise<string> {
  return (await signBytes(Buffer.from(raw), signingDomain, maxBodyLength)).toString();
}

/** The same as `signMail`, for a mail that may not be UTF-8. */
export async function signBytes(raw: Buffer, signingDomain: string, maxBodyLength?: number): Promise<Buffer> {
  const signature = {
    signingDomain,
    selector: 's1',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ...(maxBodyLength === undefined ? {} : { maxBodyLength }),
  };
  const { signatures } = await dkimSign(raw, { ...signature, signatureData: [signature] });
  return Buffer.concat([Buffer.from(signatures), raw]);
}

/**
 * Returns a mail with one more ARC set by a domain (RFC 8617), with the selector `s1`, which records the results that it is given. The set
 * is sealed as if the sets before it were valid.
 */
export async function sealMail(raw: string, signingDomain: string, authResults: string): Promise<string> {
  const resolver = makeDns({});
  const { arc } = await dkimVerify(raw, { resolver });
  const instance = arc?.chain ? arc.chain.length + 1 : 1;
  const seal = {
    signingDomain,
    selector: 's1',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    i: instance,
    cv: instance === 1 ? 'none' : 'pass',
    authResults,
  };
  const { headers, errors } = await createSeal(raw, { ...(arc && { arc }), seal });
  if (errors.length > 0) throw new Error('The mail could not be sealed.', { cause: errors[0]?.err });
  return `${headers.map((line) => `${line}\r\n`).join('')}${raw}`;
}

/** Returns a DNS that fails with a code, whatever it is asked. */
export function failingDns(code: string): DnsResolve {
  return () => Promise.reject(Object.assign(new Error(code), { code }));
}

/** Returns a DNS that has some records, by type and name, and denies that there are others. */
export function makeDns(records: Record<string, string[]>): DnsResolve {
  return async (name, type) => {
    const found = records[`${type} ${name.toLowerCase()}`];
    if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return found.map((text) => text.match(/.{1,250}/g) ?? [text]);
  };
}

/** Domains with SPF records for 203.0.113.7, signatures by `s1` and policies. */
export const signedZone: DnsResolve = makeDns({
  'TXT example.com': ['v=spf1 ip4:203.0.113.7 -all'],
  'TXT s1._domainkey.example.com': [keyRecord],
  'TXT s1._domainkey.mail.example.com': [keyRecord],
  'TXT s1._domainkey.other.example': [keyRecord],
  'TXT _dmarc.example.com': ['v=DMARC1; p=reject'],
  'TXT strict.example': ['v=spf1 -all'],
  'TXT _dmarc.strict.example': ['v=DMARC1; p=reject; adkim=s; aspf=s'],
  'TXT s1._domainkey.mail.strict.example': [keyRecord],
  'TXT nopolicy.example': ['v=spf1 ip4:203.0.113.7 ~all'],
  'TXT mx.helo.example': ['v=spf1 ip4:203.0.113.7 -all'],
});
