/*
 * Says why a link in a mail must not be followed: its text shows a different place from the one it leads to. A sender who is proven for the
 * shown place may use a click counter. From any other sender, a click counter counts as a different place.
 */
import { domainToUnicode } from 'node:url';
import type { CallContext } from '../context.ts';

/** The reason why a link is doubtful. */
export interface Doubt {
  why: 'shows_another' | 'user_name' | 'lookalike';
  /** The shown host, for `shows_another`. */
  shown: string | null;
  target: string;
}

/** Returns why a link is doubtful, or null if it is not. `proven` is the domain that the sender is proven for. */
export function judgeLink(
  { url, texts }: { url: string; texts: string[] },
  proven: string | null,
): Doubt | null {
  const { hostname: target, username, password } = new URL(url);
  // In https://bank.example@other.example/ the part before the @ is not a host.
  if (username !== '' || password !== '') return { why: 'user_name', shown: null, target };
  if (isLookalike(target) && !isSameSite(target, proven)) return { why: 'lookalike', shown: null, target };
  const shown = texts.flatMap(hostsIn).find((host) => !isSameSite(host, target) && !isSameSite(host, proven));
  return shown === undefined ? null : { why: 'shows_another', shown, target };
}

/** Returns a doubt as a sentence. The host names come from the sender. */
export function sayDoubt(doubt: Doubt, fence: CallContext['fence']): string {
  const target = fence.line(domainToUnicode(doubt.target) || doubt.target);
  const { why, shown } = doubt;
  if (why === 'user_name') return `its address has a user name in front of the host ${target}.`;
  if (shown === null) return `the name of its host ${target} contains letters that look like other letters.`;
  return `its text shows ${fence.line(shown)}, but it leads to ${target}, and the sender is not proven to be from the shown host.`;
}

const charactersReadMax = 2_000;
/** A host name in a text. File names, and sentences without a space between them, do not count. */
const hostInText =
  /(?<![\p{L}\p{N}@._-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?[.。．｡]){1,8}(?!(?:pdf|png|jpe?g|gif|html?|docx?|xlsx?|txt|js|css|ics)(?![\p{L}\p{N}]))(?:[a-z]{2,24}|[A-Z]{2,24}|[A-Za-z]{2,3}|xn--[a-z0-9-]{1,59}|(?![A-Za-z])\p{L}{2,24})(?![\p{L}\p{N}@-])/gu;
const urlInText = /https?:\/\/[^\s<>"']+/giu;

/** Returns the hosts that a text shows. Invisible characters do not split a name, and email addresses are not hosts. */
function hostsIn(text: string): string[] {
  const plain = text.slice(0, charactersReadMax).replaceAll(/\p{Cf}|\u034f|[\u115f\u1160\u3164]/gu, '');
  const urls = [...plain.matchAll(urlInText)].map(([url]) => url);
  const names = [...plain.replaceAll(urlInText, ' ').matchAll(hostInText)].map(([name]) => `https://${name}`);
  return [...urls, ...names].flatMap((url) => {
    if (!URL.canParse(url)) return [];
    const { hostname, username } = new URL(url);
    // People read the name before an @ as the host.
    return username === '' ? [hostname] : [username, hostname];
  });
}

/** Hosts below which anyone can have a name. */
const shared =
  /(?:^|\.)(?:github\.io|gitlab\.io|pages\.dev|workers\.dev|vercel\.app|netlify\.app|web\.app|firebaseapp\.com|herokuapp\.com|blogspot\.[a-z.]+|azurewebsites\.net|cloudfront\.net|amazonaws\.com|appspot\.com|onrender\.com|fly\.dev|ngrok(?:-free)?\.(?:io|app|dev)|myshopify\.com|wordpress\.com|weebly\.com|wixsite\.com|sharepoint\.com|webflow\.io|r2\.dev)$/;
/** Names of two parts below which registries sell names, such as `co.uk`. */
const registry = /(?:^|\.)(?:[a-z]{2,3}|gouv|gob|info|name|firm|store)\.[a-z]{2}$/;

/** Returns whether two hosts have the same owner, judging by their names. */
function isSameSite(one: string, other: string | null): boolean {
  if (other === null) return false;
  const [a, b] = [registrableDomain(one), registrableDomain(other)];
  return a === b && a !== '';
}

/** Returns the part of a host that its owner registered. An IP address is returned whole. */
function registrableDomain(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (/^[\d.]+$|^\[/.test(name)) return name;
  const labels = name.split('.');
  const suffix = labels.slice(-2).join('.');
  const parts = shared.test(name) || (labels.length > 2 && registry.test(suffix)) ? 3 : 2;
  return labels.slice(-parts).join('.');
}

const latin = /\p{Script=Latin}/u;
const lookalikes = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
/** Letters of other scripts that look like Latin ones. */
const drawnAsLatin = /^[авеӏіјкмнорԛѕтухԝһԁгпԍαικνορτυχγοрс0-9-]+$/u;

/**
 * Returns whether a part of a host mixes Latin letters with similar letters of another script, or consists only of letters that look Latin.
 */
function isLookalike(host: string): boolean {
  if (!host.includes('xn--')) return false;
  const labels = domainToUnicode(host).split('.');
  const isOfLatinZone = latin.test(labels.at(-1) ?? '');
  return labels.some(
    (label) => lookalikes.test(label) && (latin.test(label) || (isOfLatinZone && drawnAsLatin.test(label))),
  );
}
