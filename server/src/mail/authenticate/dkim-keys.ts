import { domainToASCII } from 'node:url';
import { allValues, type HeaderField } from '../parse/read-header-fields.ts';

const signaturesMax = 10;
const signatureLengthMax = 8_192;

/** The answers of DNS for the keys of a mail: the records or the error code, by the normalized name. */
export type KeyAnswers = Record<string, { records: string[] | string[][] } | { code: string }>;

/** Returns a DNS name in its normalized form: lower-case A-labels. */
export function spellName(name: string): string {
  return domainToASCII(name).toLowerCase();
}

/**
 * Returns the DNS names of the keys that the DKIM signatures of a mail need (RFC 6376, section 3.6.2.1). Returns null if there are more
 * signatures, or longer ones, than any real mail has, because each may require a hash of the whole body and a look-up.
 */
export function listKeyNames(fields: HeaderField[]): string[] | null {
  const signatures = allValues(fields, 'dkim-signature');
  return mayCheck(signatures) ? namesOf(signatures) : null;
}

/** Returns whether there are no more signatures, or longer ones, than any real mail has. */
export function mayCheck(signatures: string[]): boolean {
  return signatures.length <= signaturesMax && signatures.every(({ length }) => length <= signatureLengthMax);
}

/** Returns the DNS name of the key of each signature, once. Signatures that name no key are left out. */
export function namesOf(signatures: string[]): string[] {
  const names = signatures.flatMap((signature) => {
    const [domain, selector] = [readTag(signature, 'd'), readTag(signature, 's')];
    const name = domain && selector ? spellName(`${selector}._domainkey.${domain}`) : '';
    return name === '' ? [] : [name];
  });
  return [...new Set(names)];
}

/** Returns the value of a tag without white space, or null (RFC 6376, section 3.2). */
export function readTag(signature: string, tag: string): string | null {
  for (const part of signature.split(';')) {
    const equals = part.indexOf('=');
    if (part.slice(0, equals).trim().toLowerCase() === tag) return part.slice(equals + 1).replace(/\s/g, '');
  }
  return null;
}
