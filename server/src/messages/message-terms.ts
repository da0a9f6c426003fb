import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { domainOf, normalizeAddress, parseDomain } from '../lib/email-address.ts';

type AddressField = 'from' | 'to';

/** The terms that an address gives a message: itself and its domain. */
export const addressTerms = (field: AddressField, address: string): string[] =>
  address === '' ? [] : [termOf(field, address), termOf(field, `@${domainOf(address)}`)];

/** The term that a filter asks for: an address matches itself, a bare domain every address in it. */
export const wantedTerm = (field: AddressField, wanted: string): string => {
  const address = wanted.includes('@') ? normalizeAddress(wanted) : `@${parseDomain(wanted) ?? wanted}`;
  return termOf(field, address ?? wanted);
};

/** The terms of the words in a subject filter, which must all be in the subject; the database knows what a word is. */
export const subjectTerms = async (ctx: Pick<Context, 'db'>, words: string): Promise<string[]> => {
  const db = acrossWorkspaces(ctx, 'no table is read');
  const query = sql<{ term: string }>`
    select distinct subject_term(lexeme) as term from unnest(to_tsvector('simple', ${words}))`;
  return (await query.execute(db)).rows.map(({ term }) => term);
};

const termOf = (field: AddressField, text: string): string => `${field}:${text.toLowerCase()}`;
