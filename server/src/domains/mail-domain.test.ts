import { expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { leadsBack, mailDomainOf, returnDomainOf } from './mail-domain.ts';

const deps = { config: { mailDomain: 'mail.example' } } as unknown as Pick<Deps, 'config'>;

test('an inbox at a former domain keeps it in its mail, and reports return to a domain that takes them', () => {
  for (const address of ['bob@mail.example', 'bob@former.example']) {
    expect(mailDomainOf(address).name).toBe(address.split('@')[1]);
    expect(returnDomainOf(deps, address).name).toBe('mail.example');
    expect(leadsBack(deps, `bounces+x@${returnDomainOf(deps, address).name}`)).toBe(true);
  }
});
