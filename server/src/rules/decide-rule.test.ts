import { anyAddress, anyRules, modelDecision, type WrittenRule } from '@postrider/testkit/lib/rule-model.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPattern } from './create-rule.ts';
import { decideRule, decideSenders, type MatchingRule, patternsFor } from './decide-rule.ts';

const stored = (rules: WrittenRule[], direction: 'inbound' | 'outbound'): MatchingRule[] =>
  rules
    .map(({ pattern, ...rule }, index) => ({
      ...rule,
      id: String(index),
      pattern: readPattern(pattern.text),
    }))
    .filter((rule) => rule.direction === direction || rule.direction === 'both');

const rule = (text: string): MatchingRule => {
  const [kind, pattern = ''] = text.split(' ');
  return { id: text, kind: kind as MatchingRule['kind'], pattern };
};
const decide = (address: string, ...rules: string[]) => decideRule(rules.map(rule), address)?.id ?? null;

describe('the rule that decides about an address', () => {
  it('is the one that a look at each rule finds, for any rules and any spelling, in both directions', () => {
    fc.assert(
      fc.property(anyRules, anyAddress, (rules, address) => {
        for (const direction of ['inbound', 'outbound'] as const)
          expect(decideRule(stored(rules, direction), address.text)?.kind ?? null).toBe(
            modelDecision(rules, direction, address),
          );
      }),
      { numRuns: 20_000 },
    );
  });

  it('is found among those that match its patterns: no other rule changes anything', () => {
    fc.assert(
      fc.property(anyRules, anyAddress, (rules, address) => {
        const all = stored(rules, 'inbound');
        const patterns = patternsFor(address.text);
        const found = all.filter(({ pattern }) => patterns.includes(pattern));
        expect(decideRule(found, address.text)).toEqual(decideRule(all, address.text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is that for the address, then for the address without its tag, then for the longest domain', () => {
    const rules = ['block example', 'allow x.example', 'block ada@x.example', 'allow ada+news@x.example'];
    expect(decide('ada+news@x.example', ...rules)).toBe('allow ada+news@x.example');
    expect(decide('ada+other@x.example', ...rules)).toBe('block ada@x.example');
    expect(decide('bob@mail.x.example', ...rules)).toBe('allow x.example');
    expect(decide('bob@y.example', ...rules)).toBe('block example');
    expect(decide('bob@notexample', ...rules)).toBe(null);
  });

  it('is the block where an allow has the same pattern, whichever is older', () => {
    expect(decide('ada@x.example', 'allow x.example', 'block x.example')).toBe('block x.example');
    expect(decide('ada@x.example', 'block x.example', 'allow x.example')).toBe('block x.example');
  });

  it('is not escaped by a text that is no address of RFC 5321', () => {
    for (const odd of [
      'a@mail_out.x.example',
      'a..b@x.example',
      'a@b@x.example',
      `${'a'.repeat(80)}@x.example`,
      'a@_.x.example.',
      'a b@X.EXAMPLE',
    ])
      expect([odd, decide(odd, 'block x.example')]).toEqual([odd, 'block x.example']);
    expect(decide(`ada+${'t'.repeat(80)}@x.example`, 'block ada@x.example')).toBe('block ada@x.example');
  });

  it('is none for the null sender, for a text without an at sign and for an address literal', () => {
    for (const text of ['', 'x.example', '@', 'a@', 'ada@[192.0.2.1]', 'ada@192.0.2.1'])
      expect([text, patternsFor(text).length]).toEqual([text, 0]);
  });

  it('names each pattern once, the most specific first', () => {
    expect(patternsFor('Ada+News@B.a.Bücher.example')).toEqual([
      'ada+news@b.a.xn--bcher-kva.example',
      'ada@b.a.xn--bcher-kva.example',
      'b.a.xn--bcher-kva.example',
      'a.xn--bcher-kva.example',
      'xn--bcher-kva.example',
      'example',
    ]);
    expect(patternsFor('ada@example')).toEqual(['ada@example', 'example']);
  });
});

describe('the verdict on the senders of a mail', () => {
  const verdict = (senders: string[], ...rules: string[]) => decideSenders(rules.map(rule), senders);

  it('is a block where any of them is blocked', () => {
    expect(verdict(['ada@x.example'], 'block y.example')).toBe('take');
    expect(verdict(['ada@x.example', 'bob@y.example'], 'block y.example')).toBe('block');
    expect(verdict(['bob@y.example', 'ada@x.example'], 'block y.example', 'allow x.example')).toBe('block');
    expect(verdict([], 'block y.example')).toBe('take');
  });

  it('has to be verified only where an allow stands against a block', () => {
    expect(verdict(['ada@x.example'], 'allow ada@x.example')).toBe('take');
    expect(verdict(['ada@x.example'], 'allow ada@x.example', 'block x.example')).toBe('unverified');
    expect(verdict(['ada@x.example'], 'block ada@x.example', 'allow x.example')).toBe('block');
    expect(verdict(['ada@a.x.example'], 'allow a.x.example', 'block x.example', 'allow example')).toBe(
      'unverified',
    );
  });
});
