/** A declaration of CSS that may hide text or show it. */
export interface Declaration {
  property: string;
  value: string;
  isImportant: boolean;
}

const read = new Set(
  (
    'display visibility opacity font-size font line-height color -webkit-text-fill-color background background-color background-image height ' +
    'max-height width max-width overflow overflow-x overflow-y position left right top bottom text-indent margin margin-left margin-top ' +
    'transform scale zoom clip clip-path filter content-visibility white-space'
  ).split(' '),
);
/** Returns the declarations of a style attribute or of a rule that may hide text or show it, in their order. */
export function readDeclarations(text: string): Declaration[] {
  const plain = /\\|\/\*/.test(text) ? cleanStyles(text, () => 'image:').replaceAll('/**/', ' ') : text;
  return plain.split(';').flatMap((one) => {
    const colon = one.indexOf(':');
    const property = one.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (!read.has(property)) return [];
    const whole = one
      .slice(colon + 1)
      .trim()
      .toLowerCase();
    const value = whole.replace(/\s*!\s*important$/, '');
    if (value === '' || value.length > 2_000) return [];
    return { property, value, isImportant: value.length < whole.length };
  });
}

/*
 * Cleans CSS. Filters that look for `url(` in the text miss spellings such as `\75\72\6C(`. So the text is read into tokens, as CSS Syntax
 * Level 3 defines them, and written again from their decoded values. A browser then reads the same tokens, however the text was spelt.
 */

/** Returns the address to load an image from, or null if it is not to be loaded. */
export type ResolveImage = (address: string) => string | null;

const escaped = '\\\\(?:[0-9a-f]{1,6}\\s?|[^\\n0-9a-f])';
const nameStart = '[a-z_\\u0080-\\uffff]';
const name = `(?:--|-?(?:${nameStart}|${escaped}))(?:[\\w\\u0080-\\uffff-]+|${escaped})*`;
const quoted = `"(?:[^"\\\\\\n]+|\\\\[\\s\\S])*"?|'(?:[^'\\\\\\n]+|\\\\[\\s\\S])*'?`;

const tokenPattern = new RegExp(
  [
    '(?<comment>/\\*[\\s\\S]*?(?:\\*/|$))',
    `(?<quoted>${quoted})`,
    '(?<dropped><!--|-->)',
    `@(?<rule>${name})`,
    `(?<name>${name})(?<call>\\()?`,
    '(?<backslash>\\\\)',
    '(?<less><(?!\\s))',
    // Everything else means the same in every place.
    '[^"\'@<\\\\/a-z_\\u0080-\\uffff-]+|[\\s\\S]',
  ].join('|'),
  'iy',
);
const urlPattern = new RegExp(
  `\\s*(?:(?<quoted>${quoted})|(?<plain>(?:[^"'()\\\\\\s]+|${escaped})*))\\s*(?<rest>(?:[^)\\\\]+|\\\\[\\s\\S]?)*)\\)?`,
  'iy',
);
const escapePattern = /\\(?:([0-9a-f]{1,6})\s?|\n|([\s\S]))/gi;

/** Rules that only say when others apply. Browsers ignore an unknown rule together with its block. */
const rulesKept = /^(?:media|supports|layer|container|scope|starting-style|(?:-\w+-)?keyframes)$/i;
/** Functions that load something by a string, so that they have no `url(`. Browsers ignore a declaration with an unknown function. */
const functionsDropped =
  /^(?:(?:-\w+-)?(?:image-set|cross-fade|element)|image|src|paint|expression|url-prefix)$/i;

/** A string, or the declaration of a position with its value. */
const positionPattern =
  /"[^"]*"|((?:^|[;{}])(?:\s|\/\*\*\/)*position(?:\s|\/\*\*\/)*:)((?:"[^"]*"|[^;{}"])*)/gi;

/**
 * Returns CSS, of a style sheet or of a `style` attribute, that loads nothing but the images that `resolveImage` returns an address for.
 * The result has no `<` that could begin a tag. Nothing in it follows the window: the frame of a mail is as tall as the mail, so it could
 * cover all of the mail.
 */
export function cleanStyles(css: string, resolveImage: ResolveImage): string {
  const text = css.replace(/\r\n?|\f/g, '\n').replaceAll('\0', '\ufffd');
  const written: string[] = [];
  let at = 0;
  while (at < text.length) {
    tokenPattern.lastIndex = at;
    const match = tokenPattern.exec(text);
    if (match === null) break;
    at = tokenPattern.lastIndex;
    const groups = match.groups as Record<string, string | undefined>;
    if (groups.call !== undefined && decode(groups.name ?? '').toLowerCase() === 'url') {
      urlPattern.lastIndex = at;
      const url = urlPattern.exec(text);
      at = urlPattern.lastIndex;
      written.push(writeUrl(url?.groups ?? {}, resolveImage));
    } else written.push(writeToken(match[0], groups));
  }
  return written
    .join('')
    .replace(positionPattern, (whole, head?: string, value = '') =>
      head !== undefined && /fixed|sticky|\(/i.test(value) ? `${head}removed` : whole,
    );
}

/** A space replaces the part that is left out, so that its neighbours do not become one token. */
function writeToken(whole: string, groups: Record<string, string | undefined>): string {
  if (groups.comment !== undefined) return '/**/';
  if (groups.dropped !== undefined || groups.backslash !== undefined) return ' ';
  if (groups.less !== undefined) return '< ';
  if (groups.quoted !== undefined) return endsProperly(whole) ? writeString(unquote(whole)) : ' ';
  if (groups.rule !== undefined) {
    const rule = decode(groups.rule);
    return rulesKept.test(rule) ? `@${writeName(rule)}` : '@removed';
  }
  if (groups.name === undefined) return whole;
  const decoded = decode(groups.name);
  if (groups.call === undefined) return writeName(decoded);
  return functionsDropped.test(decoded) ? 'removed(' : `${writeName(decoded)}(`;
}

function writeUrl(groups: Record<string, string | undefined>, resolveImage: ResolveImage): string {
  const isBroken = groups.quoted === undefined && groups.rest !== undefined && groups.rest !== '';
  if (isBroken) return 'none ';
  const address = groups.quoted === undefined ? decode(groups.plain ?? '') : unquote(groups.quoted);
  // With a fragment, it is not an image but a part of an SVG document, such as a filter.
  const resolved = address === '' || address.includes('#') ? null : resolveImage(address);
  return resolved === null ? 'none ' : `url(${writeString(resolved)})`;
}

/** A string that a line break or the end of the text cuts off makes its declaration invalid. */
function endsProperly(whole: string): boolean {
  return whole.length > 1 && whole.at(-1) === whole[0];
}

function unquote(whole: string): string {
  return decode(endsProperly(whole) ? whole.slice(1, -1) : whole.slice(1));
}

function decode(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(escapePattern, (_whole, hex?: string, plain?: string) => {
    if (hex === undefined) return plain ?? '';
    const code = Number.parseInt(hex, 16);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '\ufffd';
  });
}

function writeString(value: string): string {
  return `"${value.replace(/["\\<\n\r\f\0]/g, hexEscape)}"`;
}

/** Hyphens alone, or before a digit, could join what follows to something else than a name. */
function writeName(value: string): string {
  const special = /^--?$|^-\d/.test(value) ? /[^\w\u0080-\uffff]|^\d/g : /[^\w\u0080-\uffff-]|^\d/g;
  return value.replace(special, hexEscape);
}

function hexEscape(character: string): string {
  return `\\${character.charCodeAt(0).toString(16)} `;
}
