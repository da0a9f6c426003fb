import { expect } from 'vitest';

/** Checks the rules for every composed message, whatever is in it: lines, header fields, and no trace of blind recipients. */
export function expectWellFormed(raw: Buffer): void {
  const lines = raw.toString('latin1').split('\r\n');
  expect(lines.filter((line) => /[\r\n\0]/.test(line))).toEqual([]);
  expect(lines.reduce((longest, line) => Math.max(longest, line.length), 0)).toBeLessThanOrEqual(998);
  const header = lines.slice(0, lines.indexOf(''));
  expect(header.filter((line) => /^bcc:/i.test(line))).toEqual([]);
  expect(header.filter((line) => !/^(?:[A-Za-z-]+:|[ \t]+\S)/.test(line))).toEqual([]);
  for (const name of ['From', 'To', 'Date', 'Message-ID', 'MIME-Version'])
    expect(
      header.filter((line) => line.startsWith(`${name}:`)),
      name,
    ).toHaveLength(1);
}
