import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { domainOf, normalizeAddress, parseDomain, stripPlusTag } from '../lib/email-address.ts';
import type { NewMessage } from './store/message-record.ts';

type AddressField = 'from' | 'to';

const termsMax = 200;
const termCharactersMax = 400;

/**
 * Returns the terms by which the `from` and `to` filters find a message, and its correspondents. The database adds those of the subject.
 * If there are very many addresses, the inbox's own and the first others count.
 */
export function messageTerms(message: NewMessage): string[] {
  const to = [message.envelope_to, message.to_addrs, message.cc_addrs, message.bcc_addrs];
  const addresses = to.flatMap((list) => list.slice(0, termsMax));
  const terms = [
    ...addressTerms('from', message.from_addr),
    ...peerTerms(message),
    ...addresses.slice(0, termsMax).flatMap((address) => addressTerms('to', address)),
  ];
  return [...new Set(terms)].filter((term) => term.length <= termCharactersMax).slice(0, termsMax);
}

/** Returns the terms of an address: itself and its domain. */
function addressTerms(field: AddressField, address: string): string[] {
  return address === '' ? [] : [createTerm(field, address), createTerm(field, `@${domainOf(address)}`)];
}

/** A message may name any number of addresses in Reply-To. */
const replyToMax = 20;

/**
 * Returns the terms by which `answers_at_limit` finds the conversations of a message, besides its `from` and `to` terms. `reply` is an
 * address in the Reply-To of mail that arrived, and `peer` the rest of an address that has a plus tag. No filter sees them.
 */
function peerTerms(message: NewMessage): string[] {
  const { direction, from_addr, reply_to_addrs, to_addrs, cc_addrs, bcc_addrs } = message;
  const repliesTo = direction === 'inbound' ? reply_to_addrs.slice(0, replyToMax) : [];
  const named =
    direction === 'inbound' ? [from_addr, ...repliesTo] : [...to_addrs, ...cc_addrs, ...bcc_addrs];
  const tagged = named.filter((address) => stripPlusTag(address) !== address);
  return [
    ...repliesTo.filter((address) => address !== from_addr).map((address) => createTerm('reply', address)),
    ...tagged.map((address) => createTerm('peer', stripPlusTag(address))),
  ];
}

/** Returns the term of a filter: an address matches itself, and a bare domain every address in it. */
export function wantedTerm(field: AddressField, wanted: string): string {
  const address = wanted.includes('@') ? normalizeAddress(wanted) : `@${parseDomain(wanted) ?? wanted}`;
  return createTerm(field, address ?? wanted);
}

/** Returns the terms of the words in a subject filter, which must all be in the subject. The database decides what a word is. */
export async function subjectTerms(ctx: Pick<Context, 'db'>, words: string): Promise<string[]> {
  const db = acrossWorkspaces(ctx, 'no table is read');
  const query = sql<{ term: string }>`
    select distinct subject_term(lexeme) as term from unnest(to_tsvector('simple', ${words}))`;
  return (await query.execute(db)).rows.map(({ term }) => term);
}

function createTerm(field: AddressField | 'peer' | 'reply', text: string): string {
  return `${field}:${text.toLowerCase()}`;
}
