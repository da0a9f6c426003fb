import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deriveKeys } from './crypto/primitives.ts';
import { newId } from './ids.ts';
import { isReturnPath, makeReturnPath, readReturnPath } from './signed-address.ts';

const domain = 'mail.example';
const keys = deriveKeys('a root secret');
const recipient = (position = 0) => ({ workspaceId: newId('wsp'), messageId: newId('msg'), position });

it('a return path fits into a local part and leads back to what it was made for', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 49 }),
      fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }),
      (position, at) => {
        const to = { workspaceId: newId('wsp', at), messageId: newId('msg', at), position };
        const address = makeReturnPath(keys, domain, to);
        expect(address.indexOf('@')).toBe(64);
        const { workspaceIds, ...found } = readReturnPath(address, domain, [keys])!;
        expect(found).toEqual({ messageId: to.messageId, position });
        expect([workspaceIds.from <= to.workspaceId, to.workspaceId <= workspaceIds.to]).toEqual([
          true,
          true,
        ]);
      },
    ),
  );
});

it('no other token is taken: changed, cut, of another domain, or signed by another root', () => {
  const address = makeReturnPath(keys, domain, recipient(7));
  const read = (text: string, roots = [keys]) => readReturnPath(text, domain, roots);
  for (let at = 0; at < 64; at++) {
    const other = address[at] === '5' ? '6' : '5';
    expect([at, read(address.slice(0, at) + other + address.slice(at + 1))]).toEqual([at, null]);
  }
  expect(read(address.replace('@', '0@'))).toBeNull();
  expect(read(`bounces+@${domain}`)).toBeNull();
  expect(read(`bounces@${domain}`)).toBeNull();
  expect(read(address.replace(domain, 'other.example'))).toBeNull();
  expect(read(address, [deriveKeys('another root')])).toBeNull();
});

it('a return path of an older root counts as long as its keys are given', () => {
  const address = makeReturnPath(keys, domain, recipient());
  expect(readReturnPath(address, domain, [deriveKeys('a newer root'), keys])).not.toBeNull();
});

it('is told from other addresses by its spelling alone', () => {
  expect(isReturnPath(`bounces+anything@${domain}`, domain)).toBe(true);
  for (const other of [
    `bounces@${domain}`,
    `bounce+x@${domain}`,
    'bounces+x@other.example',
    `bounces+x@sub.${domain}`,
  ])
    expect([other, isReturnPath(other, domain)]).toEqual([other, false]);
});
