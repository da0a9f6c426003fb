import { expect, it } from 'vitest';
import { deriveKeys } from './crypto/primitives.ts';
import { newId } from './ids.ts';
import { makeReportAddress, makeReturnPath, readReportAddress, readReturnPath } from './signed-address.ts';

const keys = deriveKeys('a root secret');
const place = 'bounce.mail.example';
const made = () => ({ workspaceId: newId('wsp'), domainId: newId('dom') });

it('an address for reports fits into a local part and leads back to its domain', () => {
  for (let time = 0; time < 50; time++) {
    const domain = made();
    const address = makeReportAddress(keys, place, domain);
    expect(address).toMatch(/^dmarc\+[0-9a-z]{54}@bounce\.mail\.example$/);
    const { workspaceIds, domainId } = readReportAddress(address, [keys])!;
    expect(domainId).toBe(domain.domainId);
    expect(workspaceIds.from <= domain.workspaceId && domain.workspaceId <= workspaceIds.to).toBe(true);
  }
});

it('no other address is taken: changed, cut, signed by another root, or signed as a return path', () => {
  const address = makeReportAddress(keys, place, made());
  for (let at = 0; at < address.indexOf('@'); at++) {
    const other = address[at] === '5' ? '6' : '5';
    expect(readReportAddress(address.slice(0, at) + other + address.slice(at + 1), [keys])).toBeNull();
  }
  for (const other of ['dmarc', 'dmarc+', address.replace('@', '0@'), address.slice(1)])
    expect(readReportAddress(other, [keys])).toBeNull();
  expect(readReportAddress(address, [deriveKeys('another root')])).toBeNull();
  const returnPath = makeReturnPath(keys, place, {
    workspaceId: newId('wsp'),
    messageId: newId('msg'),
    position: 0,
  });
  expect(readReportAddress(returnPath.replace('bounces+', 'dmarc+'), [keys])).toBeNull();
  expect(readReturnPath(address.replace('dmarc+', 'bounces+'), place, [keys])).toBeNull();
});
