/*
 * Converts HTML to the text that a person sees of it. It takes linear time for any input: a mail with 100,000 tables in each other is
 * read as fast as a long one.
 */

import { type Attributes, dropped, foldWords, readElements, withoutText } from '../html/read-elements.ts';
import { readSight } from '../html/read-head.ts';
import { type AltTexts, type ElementMark, TextWriter } from '../html/text-writer.ts';
import { isOnPage, openSight, type Sight, type StyledElement } from '../html/visibility.ts';

/** The text of an HTML mail. */
export interface HtmlText {
  text: string;
  /** The words of texts that a person does not see, where they are not among those that a person sees. */
  hidden: string[];
}

/** Returns how the text of an element is marked, or null if it is not. */
export type FindMark = (element: string, attributes: Attributes) => ElementMark | null;

/** Longer HTML is cut: anything that a person wrote is within the first million characters. */
const htmlLengthMax = 1_000_000;
/** HTML with less text than this may be pictures alone. */
const pictureTextMax = 60;
/** Each comparison reads the whole text, so more pieces than this count as hidden. */
const comparedMax = 200;

/** Returns the text that a person sees, with paragraphs, lists, tables, links and quotations laid out, in bounded time for any input. */
export function htmlToPlainText(html: string): string {
  return readHtmlText(html).text;
}

/** Returns the text that a person sees of HTML, and whether there is other text. */
export function readHtmlText(source: string, findMark: FindMark = () => null): HtmlText {
  const html = source.slice(0, htmlLengthMax);
  const read = readAs(html, findMark, 'of_links');
  const isPictures = read.text.length < pictureTextMax && /\balt\s*=/i.test(html);
  const { text, hidden } = isPictures ? withMoreWords(read, readAs(html, findMark, 'all')) : read;
  const others = hidden.map(foldWords).filter((words) => words !== ' ');
  if (others.length === 0) return { text, hidden: others };
  const shown = foldWords(text);
  return { text, hidden: others.filter((words, at) => at >= comparedMax || !shown.includes(words)) };
}

function withMoreWords(one: Read, other: Read): Read {
  return foldWords(other.text).length > foldWords(one.text).length ? other : one;
}

interface Read {
  text: string;
  /** The texts that are hidden, one for each outermost element. */
  hidden: string[];
}

interface Open extends StyledElement {
  sight: Sight;
  isHidden: boolean;
  isNoText: boolean;
  end: () => void;
}

function readAs(html: string, findMark: FindMark, alts: AltTexts): Read {
  const { findSight } = readSight(html);
  const writer = new TextWriter(alts);
  const hidden: string[] = [];
  const open: Open[] = [];
  readElements(html, {
    open: (element, attributes) => {
      const outer = open.at(-1);
      const sight = findSight(element, attributes, open, outer?.sight ?? openSight);
      const isNoText = outer?.isNoText === true || withoutText.has(element);
      const isDropped = outer?.isHidden === true || dropped.has(element) || sight.style.gone !== null;
      if (isDropped && outer?.isHidden !== true) hidden.push('');
      const isWritten = !isDropped && !isNoText;
      const end = isWritten
        ? writer.open(element, attributes, sight.style.display, findMark(element, attributes))
        : () => {};
      open.push({ element, attributes, sight, isHidden: isDropped, isNoText, end });
    },
    close: () => open.pop()?.end(),
    text: (text) => {
      const { sight = openSight, isHidden = false, isNoText = false } = open.at(-1) ?? {};
      if (isNoText) return;
      if (!isHidden && isOnPage(sight)) writer.write(text, sight.style.keepsSpace);
      else if (isHidden) hidden[hidden.length - 1] += text;
      else hidden.push(text);
    },
    comment: (comment) => hidden.push(outlookText(comment)),
  });
  return { text: writer.finish().trim(), hidden };
}

/** Returns the text of a comment that Outlook reads as HTML, such as `[if mso]>…<![endif]`. */
function outlookText(comment: string): string {
  const [, content = ''] = /^\s*\[if[^\]]*\]>([\s\S]*)$/i.exec(comment) ?? [];
  if (!content.includes('<')) return '';
  const texts: string[] = [];
  let depth = 0;
  readElements(content.replace(/<!\[endif\]\s*$/i, ''), {
    open: (element) => {
      if (withoutText.has(element)) depth += 1;
    },
    close: (element) => {
      if (withoutText.has(element)) depth -= 1;
    },
    text: (text) => {
      if (depth === 0) texts.push(text);
    },
  });
  return texts.join(' ');
}
