import type { Approval, HiddenPart } from '@postrider/contract/console';
import { proveSender } from '../mail/message/plain-words.ts';

/** The visible parts of an HTML text, as far as warnings need them. */
export interface ShownHtml {
  text: string;
  links: ShownLink[];
}

/** A point that people should check before they approve. */
export type Warning =
  /** Some readers see more, or less, than the page shows. */
  | { kind: 'hidden'; parts: HiddenPart[] }
  /** The original message asked for replies to somebody other than its writer. */
  | { kind: 'diverted'; address: string; writer: string }
  /** Replies to this message would not come back to the inbox. */
  | { kind: 'answers_elsewhere'; addresses: string[] }
  /** Nobody knows who wrote the original message. */
  | { kind: 'unproven_writer'; writer: string }
  /** Recipients that the original message does not name. */
  | { kind: 'added'; addresses: string[] }
  | { kind: 'no_text' }
  | { kind: 'texts_differ' }
  | { kind: 'links'; links: MisleadingLink[] }
  | { kind: 'files'; files: MisnamedFile[] };

type Checked = Pick<Approval, 'answers' | 'correspondents' | 'inbox_address'> & {
  message: Pick<Approval['message'], 'body_text' | 'reply_to_addrs' | 'attachments'>;
};

/** Returns the points to check before approving, worst first. `html` is null without HTML, and `hidden` is what not everyone sees. */
export function findWarnings(
  approval: Checked,
  html: ShownHtml | null,
  hidden: HiddenPart[] = [],
): Warning[] {
  const files = misnamedFiles(approval.message.attachments);
  return [
    ...(hidden.length > 0 ? [{ kind: 'hidden', parts: hidden } as const] : []),
    ...warningsOfAddresses(approval),
    ...warningsOfTexts(approval.message.body_text, html),
    ...(files.length > 0 ? [{ kind: 'files', files } as const] : []),
  ];
}

function warningsOfAddresses({ answers, correspondents, inbox_address, message }: Checked): Warning[] {
  const warnings: Warning[] = [];
  for (const { address, reply_to_of } of correspondents)
    if (reply_to_of !== null) warnings.push({ kind: 'diverted', address, writer: reply_to_of });
  const elsewhere = message.reply_to_addrs.filter((address) => !isSame(address, inbox_address));
  if (elsewhere.length > 0) warnings.push({ kind: 'answers_elsewhere', addresses: elsewhere });
  if (answers === null) return warnings;
  const proof = proveSender(answers);
  if (proof !== null && proof.level !== 'proven')
    warnings.push({ kind: 'unproven_writer', writer: answers.from_addr });
  const { from_addr, reply_to_addrs, to_addrs, cc_addrs, bcc_addrs } = answers;
  const known = [from_addr, ...reply_to_addrs, ...to_addrs, ...cc_addrs, ...bcc_addrs, inbox_address];
  const added = correspondents
    .map(({ address }) => address)
    .filter((address) => !known.some((one) => isSame(one, address)));
  if (added.length > 0) warnings.push({ kind: 'added', addresses: added });
  return warnings;
}

