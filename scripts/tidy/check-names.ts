import { basename, dirname } from 'node:path/posix';
import type { Check, Finding, SourceFile } from './source-file.ts';

const drawers = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'types'];
const layers = ['service', 'services', 'manager', 'handler', 'handlers', 'controller', 'repository'];
/** The last two are the kinds of database to which a test is limited. */
const roles = ['entity', 'view', 'routes', 'test', 'db', 'spec', 'config', 'd'];

/** Checks that the name of a file says what is in it: `<verb>-<noun>.ts` or `<noun>.<role>.ts`. */
export const checkNames: Check = (files) => files.filter(({ tree }) => tree).flatMap(checkName);

function checkName(file: SourceFile): Finding[] {
  const say = (message: string): Finding => ({ path: file.path, line: 1, message });
  const [stem = '', ...rest] = basename(file.path).split('.').slice(0, -1);
  const folders = dirname(file.path).split('/');
  const findings: Finding[] = [];
  for (const name of [stem, ...folders]) {
    if (drawers.includes(name))
      findings.push(say(`"${name}" is a drawer for everything; name the file after the one thing in it`));
    const end = name.split('-').at(-1) ?? '';
    if (layers.includes(end))
      findings.push(say(`"${end}" names a layer; name the file after what it does: send-message.ts`));
  }
  const odd = rest.find((role) => !roles.includes(role));
  if (odd !== undefined && file.path.startsWith('server/src/'))
    findings.push(say(`".${odd}" is no role; the roles are ${roles.slice(0, 6).join(', ')}`));
  return findings;
}
