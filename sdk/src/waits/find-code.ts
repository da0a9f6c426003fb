/*
 * Finds the one-time code in an email: digits, or letters and digits, near a word that announces a code. Mail
 * has many other numbers, which do not count. The subject is searched first, then the new text, then the whole text.
 */
import type { Message } from '../generated/types.ts';
import { afterOtherNumber, bargain, beforeOtherNumber, codeWords } from './code-words.ts';
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
 * The maximum distance from the word that announces a code to a code after it, in characters: on a line of its own, and in a sentence.
 */
const behindMax = 200;
const behindInSentenceMax = 70;
/** The maximum distance from a code to that word after it: "123456 is your code". */
const beforeMax = 60;

// A number next to a Latin letter is part of something else. Other scripts may have no spaces between words.
const start = '(?<![\\w\\u00c0-\\u024f])(?<!\\d[ .,:/()\\u2010-\\u2015-]{1,2})(?<![A-Za-z][-.])';
const end = '(?![\\w\\u00c0-\\u024f])(?![ .,:/\\u2010-\\u2015-]{1,2}\\d)';
const gap = '[ \\u00a0]';
/** Finds what may be a code. */
export const candidates = new RegExp(
  `${start}(?:\\d(?:${gap}\\d){3,8}|\\d\\d(?:${gap}\\d\\d){2,3}|\\d{3}(?:${gap}\\d{3}){1,2}|\\d{3}(?:-\\d{3}){1,2}|` +
    `\\d{4}(?:${gap}|-)\\d{4}|\\d{4,9}|[A-Z]{1,3}-\\d{4,8}|(?=[a-z-]*[A-Z0-9])[A-Za-z0-9]{3,5}(?:-[A-Za-z0-9]{2,5}){1,3}|` +
    `(?=[A-Za-z]*\\d)(?=\\d*[A-Za-z])[A-Za-z0-9]{4,10}|[A-Z]{4,8})${end}`,
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
  const words = [...text.matchAll(codeWords)].map(({ index, 0: word, groups }) => ({
    start: index,
    end: index + word.length,
    isOther: groups?.other !== undefined,
  }));
  let best: Candidate | null = null;
  for (const { 0: raw, index } of [...text.matchAll(candidates)].slice(0, candidatesMax)) {
    const score = scoreCode(text, raw, index, words);
    if (score > (best?.score ?? 0)) best = { code: clean(raw), score };
  }
  return best?.code ?? null;
}

/** A word that announces a code, or a code of another kind. */
interface Word {
  start: number;
  end: number;
  isOther: boolean;
}

/** Returns how much a candidate looks like the code; 0 if it is not one. */
function scoreCode(text: string, raw: string, at: number, all: Word[]): number {
  const before = text.slice(Math.max(0, at - behindMax), at);
  const behind = text.slice(at + raw.length, at + raw.length + beforeMax);
  if (beforeOtherNumber.test(before.slice(-40)) || afterOtherNumber.test(behind)) return 0;
  if (isOfOtherCode(text, raw, at, all)) return 0;
  const words = all.filter(({ isOther }) => !isOther);
  const ahead = words.findLast((word) => word.end <= at);
  const after = words.find((word) => word.start >= at + raw.length);
  const aheadBy = ahead === undefined ? Number.POSITIVE_INFINITY : at - ahead.end;
  const afterBy = after === undefined ? Number.POSITIVE_INFINITY : after.start - at - raw.length;
  if (aheadBy > behindMax && afterBy > beforeMax) return 0;
  const isAlone = /(?:^|\n)\W*$/u.test(before) && /^\W*(?:\n|$)/u.test(behind);
  const isNamed =
    ahead !== undefined &&
    /^(?:\W|\b(?:is|ist|lautet|est|es|è|é|jest|är|er|on|to)\b){0,6}$/iu.test(text.slice(ahead.end, at));
  if (!isAlone && aheadBy > behindInSentenceMax && afterBy > beforeMax) return 0;
  if (!isAlone && !isNamed && (isDate(raw) || /^[A-Z]+$/u.test(raw))) return 0;
  if (/[A-Z]/u.test(raw) && bargain.test(before.slice(-80) + behind)) return 0;
  // A word with digits is usually a name, a unit or a version, unless the text says that it is the code.
  if (/[a-z]/u.test(raw) && !isAlone && !isNamed) return 0;
  // A line in capitals is more often a heading than a code.
  if (/^[A-Z]+$/u.test(raw) && !isNamed) return 0;
  const nearness = 1 - Math.min(aheadBy / behindMax, afterBy / beforeMax, 1);
  return 1 + nearness + (isAlone ? 1 : 0) + (isNamed ? 1 : 0) + (/^\d[\d -]*$/u.test(raw) ? 0.5 : 0);
}

/** Returns whether the code of another kind is named right before or after a candidate. */
function isOfOtherCode(text: string, raw: string, at: number, all: Word[]): boolean {
  const ahead = all.findLast((word) => word.end <= at);
  if (ahead?.isOther && /^[^.!?。\n]{0,25}$/u.test(text.slice(ahead.end, at))) return true;
  const after = all.find((word) => word.start >= at + raw.length);
  return (
    after?.isOther === true &&
    /^ (?:is|ist|est|es|è)\b[^.!?\n]{0,12}$/u.test(text.slice(at + raw.length, after.start))
  );
}

/** Returns whether a number is a year, or a date without separators. */
function isDate(raw: string): boolean {
  return /^(?:19|20)\d\d(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))?$/u.test(raw);
}

/** Returns the code as it is written, without the gaps that only make digits easier to read. */
function clean(raw: string): string {
  return raw.replace(/[ \u00a0]/gu, '');
}
