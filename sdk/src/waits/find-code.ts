/*
 * Finds the one-time code in a mail: digits or capitals near a word that announces a code. Mail has many
 * other numbers, which do not count. The subject is searched first, then the new text, then the whole text.
 */
import type { Message } from '../generated/types.ts';
import { readHtml } from './read-html.ts';

/** Returns the one-time code of a message, or the match of `pattern`. Returns null if there is none. */
export function findCode(
  message: Pick<Message, 'subject' | 'extracted_text' | 'body_text' | 'body_html'>,
  pattern?: RegExp,
): string | null {
  const { subject, extracted_text, body_text, body_html } = message;
  const find = pattern === undefined ? codeIn : (text: string) => matchIn(text, pattern);
  // The subject often only announces the code in the text, as in "Your code".
  return (
    find(subject) ??
    find(extracted_text ?? '') ??
    find(body_text ?? '') ??
    find(body_html === null ? '' : readHtml(body_html).text)
  );
}

function matchIn(text: string, pattern: RegExp): string | null {
  // A copy does not change the `lastIndex` of a global or sticky expression.
  const [whole, group] = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).exec(text) ?? [];
  return (group ?? whole) || null;
}

/**
 * The greatest distance of a code after the word that announces it, in characters: on a line of its own, and
 * in a sentence.
 */
const behindMax = 200;
const behindInSentenceMax = 70;
/** The greatest distance of a code before that word: "123456 is your code". */
const beforeMax = 60;

// Compounds count, as in "Bestätigungscode". Codes of other kinds do not.
const otherCodes =
  '(?<!\\b(?:promo|promotion|discount|coupon|voucher|gift|referral|zip|postal|post|area|country|error|status|qr|bar|source|dress|tracking|booking|sort|swift|product|order|http)[\\s-]?)';
const announcing = new RegExp(
  `${otherCodes}(?:codes?|kodes?)\\b(?! ?(?:base|review|of conduct))|passcode|\\bpin\\b|\\btan\\b|\\botp\\b|one-time|verification|` +
    '\\bcódigos?|\\bcodice\\b|\\bcodul?\\b|\\bkod(?:u|em|en|ie)?\\b|(?:engångs|bekräftelse)kod|\\bkód\\b|koodi|κωδικ|код|רמז|קוד|רמז|رمز|कोड|ओटीपी|รหัส|\\bmã\\b|' +
    'einmal(?:kenn|pass)wort|验证码|驗證碼|认证码|安全码|校验码|动态码|認証番号|コード|인증번호|코드',
  'giu',
);

