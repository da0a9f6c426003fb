/** Called with what is found in markup, in its order. Names are without their prefix. */
export interface MarkupHandler {
  /** `tag` returns the whole tag, for its attributes. */
  open(name: string, tag: () => string): void;
  /** Also called for elements that close themselves. */
  close(name: string): void;
  text(text: string): void;
  /** Whether the rest is not needed. */
  isDone(): boolean;
}

const namePattern = /\/?(?:[^\s/>:]+:)?([^\s/>]*)/y;

/**
 * Finds tags and text of XML, in one pass and in linear time for any input. Nesting is not followed, and entities other than the five
 * predefined ones and numbers are not known, so neither can be used against the reader. XML that is cut ends where it ends.
 */
export function scanMarkup(xml: string, handler: MarkupHandler): void {
  let at = 0;
  while (at < xml.length && !handler.isDone()) {
    const open = indexOrEnd(xml, '<', at);
    if (open > at) handler.text(decodeEntities(xml.slice(at, open)));
    if (xml.startsWith('<!--', open)) at = indexOrEnd(xml, '-->', open) + 3;
    else if (xml.startsWith('<![CDATA[', open)) {
      const end = indexOrEnd(xml, ']]>', open);
      handler.text(xml.slice(open + 9, end));
      at = end + 3;
    } else {
      const end = indexOrEnd(xml, '>', open);
      if (end < xml.length) report(xml, open, end, handler);
      at = end + 1;
    }
  }
}

function report(xml: string, open: number, end: number, handler: MarkupHandler): void {
  namePattern.lastIndex = open + 1;
  const name = namePattern.exec(xml)?.[1] ?? '';
  if (name === '' || name.startsWith('?') || name.startsWith('!')) return;
  const isClosing = xml[open + 1] === '/';
  if (!isClosing) handler.open(name, () => xml.slice(open, end + 1));
  if (isClosing || xml[end - 1] === '/') handler.close(name);
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const index = text.indexOf(wanted, from);
  return index < 0 ? text.length : index;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns text of XML without references to characters. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([\da-fA-F]{1,6}));/g,
    (whole, name, decimal, hex) => {
      if (name) return entities[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}
