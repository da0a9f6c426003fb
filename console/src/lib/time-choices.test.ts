import { expect, test } from 'vitest';
import { readChoices } from './time-choices.ts';

test('choices are read as they were kept', () => {
  expect(readChoices('{"style":"date","clock":"h23"}')).toEqual({ style: 'date', clock: 'h23' });
});

test.each([null, '', 'null', '[]', '{"style":"never","clock":7}', '{"style":'])(
  'what is no choice is the default: %s',
  (stored) => expect(readChoices(stored)).toEqual({ style: 'ago', clock: 'language' }),
);
