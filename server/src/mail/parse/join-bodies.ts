import { cleanText, cutBytes } from '../../lib/texts.ts';
import { type HtmlText, htmlToPlainText, readHtmlText } from './html-to-plain-text.ts';
import { parseLimits } from './parse-limits.ts';
import type { TextPart } from './text-part.ts';

/** The body of a mail, in both forms. */
export interface Bodies {
  text: string | null;
  html: string | null;
  /** What a person sees of the HTML, and what not; null without HTML. */
  seen: HtmlText | null;
}

interface Found {
  type: 'text' | 'html';
  content: string;
  /** Whether it is one of several forms of the same content, with the other form next to it. */
  isAlternative: boolean;
}

/**
 * Joins the text parts of a mail in their order. A part that comes in one form only is converted to the other, so that neither form lacks a
 * part of the mail. A mail that has only text gets no HTML.
 */
export function joinBodies(root: TextPart | null): Bodies {
  const found: Found[] = [];
  if (root) collectTexts(root, false, found);
  const htmls = found.flatMap(({ type, content, isAlternative }) => {
    if (type === 'html') return [content];
    return isAlternative ? [] : [textToHtml(content)];
  });
  const html = found.some(({ type }) => type === 'html') ? bound(htmls.join('\n')) : null;
  const seen = html === null ? null : readHtmlText(html);
  const texts = found.flatMap(({ type, content, isAlternative }) => {
    if (type === 'text') return [content];
    return isAlternative && found.some((other) => other.type === 'text' && other.isAlternative)
      ? []
      : [found.length === 1 && seen ? seen.text : htmlToPlainText(content)];
  });
  if (found.length === 0) return { text: null, html, seen };
  const text = bound(texts.join('\n'));
  // Some senders add an empty text to their HTML.
  return { text: text.trim() === '' && seen !== null ? bound(seen.text) : text, html, seen };
}

function collectTexts(part: TextPart, isAlternative: boolean, found: Found[]): void {
  const { contentType, textContent, isAttachment, children } = part;
  if (
    textContent !== undefined &&
    !isAttachment &&
    (contentType === 'text/plain' || contentType === 'text/html')
  )
    found.push({ type: contentType === 'text/html' ? 'html' : 'text', content: textContent, isAlternative });
  const inside = isAlternative || contentType === 'multipart/alternative';
  for (const child of children) collectTexts(child, inside, found);
}

function textToHtml(text: string): string {
  const escaped = text.replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;' })[char] ?? '&gt;');
  return `<div style="white-space: pre-wrap">${escaped}</div>`;
}

function bound(text: string): string {
  return cutBytes(cleanText(text), parseLimits.bodyBytesMax).text;
}
