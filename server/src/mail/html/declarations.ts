import { cleanStyles } from './clean-styles.ts';

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
export function declarationsOf(text: string): Declaration[] {
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