/** Text before a number that shows that it is not a code, whatever else is near. */
const otherNumber =
  /(?:[$€£¥#+@=&©]\s?|\b(?:orders?|invoice|ticket|case|reference|ref|account|card|booking|tracking|customer|flight|bestellung|rechnung|kundennummer|commande|pedido|suite|box|room|usd|eur|gbp|ending(?: in)?|ends(?: in| with)?|endend auf|copyright)\W{0,3}(?:(?:no|nr|number|nummer|id|is)\b)?\W{0,3})$/iu;
/** Text after a number that shows the same. */
const otherUnit =
  /^\s?(?:%|€|\$|£|¥|(?:usd|eur|gbp|chf|kb|mb|gb|px|am|pm|(?:minut|second|sekund|hour|stunde|day|tage|user|people|point|mile)\w*)\b|\p{L}+ (?:road|rd|street|st|avenue|ave|boulevard|blvd|drive|lane|parkway|way|straße|strasse)\b)/iu;
/** Text near a code for a discount, not for signing in. */
const bargain = /checkout|discount|coupon|% ?off|promo|save \d|rabatt|gutschein|remise|descuento|sconto/iu;

// A number next to a Latin letter is part of something else. Other scripts may have no spaces between words.
const start = '(?<![\\w\\u00c0-\\u024f])(?<!\\d[ .,:/()\\u2010-\\u2015-]{1,2})';
const end = '(?![\\w\\u00c0-\\u024f])(?![ .,:/\\u2010-\\u2015-]{1,2}\\d)';
const candidates = new RegExp(
  `${start}(?:\\d(?:[ \\u00a0]\\d){3,7}|\\d{3}[ \\u00a0-]\\d{3}|\\d{4}[ \\u00a0-]\\d{4}|\\d{4,8}|[A-Z]-\\d{4,8}|` +
    `[A-Z0-9]{3,5}-[A-Z0-9]{3,5}|(?=[A-Z]*\\d)(?=\\d*[A-Z])[A-Z0-9]{4,10}|[A-Z]{4,8})${end}`,
  'gu',
);

/** Mail with a code is short and has few numbers. */
const lengthMax = 20_000;
const candidatesMax = 300;

interface Candidate {
  code: string;
  score: number;
}

function codeIn(original: string): string | null {
  const text = original
    .slice(0, lengthMax)
    .replace(/(?:https?:\/\/|www\.)\S+|[^\s@]{1,64}@\S+/giu, ' ')
    .replace(/[ \t\r]+/g, ' ');
  const words = [...text.matchAll(announcing)].map(({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
  }));
  let best: Candidate | null = null;
  for (const { 0: raw, index } of [...text.matchAll(candidates)].slice(0, candidatesMax)) {
    const score = scoreOf(text, raw, index, words);
    if (score > (best?.score ?? 0)) best = { code: clean(raw), score };
  }
  return best?.code ?? null;
}

/** Returns how much a candidate looks like the code; 0 if it is not one. */
function scoreOf(text: string, raw: string, at: number, words: { start: number; end: number }[]): number {
  const before = text.slice(Math.max(0, at - behindMax), at);
  const behind = text.slice(at + raw.length, at + raw.length + beforeMax);
  if (otherNumber.test(before.slice(-40)) || otherUnit.test(behind)) return 0;
  const ahead = words.findLast((word) => word.end <= at);
  const after = words.find((word) => word.start >= at + raw.length);
  const aheadBy = ahead === undefined ? Number.POSITIVE_INFINITY : at - ahead.end;
  const afterBy = after === undefined ? Number.POSITIVE_INFINITY : after.start - at - raw.length;
  if (aheadBy > behindMax && afterBy > beforeMax) return 0;
  const isAlone = /(?:^|\n)\W*$/u.test(before) && /^\W*(?:\n|$)/u.test(behind);
  const isNamed =
    ahead !== undefined &&
    /^(?:\W|\b(?:is|ist|lautet|est|es|è|é|jest|är|er)\b){0,6}$/iu.test(text.slice(ahead.end, at));
  if (!isAlone && aheadBy > behindInSentenceMax && afterBy > beforeMax) return 0;
  if (!isAlone && !isNamed && (isDate(raw) || /^[A-Z]+$/u.test(raw))) return 0;
  if (/[A-Z]/u.test(raw) && bargain.test(before.slice(-80) + behind)) return 0;
  // A line of capitals is a heading more often than a code.
  if (/^[A-Z]+$/u.test(raw) && !isNamed) return 0;
  const nearness = 1 - Math.min(aheadBy / behindMax, afterBy / beforeMax, 1);
  return 1 + nearness + (isAlone ? 1 : 0) + (isNamed ? 1 : 0) + (/^\d[\d -]*$/u.test(raw) ? 0.5 : 0);
}

/** Returns whether a number is a year, or a date without separators. */
function isDate(raw: string): boolean {
  return /^(?:19|20)\d\d(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))?$/u.test(raw);
}

/**
 * Returns the code as it is typed: digits without their gaps, and without the letter that some senders put
 * before them.
 */
function clean(raw: string): string {
  const digits = raw.replace(/[ \u00a0-]/gu, '');
  if (/^\d+$/u.test(digits)) return digits;
  return /^[A-Z]-\d+$/u.test(raw) ? raw.slice(2) : raw;
}
