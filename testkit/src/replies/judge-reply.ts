import type { MadeReply } from './made-replies.ts';

/** `lost`: some of the author's text is missing. `left`: there is also other text. */
export type ReplyVerdict = 'right' | 'lost' | 'left';

/** Compares the new text found in a reply with the text that the author wrote, without regard to white space. */
export function judgeReply({ expected }: MadeReply, found: string): ReplyVerdict {
  const wanted = fold(expected.join(' '));
  const got = fold(found);
  if (got === wanted) return 'right';
  const isWhole = expected
    .flatMap((paragraph) => paragraph.split('\n'))
    .every((line) => got.includes(fold(line)));
  return isWhole ? 'left' : 'lost';
}

/** Removes differences in white space, which is not judged. */
export function fold(text: string): string {
  return text.replace(/[\s\u200b\ufeff]+/g, ' ').trim();
}
