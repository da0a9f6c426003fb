/*
 * Loaded before a server (`NODE_OPTIONS=--import …`): sets numbers on its objects of limits, so that a control can show what
 * happens without one. `NOISY_LIMITS` is JSON such as
 * `{"contract": {"answerBytesMax": "Infinity"}, "mail/parsed-mail.ts parseLimits": {"addressesMax": 100}}`: a file below
 * `server/src` and the object that it exports, or `contract` for `contract/src/limits.ts`. A name that is not there ends the
 * process, except one with `?` behind it, which a server may lack.
 */
import { isMainThread } from 'node:worker_threads';
import { type LimitValue, loosenObject } from './loosen-object.ts';

const { NOISY_LIMITS: wanted, NOISY_CHECKOUT: checkout } = process.env;

if (wanted && checkout)
  for (const [place, values] of Object.entries(
    JSON.parse(wanted) as Record<string, Record<string, LimitValue>>,
  )) {
    const [file, name] = place === 'contract' ? ['contract/src/limits.ts', 'limits'] : serverPlace(place);
    const object = await exportOf(file, name, Object.keys(values));
    if (object) loosenObject(place, object, values);
  }

function serverPlace(place: string): [file: string, name: string] {
  const [file = '', name = ''] = place.split(' ');
  return [`server/src/${file}`, name];
}

async function exportOf(file: string, name: string, keys: string[]): Promise<Record<string, unknown> | null> {
  const loaded = (await import(new URL(file, `file://${checkout}/`).href).catch((error: unknown) => {
    if (keys.every((key) => key.endsWith('?'))) return {};
    throw new Error(`There is no such limit: ${file} ${name} ${keys}`, { cause: error });
  })) as Record<string, Record<string, unknown>>;
  if (loaded[name]) return loaded[name];
  if (keys.every((key) => key.endsWith('?'))) return null;
  throw new Error(`There is no such limit: ${file} ${name} ${keys}${isMainThread ? '' : ' (in a thread)'}`);
}
