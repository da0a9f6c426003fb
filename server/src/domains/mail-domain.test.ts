import { expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { leadsBack, returnDomain } from './mail-domain.ts';

const deps = { config: { mailDomain: 'mail.example' } } as unknown as Pick<Deps, 'config'>;

test('reports return to a domain that takes them', () => {
  const returnsTo = (address: string, hasOwnDomain: boolean) => returnDomain(deps, { address, hasOwnDomain });
  expect(returnsTo('bob@mail.example', false)).toBe('mail.example');
  expect(returnsTo('bob@former.example', false)).toBe('mail.example');
  expect(returnsTo('bob@acme.example', true)).toBe('bounce.acme.example');
});

test('return paths are at the shared domain and below sending domains, and nowhere else', () => {
  for (const domain of ['mail.example', 'bounce.acme.example'])
    expect(leadsBack(deps, `bounces+x@${domain}`)).toBe(true);
  for (const address of ['bounces+x@acme.example', 'bounces@mail.example', 'bob@bounce.acme.example'])
    expect(leadsBack(deps, address)).toBe(false);
});
