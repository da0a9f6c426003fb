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

/** How tall the frame of an HTML text is, in pixels. */
export interface FrameHeight {
  /** Whether it is shown folded at first. */
  isLong: boolean;
  folded: number;
  whole: number;
}

/**
 * Returns the height of the frame of an HTML text in a page of some width. A page cannot look into the frame, so the text decides; what is
 * taller than that scrolls.
 */
export function frameHeight(
  { text, blocks, images }: { text: string; blocks: number; images: number },
  width: number,
): FrameHeight {
  const lines = Math.ceil((text.trim().length * characterPx) / Math.max(width, 200)) + blocks;
  const estimate = Math.min(frameMostPx, marginPx + lines * linePx + images * imagePx);
  const isLong = estimate > frameFoldedPx;
  return {
    isLong,
    folded: isLong ? frameFoldedPx / 2 : estimate,
    whole: Math.min(frameMostPx, estimate * 1.3),
  };
}
