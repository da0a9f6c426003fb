/*
 * Loaded before a server (`NODE_OPTIONS=--import <this file>?checkout=…&limits=…`). Sets numbers on the server's objects of limits, so that
 * a control can show what happens without one. `limits` is JSON such as `{"contract": {"answerBytesMax": 1000000000},
 * "mail/parse/parsed-mail.ts parseLimits": {"addressesMax": 100}}`. A key is a file below `server/src` and the object that it exports, or
 * `contract` for `contract/src/limits.ts`. An unknown name ends the process, unless it ends in `?`, which marks a limit that a server may
 * lack.
 */
import { type LimitValue, loosenObject } from './loosen-object.ts';

type Loaded = Record<string, Record<string, unknown> | undefined>;

const query = new URL(import.meta.url).searchParams;
const checkout = query.get('checkout');
const wanted = JSON.parse(query.get('limits') ?? '{}') as Record<string, Record<string, LimitValue>>;

for (const [place, values] of Object.entries(wanted)) {
  const [file = '', name = ''] =
    place === 'contract' ? ['contract/src/limits.ts', 'limits'] : `server/src/${place}`.split(' ');
  const mayLack = Object.keys(values).every((key) => key.endsWith('?'));
  const loaded = await import(new URL(file, `file://${checkout}/`).href).catch((error: unknown) => {
    if (mayLack) return {};
    throw new Error(`There is no such limit: ${place}`, { cause: error });
  });
  const object = (loaded as Loaded)[name];
  if (object) loosenObject(place, object, values);
  else if (!mayLack) throw new Error(`There is no such limit: ${place}`);
}
