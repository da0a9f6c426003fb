import { expect, test } from 'vitest';
import { type AdminDeps, printJson, runAndPrint, type Terminal } from './command.ts';

const openTerminal = () => {
  const printed: string[] = [];
  const terminal: Terminal = {
    withDeps: (work) => work({} as AdminDeps),
    write: async (text) => {
      printed.push(text);
    },
    fail: () => {},
  };
  return { terminal, printed };
};

test('characters of strangers that steer a terminal are escapes in JSON, which programs read as they were', async () => {
  const value = { found: 'v=spf1\u202e\u0007\u009b31m \u{e0001} ü 漢字' };
  const { terminal, printed } = openTerminal();
  await printJson(terminal, value);
  expect(printed.join('')).toMatch(/^[\P{C}\n]*$/u);
  expect(printed.join('')).toContain('ü 漢字');
  expect(JSON.parse(printed.join(''))).toEqual(value);
});

test('a text for people is printed as it is, and as JSON for programs', async () => {
  const { terminal, printed } = openTerminal();
  const command = async () => 'two\nlines';
  await runAndPrint(terminal, command, {});
  await runAndPrint(terminal, command, { json: true });
  expect(printed).toEqual(['two\nlines\n', '"two\\nlines"\n']);
});
