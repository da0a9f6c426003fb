import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
  const inbox = await server.inbox();
  const text = `It's a test & more | \\ 'quoted' "double" !bang <-> (parens) :* ${'word '.repeat(50)}`;
  await sendMail(server.smtpPort, { from: "o'brien@example.com", to: inbox.address, subject: "It's", text });
  await server.indexed();
});
afterAll(() => server.stop());

const longest = (text: string) => text.repeat(1_000).slice(0, 1_000);
/** Distinct words of two characters, of which a thousand characters hold over 300. */
const manyWords = Array.from({ length: 333 }, (_, n) => n.toString(36).padStart(2, 'z'))
  .join(' ')
  .slice(0, 1_000);

test.each([
  ['operators', longest('from: to:- subject:" label: in: ')],
  ['operators with values', longest('from:a -to:b subject:c label:d in:e filename:f ')],
  ['negations', longest('-a ')],
  ['nested quotes', longest('"a -"')],
  ['quotes', longest('"')],
  ['unclosed quotes', '"it is a'],
  ['tsquery operators', longest("& | ! <-> <2> :* :A ( ) ' \\ ")],
  ['backslashes and quotes', longest("\\'")],
  ['a statement', "'; drop table messages; --"],
  ['a closed lexeme', "x' | '@wwsp_01m7yyvjvwe8jaq5wmwbafz3s4"],
  ['lexemes of the index', '@w @b1 @k1 is:inbound has:attachment in:inb_01m7yyvjvve8jaq5s0hvhdb6px'],
  ['many words', manyWords],
  ['many words, each negated', manyWords.replaceAll(' ', ' -').slice(0, 1_000)],
  ['one word of 1,000 characters', 'a'.repeat(1_000)],
  ['one word many times', longest('word ')],
  ['one phrase of many words', `"${longest('word ').slice(0, 998)}"`],
  ['wide characters', longest('語')],
  ['surrogates', longest('🦊')],
  ['combining marks', longest('e\u0301')],
  ['right-to-left', longest('שלום ')],
  ['invisible characters', longest('\u200b\u00ad')],
  ['percent signs', longest('%_%')],
  ['dots and at signs', longest('a@b.c.')],
  ['slashes', longest('a/b/')],
  ['hyphens', longest('a-')],
])('Messages 6: a query of %s is answered', async (_, query) => {
  for (const list of ['messages', 'threads']) {
    for (const mode of ['keyword', 'hybrid']) {
      const answer = await server.request(`/v1/${list}?${new URLSearchParams({ query, mode })}`);
      expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    }
  }
});

test('Messages 6: quotes, backslashes and the names of lexemes are words like others', async () => {
  const subjects = async (query: string) =>
    (await server.client.messages.search(query)).messages.map(({ subject }) => subject);
  expect(await subjects("it's")).toEqual(["It's"]);
  expect(await subjects("from:o'brien@example.com")).toEqual(["It's"]);
  expect(await subjects('"quoted" "double"')).toEqual(["It's"]);
  expect(await subjects("'quoted' & bang")).toEqual(["It's"]);
  expect(await subjects(`@w${server.id}`)).toEqual([]);
});
