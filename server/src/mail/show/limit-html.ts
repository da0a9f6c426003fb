/** The limits of what is shown of one mail. A mail with more is cut there, and the result says so. */
export const showLimits = {
  htmlLengthMax: 2_000_000,
  /** Opening and closing tags. A long newsletter has some thousands. */
  tagsMax: 40_000,
  /** Deeper elements lose their tags and keep their text. Chromium itself nests 512 deep. */
  depthMax: 200,
} as const;

/** HTML within the limits of length and tags, and whether some of it was left out. */
export interface LimitedHtml {
  html: string;
  cut: boolean;
}

/** Cuts HTML before the tag that is one too many. NUL characters, which only serve to hide tags from filters, are removed. */
export function limitHtml(source: string): LimitedHtml {
  const whole = source.replaceAll('\0', '');
  const html = whole.slice(0, showLimits.htmlLengthMax);
  const tag = /<[/a-z!?]/gi;
  for (let count = 0; count < showLimits.tagsMax; count += 1)
    if (!tag.test(html)) return { html, cut: html.length < whole.length };
  return tag.test(html) ? { html: html.slice(0, tag.lastIndex - 2), cut: true } : { html, cut: false };
}
