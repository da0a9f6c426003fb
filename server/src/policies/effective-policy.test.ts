import type { PolicyIn, PolicyLevel } from '@postrider/contract';
import { describe, expect, it } from 'vitest';
import { findLoosenedLine, findStrictest } from './controls.ts';

const at = (level: PolicyLevel, lines: PolicyIn) => ({ level, lines });

describe('of several policies', () => {
  it('everything is allowed without any', () => {
    const { policy, from } = findStrictest([]);
    expect(policy).toMatchObject({ send: 'allow', recipients: 'anyone', per_hour: null });
    expect(new Set(Object.values(from))).toEqual(new Set(['default']));
  });

  it('the strictest of each line holds, and its place is named', () => {
    const { policy, from } = findStrictest([
      at('key', { send: 'approve', per_hour: 50 }),
      at('workspace', { per_hour: 20, per_day: 100 }),
      at('inbox', { send: 'never', per_hour: 30, recipients: 'known' }),
    ]);
    expect(policy).toMatchObject({ send: 'never', recipients: 'known', per_hour: 20, per_day: 100 });
    expect(from).toMatchObject({
      send: 'inbox',
      recipients: 'inbox',
      per_hour: 'workspace',
      per_day: 'workspace',
      recipients_max: 'default',
    });
  });

  it('a cap of 0 is stricter than any other', () => {
    expect(findStrictest([at('key', { per_day: 0 }), at('inbox', { per_day: 5 })]).policy.per_day).toBe(0);
  });

  it('the widest place is named if several are equally strict', () => {
    expect(findStrictest([at('key', { send: 'never' }), at('workspace', { send: 'never' })]).from.send).toBe(
      'workspace',
    );
  });

  it.each([
    ['those in both', ['a.example', 'b.example'], ['b.example', 'c.example'], ['b.example']],
    ['an address in an allowed domain', ['a.example'], ['ada@a.example', 'ada@b.example'], ['ada@a.example']],
    ['a subdomain of an allowed domain', ['mail.a.example'], ['a.example'], ['mail.a.example']],
    ['nobody, if the lists have nobody in common', ['a.example'], ['nota.example'], []],
  ])('lists of recipients leave %s', (_name, workspace, key, both) => {
    const { policy } = findStrictest([
      at('workspace', { recipients: workspace }),
      at('key', { recipients: key }),
    ]);
    expect(policy.recipients).toEqual(both);
  });

  it('a list is stricter than known', () => {
    const places = [at('workspace', { recipients: ['a.example'] }), at('key', { recipients: 'known' })];
    expect(findStrictest(places).policy.recipients).toEqual(['a.example']);
  });
});

describe('in place of another policy', () => {
  it.each<[string, PolicyIn, PolicyIn, string | null]>([
    ['the same one loosens nothing', { send: 'approve', per_day: 5 }, { send: 'approve', per_day: 5 }, null],
    ['a stricter one loosens nothing', { send: 'approve', per_day: 5 }, { send: 'never', per_day: 4 }, null],
    ['one without a line loosens it', { send: 'approve', per_day: 5 }, { send: 'approve' }, 'per_day'],
    ['none loosens all', { recipients: ['a.example'] }, {}, 'recipients'],
    [
      'a part of a list loosens nothing',
      { recipients: ['a.example'] },
      { recipients: ['ada@a.example'] },
      null,
    ],
    ['another list loosens', { recipients: ['a.example'] }, { recipients: ['b.example'] }, 'recipients'],
    ['a list loosens known', { recipients: 'known' }, { recipients: ['a.example'] }, 'recipients'],
    ['known loosens a list', { recipients: ['a.example'] }, { recipients: 'known' }, 'recipients'],
    ['anything loosens nothing where there was none', {}, { per_day: 1_000 }, null],
  ])('%s', (_name, before, after, loosened) => {
    expect(findLoosenedLine(after, before)).toBe(loosened);
  });
});
