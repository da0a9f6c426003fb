import { cleanText } from '../../lib/texts.ts';
import { parseLimits } from './read-header-fields.ts';

const bracketedPattern = /<([^<>]+)>/g;
const separatorPattern = /[\s<>"(),;]+/;

/**
 * Returns the message ids in a header value (RFC 5322, section 3.6.4), each once, with its angle brackets and in their order. Words and
 * comments between them are ignored. If nothing has brackets, words that look like ids are taken. White space inside brackets comes from a
 * line that was folded there. Ids of more than 997 characters are garbage and are left out.
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

/** Uses no pattern, since one for both sides of the at sign takes quadratic time on a long word without one. */
function looksLikeId(word: string): boolean {
  const at = word.indexOf('@', 1);
  return at > 0 && at < word.length - 1;
}

/** Texts of programs that have no id: words for nothing, and templates that were not filled in. */
const placeholderPattern =
  /^<(?:["'[(]*(?:null|undefined|none|nil|nan|false|true|unknown|empty)["'\])]*@|[^@]*(?:\{\{|\$\{|%[sd]))/i;

/**
 * Returns whether a mail joins a thread by this id. An id without an at sign and text on both sides is not unique, and neither are a
 * placeholder and one of the `addresses` of the mail: many mails of strangers have the same.
 */
export function isThreadId(id: string, addresses: ReadonlySet<string> = new Set()): boolean {
  const bare = id.slice(1, -1);
  return looksLikeId(bare) && !placeholderPattern.test(id) && !addresses.has(bare.toLowerCase());
}

/** Returns the id of a Message-ID field, or null. An id that lacks both brackets and an at sign is accepted, too. */
export function readOwnMessageId(value: string): string | null {
  const [first] = readMessageIds(value);
  if (first !== undefined) return first;
  const bare = cleanText(value).replace(/^<|>$/g, '').trim();
  return /^[^\s<>]+$/.test(bare) && bare.length <= parseLimits.idLengthMax ? `<${bare}>` : null;
}

/**
 * Returns the ids of a References chain, each at its last position, without the mail's own id. Of more than 500, the first one and the last
 * 499 are kept.
 */
export function readReferences(values: string[], ownId: string | null): string[] {
  const newestFirst = values.flatMap(readMessageIds).reverse();
  const ids = [...new Set(newestFirst)].filter((id) => id !== ownId).reverse();
  const { referencesMax } = parseLimits;
  return ids.length <= referencesMax ? ids : [...ids.slice(0, 1), ...ids.slice(1 - referencesMax)];
}
