import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { domainOf, normalizeAddress, parseDomain } from '../lib/email-address.ts';

type AddressField = 'from' | 'to';

/** Returns the terms of an address: itself and its domain. */
export function addressTerms(field: AddressField, address: string): string[] {
  return address === '' ? [] : [termOf(field, address), termOf(field, `@${domainOf(address)}`)];
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

function termOf(field: AddressField, text: string): string {
  return `${field}:${text.toLowerCase()}`;
}
