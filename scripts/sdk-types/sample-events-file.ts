import { readFileSync } from 'node:fs';
import { eventKinds } from '../../contract/src/index.ts';
import { fileHead, literalText } from './type-text.ts';

const folder = new URL('../../contract/fixtures/events/', import.meta.url);

/** Returns the generated file with the contract's example of an event of each kind. */
export function sampleEventsFile(): string {
  const examples = eventKinds.map((kind) => {
    const example: unknown = JSON.parse(readFileSync(new URL(`${kind}.json`, folder), 'utf8'));
    return `  ${literalText(kind)}: ${JSON.stringify(example, null, 2).replaceAll('\n', '\n  ')},\n`;
  });
  return `${fileHead}
import type { Event, EventKind } from './types.ts';

/** An event of each kind. */
export const sampleEvents: { readonly [Kind in EventKind]: Extract<Event, { event: Kind }> } = {
${examples.join('')}};
`;
}
