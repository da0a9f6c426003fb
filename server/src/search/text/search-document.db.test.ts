import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { mailText } from '@postrider/testkit/mail/mail-text.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../db/database.ts';
import { parseQuery } from './parse-query.ts';
import { readTokens } from './read-tokens.ts';
import { type DocumentFields, searchDocument } from './search-document.ts';

let database: Database;

beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

interface Lexeme {
  lexeme: string;
  positions: number[] | null;
  weights: string[] | null;
}

const readBack = async (vector: string): Promise<Lexeme[]> =>
  (await database.pool.query('select * from unnest($1::tsvector)', [vector])).rows;

const plainFields: DocumentFields = {
  workspaceId: 'wsp_1',
  inboxId: 'inb_1',
  bucketId: 1_000_000,
  blockId: 31_250,
  direction: 'outbound',
  hasAttachment: true,
  subject: '',
  from: { address: 'ada@example.com', name: null },
  recipients: [],
  newText: '',
  restText: '',
  files: [],
};

test('Postgres reads every document with its lexemes as they are', async () => {
  const anyText = fc.oneof(mailText, fc.string({ unit: 'binary', maxLength: 30 }));
  const property = fc.asyncProperty(anyText, anyText, anyText, async (subject, name, text) => {
    const from = { address: subject, name };
    const files = [{ name, text: subject }];
    const { vector, words } = searchDocument({ ...plainFields, subject, from, newText: text, files });
    const rows = await readBack(vector);
    const lexemes = new Set(rows.map(({ lexeme }) => lexeme));
    const wanted = [subject, name, text].flatMap((part) => readTokens(part)).flatMap((token) => token.words);
    for (const word of [...wanted, ...words]) expect(lexemes).toContain(word);
    const facets = ['in:inb_1', 'is:outbound', 'has:attachment'];
    expect(words.slice(0, facets.length)).toEqual(facets);
    for (const word of words.slice(facets.length)) expect(word).toMatch(/^[^\s~=:]{2,24}$/);
    for (const facet of ['@blfls', '@ko42', '@wwsp_1', ...facets])
      expect(rows).toContainEqual({ lexeme: facet, positions: null, weights: null });
  });
  await fc.assert(property, { numRuns: 300 });
});

test('Postgres finds every piece of a text as a phrase', async () => {
  const property = fc.asyncProperty(mailText, fc.nat(), fc.nat(), async (text, first, second) => {
    const tokens = readTokens(text);
    const places = tokens.filter(({ emoji }) => !emoji);
    if (places.length === 0) return;
    const [from, to] = [first % places.length, second % places.length].toSorted((a, b) => a - b);
    const piece = text.slice(places[from!]!.start, places[to!]!.end);
    const [phrase] = parseQuery(`"${piece.replaceAll(/["“”„«»＂]/g, ' ')}"`).terms;
    const { vector } = searchDocument({ ...plainFields, newText: text });
    const query = phrase!.words.map((word) => `'${word}'`).join(' <-> ');
    const { rows } = await database.pool.query('select $1::tsvector @@ $2::tsquery as found', [
      vector,
      query,
    ]);
    expect(rows).toEqual([{ found: true }]);
  });
  await fc.assert(property, { numRuns: 300 });
});

test('fields have their weights, and no phrase goes from one into the next', async () => {
  const { vector } = searchDocument({
    ...plainFields,
    subject: 'Your invoices',
    from: { address: 'ada@example.com', name: 'Ada Lovelace' },
    recipients: [{ address: 'bob@shop.example' }],
    newText: 'Please pay.',
    restText: 'Earlier words',
    files: [{ name: 'Rechnung.pdf', text: 'Betrag' }],
  });
  const weights = Object.fromEntries(
    (await readBack(vector)).map((row) => [row.lexeme, row.weights?.join('') ?? '']),
  );
  expect(weights).toMatchObject({
    your: 'A',
    invoices: 'A',
    '~invoic': 'A',
    lovelace: 'B',
    'ada@example.com': 'B',
    rechnung: 'B',
    'rechnung.pdf': 'B',
    'bob@shop.example': 'C',
    please: 'C',
    earlier: 'D',
    betrag: 'D',
    's:invoices': '',
    's:~invoic': '',
    'f:lovelace': '',
    'f:example.com': '',
    'n:pdf': '',
  });
  const query = `select $1::tsvector @@ $2::tsquery as found`;
  for (const [phrase, found] of [
    ['your <-> invoices', true],
    ['invoices <-> ada', false],
    ['pay <-> earlier', false],
  ])
    expect((await database.pool.query(query, [vector, phrase])).rows).toEqual([{ found }]);
});

test.each([
  ['words of one character', 'a '],
  ['one word', 'x'],
  ['characters that become eighteen', '\ufdfa '],
  ['quotes and backslashes', "'\\"],
  ['pairs', '請求書'],
])('a document of ten million characters is cut: %s', async (_what, part) => {
  const newText = part.repeat(10_000_000 / part.length);
  const { vector } = searchDocument({ ...plainFields, newText, restText: newText });
  expect((await readBack(vector)).length).toBeLessThan(6_000);
});

test('a document of the most and longest words of four bytes is below the limit of Postgres', async () => {
  const word = (index: number) =>
    `${String.fromCodePoint(0x10428 + (index % 40))}`.repeat(48) + index.toString(36);
  const text = Array.from({ length: 2_000 }, (_, index) => word(index * 37)).join(' ');
  const people = Array.from({ length: 300 }, (_, index) => ({
    address: `a${index}@example.com`,
    name: `${word(index)} ${word(index * 3)}`,
  }));
  const fields = {
    ...plainFields,
    subject: text,
    recipients: people,
    newText: text,
    files: [{ name: text, text: `x ${text}` }],
  };
  const { vector } = searchDocument(fields);
  const lexemes = (await readBack(vector)).map(({ lexeme }) => lexeme);
  expect(lexemes.length).toBeGreaterThan(1_000);
  expect(lexemes).toContain('is:outbound');
});
