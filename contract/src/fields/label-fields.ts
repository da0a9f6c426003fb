import * as z from 'zod';
import { limits } from '../limits.ts';
import { about } from './scalars.ts';
import { plainText, trimBlanks } from './texts.ts';

/** The name of a label, unique in its workspace without regard to case. */
export const LabelName = plainText(1, limits.labelNameCharactersMax).meta(
  about('The name of the label; unique, ignoring case.', 'urgent'),
);

/** The name of a label in a request. Blanks around it are removed. */
export const LabelNameIn = z
  .string()
  .overwrite(trimBlanks)
  .pipe(LabelName)
  .meta({
    ...about('The name of the label; unique, ignoring case.', 'urgent'),
    minLength: 1,
    maxLength: limits.labelNameCharactersMax,
  });

/** The color of a label. */
export const LabelColor = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, { error: 'must be a hex color like #f80 or #ff8800' })
  .meta(about('The color of the label, in hex.', '#ff8800'));
