/** A link of an HTML mail, with the text that is clicked. */
export interface HtmlLink {
  url: string;
  text: string;
  /** The end of the text before the link. */
  before: string;
}

/** The content of HTML that a reader sees: its text, and its links. */
export interface ReadHtml {
  text: string;
  links: HtmlLink[];
}

/** No legitimate mail is longer. Reading this much takes a second at most. */
const lengthMax = 2_000_000;
const linksMax = 1_000;
const beforeLength = 100;
/**
 * Elements whose content is not shown. `head` is not one of them, because it may have no end tag, and its
 * other elements have no text.
 */
const hidden = new Set(['style', 'script', 'title']);
const inline = new Set([
  'a',
  'abbr',
  'b',
  'em',
  'font',
  'i',
  'img',
  'mark',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'u',
  'wbr',
]);

/**
 * Reads HTML in one pass from tag to tag. Mail may be hostile, so nothing here searches for an end that may
 * not exist, and the time depends on the length alone.
 */
export function readHtml(html: string): ReadHtml {
  const links: HtmlLink[] = [];
  let text = '';
  /** The end of `text`, in a variable of its own, because slicing `text` would copy all of it each time. */
  let before = '';
  let link: HtmlLink | null = null;
  /** The element that hides the following text, or the end of a comment; null if the text is shown. */
  let hiddenBy: string | null = null;
  for (const [index, part] of html.slice(0, lengthMax).split('<').entries()) {
    const end = part.indexOf('>');
    if (hiddenBy === '-->' || part.startsWith('!--')) {
      hiddenBy = part.includes('-->') ? null : '-->';
      if (hiddenBy === null) text += decode(part.slice(part.indexOf('-->') + 3));
      continue;
    }
    const isTag = index > 0 && end >= 0;
    const name = isTag ? (/^\/?[a-z][a-z0-9]*/i.exec(part)?.[0].toLowerCase() ?? '') : '';
    if (hiddenBy !== null) {
      if (name !== `/${hiddenBy}`) continue;
      hiddenBy = null;
    } else if (hidden.has(name)) {
      hiddenBy = name;
      continue;
    }
    if (name === 'a') {
      link = { url: readAttribute(part.slice(0, end), href).trim(), text: '', before };
      if (link.url !== '' && links.length < linksMax) links.push(link);
    } else if (name === '/a') link = null;
    const shown = decode((isTag ? part.slice(end + 1) : part).replace(/\s+/g, ' '));
    // A picture that is not loaded shows its text.
    if (link !== null) link.text += (name === 'img' ? readAttribute(part.slice(0, end), alt) : '') + shown;
    const added = isTag && !inline.has(name.replace('/', '')) ? `\n${shown}` : shown;
    text += added;
    before = (before + added).slice(-beforeLength);
  }
  return { text, links };
}

const href = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i;
const alt = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i;

function readAttribute(tag: string, attribute: RegExp): string {
  const [, double, single, bare] = attribute.exec(tag) ?? [];
  return decode(double ?? single ?? bare ?? '');
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
