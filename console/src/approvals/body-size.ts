const characterPx = 7;
const linePx = 22;
const imagePx = 80;
const marginPx = 60;
/** Longer texts are folded until somebody asks for all of them. */
const linesShownMax = 60;
const frameFoldedPx = 1_100;
const frameMostPx = 30_000;

/** Returns how many lines a plain text takes, about. */
export function countLines(text: string, charactersPerLine: number = 90): number {
  const lines = text.split('\n');
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / charactersPerLine)), 0);
}

/** Returns whether a plain text is so long that it is folded at first. */
export function isLongText(text: string): boolean {
  return countLines(text) > linesShownMax;
}

/** How tall the frame of an HTML text may become, in pixels. What is taller scrolls. */
export interface FrameHeight {
  /** Whether it is shown folded at first. */
  isLong: boolean;
  folded: number;
  whole: number;
}

/** Returns how tall the frame of an HTML text may become in a page of some width. Whether it is folded is for the text to decide. */
export function frameHeight(
  { text, blocks, images }: { text: string; blocks: number; images: number },
  width: number,
): FrameHeight {
  const lines = Math.ceil((text.trim().length * characterPx) / Math.max(width, 200)) + blocks;
  const isLong = marginPx + lines * linePx + images * imagePx > frameFoldedPx;
  return { isLong, folded: isLong ? frameFoldedPx / 2 : frameMostPx, whole: frameMostPx };
}
