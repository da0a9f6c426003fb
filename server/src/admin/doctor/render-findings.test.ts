import { expect, test } from 'vitest';
import { type Finding, note, ok, problem } from './finding.ts';
import { renderFindings, renderJson, showProgress } from './render-findings.ts';

const findings: Finding[] = [
  ok('disk', '100 MB free'),
  note('blocklists', 'not asked'),
  problem('dns', 'acme.com has no MX record, so no mail arrives.', 'Publish acme.com. MX 10 mx.acme.com.'),
];
const plain = { hasColors: false, columns: null };

test('the table is aligned, with each remedy below its problem, and the number of problems at the end', () => {
  expect(renderFindings(findings, plain)).toBe(
    [
      'ok       disk        100 MB free',
      'note     blocklists  not asked',
      'problem  dns         acme.com has no MX record, so no mail arrives.',
      '                     → Publish acme.com. MX 10 mx.acme.com.',
      '',
      '1 problem.',
    ].join('\n'),
  );
  expect(renderFindings([], plain)).toBe('\nNo problems.');
});

test('lines fit a terminal, and words that are longer stay whole', () => {
  const lines = renderFindings([...findings, note('dkim', `Publish ${'x'.repeat(90)} now`)], {
    hasColors: false,
    columns: 62,
  }).split('\n');
  expect(lines).toContain('problem  dns         acme.com has no MX record, so no mail');
  expect(lines).toContain('                     arrives.');
  expect(lines).toContain(`                     ${'x'.repeat(90)}`);
});

test('only the state has a colour', () => {
  const lines = renderFindings(findings, { hasColors: true, columns: null });
  expect(lines).toContain('\x1b[31mproblem  \x1b[39mdns');
  expect(renderFindings(findings, plain)).not.toContain('\x1b');
});

test('what strangers wrote controls no terminal and makes no lines', () => {
  const text = renderFindings([ok('inbound', 'evil \x1b[2J\x1b]0;title\x07 a\r\nproblem fake\u202e')], plain);
  expect(text).toBe('ok       inbound  evil  a problem fake \n\nNo problems.');
});

test('JSON has every field of every finding, and ok if nothing is a problem', () => {
  const { ok: isOk, findings: shown } = JSON.parse(renderJson(findings));
  expect(isOk).toBe(false);
  expect(shown[0]).toEqual({ part: 'disk', state: 'ok', text: '100 MB free', remedy: null });
  expect(shown[2].remedy).toContain('Publish');
  expect(JSON.parse(renderJson(findings.slice(0, 2))).ok).toBe(true);
});

test('progress is one line of a terminal that is gone at the end, and nothing elsewhere', async () => {
  for (const isTTY of [true, false]) {
    const written: string[] = [];
    const write = (text: string) => written.push(text) > 0;
    const progress = showProgress({ isTTY, columns: 20, write } as Parameters<typeof showProgress>[0]);
    await expect(progress.track('dns', Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await progress.track('a part with a long name', Promise.resolve(7))).toBe(7);
    progress.end();
    if (!isTTY) expect(written).toEqual([]);
    else {
      expect(written[0]).toBe('\r\x1b[KExamining dns …');
      expect(written.at(-1)).toBe('\r\x1b[K');
      for (const line of written) expect(line.replace('\r\x1b[K', '').length).toBeLessThan(20);
    }
  }
});
