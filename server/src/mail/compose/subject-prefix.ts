/*
 * Prefixes that mail programs put before the subject of a reply or a forward, by language. One prefix in any language is enough, and a
 * subject that already has several keeps the first. "VS" is a reply in Finnish and a forward in Danish and Norwegian; it counts as a
 * forward.
 */
const replyWords = [
  're|ref|rép|réf', // English, Latin, French
  'aw|antw|antwort', // German, Dutch
  'sv|svar', // Swedish, Norwegian, Danish, Icelandic
  'vast', // Finnish
  'rif|ri|r', // Italian
  'res', // Portuguese
  'odp', // Polish
  'vá', // Hungarian
  'ynt', // Turkish
  'ats|atb', // Lithuanian, Latvian
  'απ|σχετ', // Greek
  'отв|ответ', // Russian
  '回复|回覆|答复|答覆|返信|답장', // Chinese, Japanese, Korean
];
const forwardWords = [
  'fw|fwd|fwrd', // English
  'wg', // German
  'tr|transf', // French
  'vs|vb|vl', // Danish and Norwegian, Swedish, Finnish
  'doorst', // Dutch
  'rv|reenv|enc|res\\.? ?enc|i', // Spanish, Portuguese, Italian
  'pd|přepos|fs', // Polish, Czech, Slovak
  'továbbítás', // Hungarian
  'ilt|i̇lt|iletilen', // Turkish
  'πρθ', // Greek
  'пересл|переслано', // Russian
  '转发|轉寄|転送|전달', // Chinese, Japanese, Korean
];

const lengthMax = 998;
// Outlook writes "RE[2]:", other programs "Re^2:" or "Re(2):", and French ones a space before the colon.
const ending = String.raw`[\s]{0,3}(?:[\[(^]\d{1,3}[\])]?)?[\s]{0,3}:\s{0,9}`;
const replyPrefix = new RegExp(`^(?:${replyWords.join('|')})${ending}`, 'iu');
const forwardPrefix = new RegExp(`^(?:${forwardWords.join('|')})${ending}`, 'iu');

/** Returns the subject of a reply: `Re: …`, or the subject itself if it already has such a prefix in any language. */
export function replySubject(subject: string): string {
  return withPrefix('Re:', replyPrefix, subject);
}

/** Returns the subject of a forward: `Fwd: …`, or the subject itself if it already has such a prefix in any language. */
export function forwardSubject(subject: string): string {
  return withPrefix('Fwd:', forwardPrefix, subject);
}

const listTag = /^\s*(?:\[[^\]]{0,60}\]\s*){0,3}/;

/** Returns whether a subject marks a reply, in any language, even after the tag of a mailing list. */
export function isReplySubject(subject: string): boolean {
  return matchPrefix(replyPrefix, subject.slice(0, 200).replace(listTag, '')) > 0;
}

/** Returns whether a subject begins with "VS", which marks a reply in Finnish mail programs and a forward in Danish and Norwegian ones. */
export function isAmbiguousSubject(subject: string): boolean {
  return /^\s*vs\s*:/i.test(subject.slice(0, 200).replace(listTag, ''));
}

/** Returns whether a subject marks a forward, in any language, even after the tag of a mailing list. */
export function isForwardSubject(subject: string): boolean {
  return matchPrefix(forwardPrefix, subject.slice(0, 200).replace(listTag, '')) > 0;
}

function withPrefix(prefix: string, known: RegExp, subject: string): string {
  const line = subject
    .slice(0, 4 * lengthMax)
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  const first = matchPrefix(known, line);
  if (first === 0) return cut(line === '' ? prefix : `${prefix} ${line}`);
  let rest = line.slice(first);
  for (let next = matchPrefix(known, rest); next > 0; next = matchPrefix(known, rest))
    rest = rest.slice(next);
  return cut(`${line.slice(0, first).trim()} ${rest}`.trim());
}

/** Returns the length of the prefix that a text begins with, or 0 if it has none. Full-width letters and colons count, too. */
function matchPrefix(known: RegExp, text: string): number {
  const head = text.slice(0, 40);
  const folded = Array.from(head, (letter) => foldWidth(letter)).join('');
  return known.exec(folded)?.[0].length ?? 0;
}

/** Returns a full-width form as its ASCII character, so that the text keeps its length. */
function foldWidth(letter: string): string {
  const code = letter.charCodeAt(0);
  return letter.length === 1 && code >= 0xff01 && code <= 0xff5e
    ? String.fromCharCode(code - 0xfee0)
    : letter;
}

function cut(subject: string): string {
  return subject.length <= lengthMax ? subject : subject.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '');
}
