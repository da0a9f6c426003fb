import type { MadeReply } from './made-replies.ts';

/** `lost`: some of the author's text is missing. `left`: something else is there too. */
export type ReplyVerdict = 'right' | 'lost' | 'left';

/** Compares what was taken for the new text of a reply with what the author wrote, without regard to white space. */
export const judgeReply = ({ expected }: MadeReply, found: string): ReplyVerdict => {
  const wanted = fold(expected.join(' '));
  const got = fold(found);
  if (got === wanted) return 'right';
  const isWhole = expected
    .flatMap((paragraph) => paragraph.split('\n'))
    .every((line) => got.includes(fold(line)));
  return isWhole ? 'left' : 'lost';
};

/** White space is not what is judged. */
export const fold = (text: string): string => text.replace(/[\s\u200b\ufeff]+/g, ' ').trim();
