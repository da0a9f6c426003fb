import type { ShownHtml } from './find-warnings.ts';

/** The facts about an HTML text by which a page warns about it and makes room for it. */
export interface ReadHtml extends ShownHtml {
  /** How many elements begin a line. */
  blocks: number;
  images: number;
}

const blockTags = 'p, br, div, tr, li, h1, h2, h3, h4, h5, h6, blockquote, pre, hr, table';

/** Reads an HTML text. Nothing of it runs or is loaded, because its document is in no window. */
export function readHtml(html: string): ReadHtml {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const hidden of body.querySelectorAll('script, style, template, title')) hidden.remove();
  return {
    text: body.textContent,
    links: [...body.querySelectorAll<HTMLAnchorElement>('a[href], area[href]')].map((link) => ({
      text: link.textContent,
      href: link.getAttribute('href')?.trim() ?? '',
    })),
    blocks: body.querySelectorAll(blockTags).length,
    images: body.querySelectorAll('img').length,
  };
}
