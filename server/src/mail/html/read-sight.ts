import { cleanStyles } from './clean-styles.ts';
import { readHead } from './read-head.ts';
import { readStyleEffects, type StyleEffects } from './read-style-effects.ts';
import { type FindSight, sightIn } from './visibility.ts';

/** The styles of a mail, and who sees the text of its elements. */
export interface MailSight {
  effects: StyleEffects;
  findSight: FindSight;
  /** The style sheets as one text. */
  css: string;
}

/**
 * Returns who sees the text of the elements of a mail, from its styles. It takes bounded time: what is not decided within that counts as
 * hidden.
 */
export function readSight(html: string): MailSight {
  const { styles, elements } = /<style/i.test(html) ? readHead(html) : { styles: [], elements: [] };
  // Where a picture comes from does not matter here, but that there is one does.
  const clean = styles.map(({ css, media }) => ({ css: cleanStyles(css, () => 'image:'), media }));
  const effects = readStyleEffects(clean);
  return {
    effects,
    findSight: sightIn(effects, elements),
    css: styles.map(({ css }) => css).join(' '),
  };
}
