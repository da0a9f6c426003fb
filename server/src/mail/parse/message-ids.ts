import { cleanText } from '../../lib/clean-text.ts';
import { parseLimits } from './parsed-mail.ts';

const bracketedPattern = /<([^<>]+)>/g;
const separatorPattern = /[\s<>"(),;]+/;

/**
 * The message ids that a header value names (RFC 5322, section 3.6.4), each with its angle brackets and once, in their
 * order. Words and comments between them are ignored; where nothing has brackets, what looks like an id is taken. White space inside
 * of brackets comes from a line that was folded there. Ids of more than 997 characters are garbage.
 */
export function readMessageIds(value: string): string[] {
  const text = cleanText(value);
  const bracketed = Array.from(text.matchAll(bracketedPattern), ([, id = '']) => joinFolded(id)).filter(
    Boolean,
  );
  const found = bracketed.length > 0 ? bracketed : text.split(separatorPattern).filter(looksLikeId);
  const ids = found.filter((id) => id.length <= parseLimits.idLengthMax).map((id) => `<${id}>`);
  return [...new Set(ids)];
}

function joinFolded(id: string): string {
  const parts = id.trim().split(/\s+/);
  return parts.length === 1 || (parts.length === 2 && looksLikeId(parts.join(''))) ? parts.join('') : '';
}

/** A pattern for both sides of the at sign takes quadratic time on a long word without one. */
function looksLikeId(word: string): boolean {
  const at = word.indexOf('@', 1);
  return at > 0 && at < word.length - 1;
}

/** The one id of a Message-ID field, or null; an id that lacks both brackets and an at sign is taken as it is. */
export function readOwnMessageId(value: string): string | null {
  const [first] = readMessageIds(value);
  if (first !== undefined) return first;
  const bare = cleanText(value).replace(/^<|>$/g, '').trim();
  return /^[^\s<>]+$/.test(bare) && bare.length <= parseLimits.idLengthMax ? `<${bare}>` : null;
}

/** The ids of a References chain, each where it stands last, without the mail's own id; of more than 500 the first one and the last. */
export function readReferences(values: string[], ownId: string | null): string[] {
  const newestFirst = values.flatMap(readMessageIds).reverse();
  const ids = [...new Set(newestFirst)].filter((id) => id !== ownId).reverse();
  const { referencesMax } = parseLimits;
  return ids.length <= referencesMax ? ids : [...ids.slice(0, 1), ...ids.slice(1 - referencesMax)];
}
