import { cleanStyles } from './css.ts';
import { type Attributes, readElements } from './read-elements.ts';
import { readStyleEffects, type StyleEffects } from './read-style-effects.ts';
import { type FindSight, type StyledElement, sightIn } from './visibility.ts';

/** The styles of a mail, and who sees the text of its elements. */
interface MailSight {
  effects: StyleEffects;
  findSight: FindSight;
  /** The style sheets as one text. */
  css: string;
}

/**
 * Returns who sees the text of the elements of a mail, judging by its styles. It takes bounded time: anything undecided by then counts as
 * hidden.
 */
export function readSight(html: string): MailSight {
  const { styles, elements } = /<style/i.test(html) ? readHead(html) : { styles: [], elements: [] };
  // Only the existence of a picture matters here, not its source.
  const clean = styles.map(({ css, media }) => ({ css: cleanStyles(css, () => 'image:'), media }));
  const effects = readStyleEffects(clean);
  return {
    effects,
    findSight: sightIn(effects, elements),
    css: styles.map(({ css }) => css).join(' '),
  };
}

/** The settings of a mail for the whole page, and its elements. */
export interface MailHead {
  styles: { css: string; media: string }[];
  /** The attributes of the first `body`. */
  body: Attributes;
  /** The language that the mail names, such as `pt-BR`; null if it names none. */
  lang: string | null;
  elements: StyledElement[];
}

const languagePattern = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,3}$/i;
/** Elements whose content browsers do not show, so that their style sheets do not count. */
const hidden = new Set(['noscript', 'template', 'svg', 'math', 'iframe', 'object', 'select']);

/** Collects the style sheets of a mail in their order, wherever they are, the attributes of `html` and `body`, and the elements. */
export function readHead(html: string): MailHead {
  const head: MailHead = { styles: [], body: {}, lang: null, elements: [] };
  let bodySeen = false;
  let hiddenDepth = 0;
  let style: { css: string[]; media: string } | null = null;
  readElements(html, {
    open: (element, attributes) => {
      head.elements.push({ element, attributes });
      if (hidden.has(element)) hiddenDepth += 1;
      const { lang } = attributes;
      if (element === 'html' || element === 'body')
        if (lang !== undefined && languagePattern.test(lang)) head.lang ??= lang;
      if (element === 'body' && !bodySeen) {
        bodySeen = true;
        head.body = attributes;
      }
      if (element === 'style' && hiddenDepth === 0) style = { css: [], media: attributes.media ?? '' };
    },
    text: (text) => {
      style?.css.push(text);
    },
    close: (element) => {
      if (hidden.has(element)) hiddenDepth -= 1;
      if (element !== 'style' || style === null) return;
      head.styles.push({ css: style.css.join(''), media: style.media });
      style = null;
    },
  });
  return head;
}