function warningsOfTexts(plain: string | null, html: ShownHtml | null): Warning[] {
  if (html === null) return [];
  const links = misleadingLinks(html.links);
  const warnings: Warning[] = links.length > 0 ? [{ kind: 'links', links }] : [];
  if (plain === null || plain.trim() === '')
    return html.text.trim() === '' ? warnings : [...warnings, { kind: 'no_text' }];
  return doTextsDiffer(html.text, plain) ? [...warnings, { kind: 'texts_differ' }] : warnings;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The versions of a message differ if more of the words of one are missing in the other. */
const missingShareMax = 0.3;
/** With fewer words, a single different word means nothing. */
const wordsMin = 4;

/** Returns whether the formatted and the plain version of a message say visibly different things. */
export function doTextsDiffer(formatted: string, plain: string): boolean {
  const [one, other] = [splitWords(formatted), splitWords(plain)];
  return isMissing(one, other) || isMissing(other, one);
}

function isMissing(words: readonly string[], among: readonly string[]): boolean {
  if (words.length < wordsMin) return false;
  const known = new Set(among);
  return words.filter((word) => !known.has(word)).length > words.length * missingShareMax;
}

const hostLike = /[\p{L}\p{N}]\.\p{L}{2}/u;

/** Hosts and addresses are written in many ways, and the targets of links are in one version only. Quoting marks are no words. */
function splitWords(text: string): string[] {
  const pieces = text.toLowerCase().split(/\s+/);
  return pieces
    .filter((piece) => !hostLike.test(piece))
    .flatMap((piece) => piece.match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** A link of an HTML text, with the text that people see. */
export interface ShownLink {
  text: string;
  href: string;
}

/** A link that shows another host than it leads to. */
export interface MisleadingLink {
  shown: string;
  leadsTo: string;
}

// It ends before `@`: people read the name before it as the host.
const named = /(?:https?:\/\/|www\.)[^\s/?#:<>"@]{1,253}/gi;
const whole = /^(?:[^\s@/:]{1,64}@)?((?:[\p{L}\p{N}_-]{1,63}\.){1,10}[\p{L}-]{2,63})(?:[/?#:]\S*)?$/u;

/** Returns the links whose text names a host that is neither the one that they lead to nor a domain above it, each once. */
export function misleadingLinks(links: readonly ShownLink[]): MisleadingLink[] {
  const found = new Map<string, MisleadingLink>();
  for (const { text, href } of links) {
    const leadsTo = targetHost(href);
    if (leadsTo === null) continue;
    for (const shown of hostsIn(text.trim()))
      if (!isWithin(leadsTo, shown) && !namesFile(href, text.trim()))
        found.set(`${shown} ${leadsTo}`, { shown, leadsTo });
  }
  return [...found.values()];
}

/** Returns the hosts that a text names: each with its protocol or `www.`, or the text itself if it is one address, host or URL. */
function hostsIn(text: string): string[] {
  const alone = whole.exec(text)?.[1];
  const hosts = alone === undefined ? [...text.matchAll(named)].map(([found]) => found) : [alone];
  return hosts.flatMap((host) => comparedHost(/^https?:/i.test(host) ? host : `http://${host}`) ?? []);
}

function targetHost(href: string): string | null {
  const address = /^mailto:[^?]*@([^?,]+)/i.exec(href)?.[1];
  return comparedHost(address === undefined ? href : `http://${address}`);
}

/** Returns the host of a URL as it is compared: in ASCII, and without `www.`. */
function comparedHost(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) && hostname !== ''
    ? hostname.replace(/^www\./, '').replace(/\.$/, '')
    : null;
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** The name of a file such as `report.pdf` looks like a host. */
function namesFile(href: string, text: string): boolean {
  return new URL(href).pathname.endsWith(`/${text}`);
}

/** A file whose name promises another kind than its type. */
export type MisnamedFile = Pick<Approval['message']['attachments'][number], 'filename' | 'mime_type'>;

/** The ends of names that go with types. An office document is an archive, too. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^application\/pdf$/, 'pdf'],
  [/^image\//, 'png jpg jpeg jpe jfif gif webp bmp tif tiff svg svgz heic heif avif ico'],
  [/^audio\//, 'mp3 wav ogg oga m4a flac aac opus amr mid midi weba webm'],
  [/^video\//, 'mp4 mov avi webm mkv m4v mpg mpeg ogv 3gp wmv ts'],
  [/msword|wordprocessingml/, 'doc docx docm dot dotx rtf'],
  [/ms-excel|spreadsheetml/, 'xls xlsx xlsm xlsb xlt xltx csv'],
  [/ms-powerpoint|presentationml/, 'ppt pptx pptm pps ppsx pot potx'],
  [/opendocument/, 'odt ods odp odg odf ott ots otp'],
  [/^message\/rfc822$/, 'eml mht mhtml txt'],
  [
    /[/-](?:zip|gzip|x-tar|tar|7z-compressed|rar|rar-compressed)$/,
    'zip gz tgz tar 7z rar docx xlsx pptx odt ods odp epub',
  ],
];
const programs =
  'exe com scr pif msi msix dll cpl sys lnk jar hta bat cmd ps1 vbs vbe jse wsf apk dmg pkg iso img';
const binary = new Set([
  ...kinds.slice(0, -2).flatMap(([, ends]) => ends.split(' ')),
  ...programs.split(' '),
]);
const textual = new Set('csv rtf svg ts bat cmd ps1 vbs'.split(' '));

/** Returns the files that say to be of one kind and are named as another, such as `invoice.exe` of the type `application/pdf`. */
export function misnamedFiles<File extends MisnamedFile>(files: readonly File[]): File[] {
  return files.filter(({ filename, mime_type }) => {
    const end = /\.([^.]+)$/.exec(filename ?? '')?.[1]?.toLowerCase();
    return end !== undefined && !fits(end.trim(), mime_type.toLowerCase().split(';')[0]?.trim() ?? '');
  });
}

function fits(end: string, type: string): boolean {
  if (type.startsWith('text/')) return !binary.has(end) || textual.has(end);
  const [, ends] = kinds.find(([types]) => types.test(type)) ?? [];
  return ends === undefined || ends.split(' ').includes(end);
}
