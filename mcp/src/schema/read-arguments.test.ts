import { expect, test } from 'vitest';
import * as z from 'zod';
import { allTools } from '../tools/all-tools.ts';
import { readArguments } from './read-arguments.ts';

const findTool = (name: string) => {
  const tool = allTools.find((one) => one.name === name);
  if (!tool) throw new Error(name);
  return tool;
};
const parse = (name: string, args: object) => {
  const { input } = findTool(name);
  return input.parse(readArguments(input, args)) as Record<string, unknown>;
};
const mail = { inbox_id: 'inb_1', subject: 's', text: 't', to: 'a@x.example' };

test.each([
  ['one', 'a@x.example', ['a@x.example']],
  ['a list', ['a@x.example', 'b@y.example'], ['a@x.example', 'b@y.example']],
  ['JSON', '["a@x.example", "b@y.example"]', ['a@x.example', 'b@y.example']],
  ['commas', 'a@x.example, b@y.example', ['a@x.example', 'b@y.example']],
  ['semicolons', 'a@x.example; b@y.example;', ['a@x.example', 'b@y.example']],
  ['lines', 'a@x.example\nb@y.example', ['a@x.example', 'b@y.example']],
  ['names', 'Ada <a@x.example>, "B, C" <b@y.example>', ['Ada <a@x.example>', '"B, C" <b@y.example>']],
  [
    'a list of several',
    ['a@x.example, b@y.example', 'c@z.example'],
    ['a@x.example', 'b@y.example', 'c@z.example'],
  ],
])('recipients are read from %s', (_, given, to) => {
  for (const field of ['to', 'cc', 'bcc'])
    expect(parse('send_message', { ...mail, [field]: given })[field]).toEqual(to);
});

test('numbers and booleans are read from text, also false and 0', () => {
  expect(
    parse('search_messages', { limit: '5', wait_seconds: '0', read: 'false', has_attachment: 'True' }),
  ).toMatchObject({
    limit: 5,
    wait_seconds: 0,
    read: false,
    has_attachment: true,
  });
  expect(parse('get_message', { message_id: 'msg_1', with_quotes: '0' })).toMatchObject({
    with_quotes: false,
  });
  expect(parse('get_message', { message_id: 'msg_1', with_quotes: '1' })).toMatchObject({
    with_quotes: true,
  });
});

test('null, and empty text where no text is expected, are a field that is left out', () => {
  expect(parse('search_messages', { query: null, limit: null, read: '', cursor: null })).toEqual(
    parse('search_messages', {}),
  );
  expect(parse('send_message', { ...mail, cc: null, bcc: '', client_id: null, attachments: null })).toEqual(
    parse('send_message', mail),
  );
});

test('objects are read from JSON text, alone and in a list, and their texts stay', () => {
  const files = [{ filename: 'a.json', text: '{"a": 1}' }];
  for (const given of [
    files,
    JSON.stringify(files),
    files.map((file) => JSON.stringify(file)),
    JSON.stringify(files[0]),
    files[0],
  ])
    expect(parse('send_message', { ...mail, attachments: given }).attachments).toEqual(files);
  const events = ['message.received', 'message.bounced'];
  expect(parse('create_webhook', { url: 'https://x.example/h', events: events.join(', ') }).events).toEqual(
    events,
  );
});

test.each(['["a"]', '{"a": 1}', '5', 'true', 'null', '0', ' x, y@z.example '])(
  'a subject and a text that are %j stay',
  (text) => {
    expect(parse('send_message', { ...mail, subject: text, text })).toMatchObject({ subject: text, text });
  },
);

test('an error names the field', () => {
  const refusedPaths = (name: string, args: object) => {
    const { input } = findTool(name);
    const result = input.safeParse(readArguments(input, args));
    return result.success ? [] : result.error.issues.map(({ path }) => path.join('.'));
  };
  expect(refusedPaths('search_messages', { limit: 'many', read: 'perhaps', wait_seconds: '99' })).toEqual([
    'read',
    'wait_seconds',
    'limit',
  ]);
  expect(refusedPaths('send_message', { ...mail, to: 'a@x.example, nobody' })).toEqual(['to.1']);
  expect(refusedPaths('send_message', { ...mail, attachments: '[{"nope": 1}]' })[0]).toMatch(
    /^attachments\.0/,
  );
});

/** Returns a field as hosts send it that write everything as text. */
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const samples: Record<string, unknown> = {
  boolean: false,
  number: 1_000,
};

test('each tool takes each number, boolean and list as text', () => {
  const tried = allTools.flatMap((tool) =>
    Object.entries(tool.input.shape).flatMap(([name, field]) => {
      const type =
        (z.toJSONSchema(field as z.ZodType, { unrepresentable: 'any' }) as { type?: string }).type ?? '';
      const value = type === 'integer' ? 200 : samples[type];
      if (value === undefined || !(field as z.ZodType).safeParse(value).success) return [];
      const whole = readArguments(tool.input, { [name]: asText(value) }) as Record<string, unknown>;
      expect([tool.name, name, whole[name]]).toEqual([tool.name, name, value]);
      return [name];
    }),
  );
  expect(allTools).toHaveLength(21);
  expect(new Set(tried)).toContain('with_quotes');
});
