/*
 * Finds the link in an email for a confirmation, a sign-in or a reset. The words of its address and of the
 * clicked text decide. Links that are common in any mail do not count.
 */

import { accepts } from '../accepts.ts';
import type { Message } from '../generated/types.ts';
import { isLoopback } from '../loopback.ts';
import { type HtmlLink, readHtml } from './read-html.ts';

/** Selects a link by its address: an expression that matches it, or a function that accepts it. */
export type LinkMatch = RegExp | ((url: string) => boolean);

type Bodies = Pick<Message, 'body_text' | 'body_html'>;

/** The options of the search for a link. */
export interface LinkSearch {
  match?: LinkMatch | undefined;
  /** Whether `http:` links to this machine count too. */
  allowsLocal?: boolean;
}

/**
 * Returns the first link that `match` accepts. Without `match`, returns the link that looks most like a
 * confirmation. Returns null if there is none.
 */
export function findLink(message: Bodies, { match, allowsLocal = false }: LinkSearch = {}): string | null {
  const links = readLinks(message);
  if (match !== undefined) return links.find(({ url }) => isMatch(match, url))?.url ?? null;
  return chooseBest(links, allowsLocal)?.url ?? null;
}

/**
 * Returns the link that looks most like a confirmation, with every text that is clicked to follow it. Links
 * of plain text have none: a reader sees where they lead. Returns null if there is no link.
 */
export function findLinkWithTexts(message: Bodies): { url: string; texts: string[] } | null {
  const best = chooseBest(readLinks(message), false);
  if (best === null) return null;
  const clicked = message.body_html === null ? [] : readHtml(message.body_html).links;
  return { url: best.url, texts: clicked.filter(({ url }) => url === best.url).map(({ text }) => text) };
}

function chooseBest(links: HtmlLink[], allowsLocal: boolean): HtmlLink | null {
  let best: HtmlLink | null = null;
  let bestScore = 0;
  for (const link of links) {
    const score = isSafe(link.url, allowsLocal) ? scoreLink(link) : 0;
    if (score > bestScore) [best, bestScore] = [link, score];
  }
  return best;
}

function isMatch(match: LinkMatch, url: string): boolean {
  // `search` does not change the `lastIndex` of a global or sticky expression.
  return typeof match === 'function' ? accepts(match, url) : url.search(match) >= 0;
}

function isSafe(url: string, allowsLocal: boolean): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (allowsLocal && isLoopback(hostname));
}

const urlsMax = 500;
/** Finds addresses in plain text. */
export const urlInText = /https?:\/\/[^\s<>"'`\u3000-\u303f\uff00-\uffef]{1,2000}/giu;

function readLinks({ body_html, body_text }: Bodies): HtmlLink[] {
  const inHtml = body_html === null ? [] : readHtml(body_html).links;
  const text = body_text ?? '';
  const inText: HtmlLink[] = [];
  for (const { 0: raw, index } of text.matchAll(urlInText)) {
    // In plain text, the words before an address take the place of the clicked text.
    const introducing = introduction(text.slice(Math.max(0, index - 120), index));
    inText.push({ url: withoutPunctuation(raw), text: introducing, before: '' });
    if (inText.length === urlsMax) break;
  }
  return [...inHtml, ...inText].filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url));
}

/** Returns the last two non-empty lines before an address, without anything before an earlier address. */
function introduction(before: string): string {
  const text = before.split(/https?:\/\/\S*/u).at(-1) ?? '';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-2).join(' ');
}

const punctuation = '.,;:!?*_~';
const openings = { ')': '(', ']': '[', '}': '{' };

/**
 * Returns an address without the punctuation after it, and without a closing bracket that was opened before
 * it.
 */
function withoutPunctuation(raw: string): string {
  const count = (character: string) => raw.split(character).length;
  /** The number of closing brackets in the address without an opening one, by closing bracket. */
  const surplus = new Map(
    Object.entries(openings).map(([closing, opening]) => [closing, count(closing) - count(opening)]),
  );
  // The scheme is not punctuation, so the loop ends there at the latest.
  for (let end = raw.length; ; end--) {
    const last = raw.charAt(end - 1);
    const tooMany = surplus.get(last) ?? 0;
    if (tooMany > 0) surplus.set(last, tooMany - 1);
    else if (!punctuation.includes(last)) return raw.slice(0, end);
  }
}

/** The words of links that confirm or sign in. */
export const wanted =
  /verif|confirm|activat|validat|sign[ _-]?in|signin|log[ _-]?in|magic|reset|password|passwort|invit|accept|auth|bestätig|aktivier|anmeld|zurücksetz|einlogg|vérifi|connexion|connecter|réinitialis|iniciar sesi|restablec|activar|entrar|redefin|ativar|conferma|accedi|reimpost|attiva|bevestig|inlogg|potwierd|zaloguj|bekräft|bekræft|bekreft|vahvista|onayla|doğrula|подтверд|войти|сброс|确认|验证|登录|激活|確認|驗證|登入|認証|ログイン|확인|인증|로그인/iu;
/** The words of links that any mail has. */
export const unwanted =
  /unsubscri|opt-?out|preferences|abmeld|abbestell|désabonn|désinscri|cancelar (?:la )?suscrip|disiscri|afmelden|subscription-center|view (?:it )?(?:in|on|this)|view-?online|webversion|im browser|privacy|datenschutz|terms|impressum|legal|\bhelp\b|support|contact|\babout\b|\bfaq\b|not (?:you|me)|wasn.t you|report/iu;
/** Addresses of other sites and of files. */
export const elsewhere =
  /^https?:\/\/(?:[\w-]+\.)*(?:facebook|twitter|x|instagram|linkedin|youtube|tiktok|w3|apps\.apple|play\.google)\.(?:com|org)(?:[/:?#]|$)|\.(?:png|jpe?g|gif|svg|webp|css|js|ico|woff2?|pdf)(?:[?#]|$)/iu;

/** Returns how much a link looks like the wanted one; 0 if it does not. */
function scoreLink({ url, text, before }: HtmlLink): number {
  if (elsewhere.test(url)) return 0;
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  if (unwanted.test(path) || unwanted.test(text)) return 0;
  // An address with a secret is meant for one person.
  const hasSecret = /[\w-]{16,}/u.test(path);
  const words = (wanted.test(text) ? 2 : 0) + (wanted.test(path) ? 2 : 0);
  const announced = hasSecret && wanted.test(before) ? 1 : 0;
  return words + announced === 0 ? 0 : words + announced + (hasSecret ? 1 : 0);
}
