import { Parser } from 'htmlparser2';
import type { Attributes } from './clean-attributes.ts';

/** What a mail sets for the whole page. */
export interface MailHead {
  styles: { css: string; media: string }[];
  /** The attributes of the first `body`. */
  body: Attributes;
  /** The language that the mail names, such as `pt-BR`; null if it names none. */
  lang: string | null;
}

const languagePattern = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,3}$/i;
/** Elements whose content browsers do not show, so that their style sheets do not count. */
const hidden = new Set(['noscript', 'template', 'svg', 'math', 'iframe', 'object', 'select']);

/** Collects the style sheets of a mail in their order, wherever they are, and the attributes of `html` and `body`. */
export function readHead(html: string): MailHead {
  const head: MailHead = { styles: [], body: {}, lang: null };
  let bodySeen = false;
  let hiddenDepth = 0;
  let style: { css: string; media: string } | null = null;
  const parser = new Parser({
    onopentag: (element, attributes) => {
      if (hidden.has(element)) hiddenDepth += 1;
      const { lang } = attributes;
      if (element === 'html' || element === 'body')
        if (lang !== undefined && languagePattern.test(lang)) head.lang ??= lang;
      if (element === 'body' && !bodySeen) {
        bodySeen = true;
        head.body = attributes;
      }
      if (element === 'style' && hiddenDepth === 0) style = { css: '', media: attributes.media ?? '' };
    },
    ontext: (text) => {
      if (style !== null) style.css += text;
    },
    onclosetag: (element) => {
      if (hidden.has(element)) hiddenDepth -= 1;
      if (element !== 'style' || style === null) return;
      head.styles.push(style);
      style = null;
    },
  });
  parser.end(html);
  return head;
}
