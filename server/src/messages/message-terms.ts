import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { domainOf, normalizeAddress, parseDomain, stripPlusTag } from '../lib/email-address.ts';
import type { NewMessage } from './store/message-record.ts';

type AddressField = 'from' | 'to';

/** Returns the terms of an address: itself and its domain. */
export function addressTerms(field: AddressField, address: string): string[] {
  return address === '' ? [] : [termOf(field, address), termOf(field, `@${domainOf(address)}`)];
}

/** A message may name any number of addresses in Reply-To. */
const replyToMax = 20;

/**
 * Returns the terms by which `answers_at_limit` finds the conversations of a message, besides its `from` and `to` terms. `reply` is an
 * address in the Reply-To of mail that arrived, and `peer` the rest of an address that has a plus tag. No filter sees them.
 */
export function peerTerms(message: NewMessage): string[] {
  const { direction, from_addr, reply_to_addrs, to_addrs, cc_addrs, bcc_addrs } = message;
  const repliesTo = direction === 'inbound' ? reply_to_addrs.slice(0, replyToMax) : [];
  const named =
    direction === 'inbound' ? [from_addr, ...repliesTo] : [...to_addrs, ...cc_addrs, ...bcc_addrs];
  const tagged = named.filter((address) => stripPlusTag(address) !== address);
  return [
    ...repliesTo.filter((address) => address !== from_addr).map((address) => termOf('reply', address)),
    ...tagged.map((address) => termOf('peer', stripPlusTag(address))),
  ];
}

/** Returns the term of a filter: an address matches itself, and a bare domain every address in it. */
export function wantedTerm(field: AddressField, wanted: string): string {
  const address = wanted.includes('@') ? normalizeAddress(wanted) : `@${parseDomain(wanted) ?? wanted}`;
  return termOf(field, address ?? wanted);
}

/** Returns the terms of the words in a subject filter, which must all be in the subject. The database decides what a word is. */
export async function subjectTerms(ctx: Pick<Context, 'db'>, words: string): Promise<string[]> {
  const db = acrossWorkspaces(ctx, 'no table is read');
  const query = sql<{ term: string }>`
    select distinct subject_term(lexeme) as term from unnest(to_tsvector('simple', ${words}))`;
  return (await query.execute(db)).rows.map(({ term }) => term);
}

function termOf(field: AddressField | 'peer' | 'reply', text: string): string {
  return `${field}:${text.toLowerCase()}`;
}
