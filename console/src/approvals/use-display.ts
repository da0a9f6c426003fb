import type { Approval, HiddenPart } from '@postrider/contract/console';
import { useMemo, useState } from 'react';
import { findWarnings, type ShownHtml, type Warning } from './find-warnings.ts';

/** A version of a text, which may be folded at first, or the source. */
export type Part = 'text' | 'html' | 'source';

/**
 * Why a message cannot be approved yet: something is folded, is still being loaded, could not be loaded, or is too much to be shown at all.
 * `hidden` is one for a message among several: it has parts that are not shown, and nobody has opened its source.
 */
export type Obstacle = 'folded' | 'loading' | 'failed' | 'cut' | 'hidden';

/** The amount of a message that is shown. */
export interface Display {
  /** Null once everything was shown. */
  obstacle: Obstacle | null;
  /** The same for a message that is approved together with others. */
  obstacleAmongOthers: Obstacle | null;
  warnings: Warning[];
  /** Null for a message without HTML. */
  frame: FrameHeight | null;
  isOpen(part: Part): boolean;
  open(part: Part): void;
  /** Called once the frame with the HTML is there, or could not be loaded. */
  onFrame(frame: ReadFrame): void;
  /** The number of times that the frame was requested. */
  attempt: number;
  /** Loads the frame again; null if it is loaded or loading. */
  showAgain: (() => void) | null;
}

/** The content of the frame with the HTML. */
export interface ReadFrame {
  state: 'loading' | 'shown' | 'failed' | 'cut';
  hidden: HiddenPart[];
}

const loadingFrame: ReadFrame = { state: 'loading', hidden: [] };

const pageWidthMax = 760;

/** Keeps how much of a message is shown, because only what was shown in full can be approved. */
export function useDisplay(approval: Approval): Display {
  const { body_text, body_html } = approval.message;
  const [opened, setOpened] = useState<ReadonlySet<Part>>(new Set());
  const [{ state, hidden }, setFrame] = useState(loadingFrame);
  const [attempt, setAttempt] = useState(1);
  const showAgain = () => {
    setFrame(loadingFrame);
    setAttempt(attempt + 1);
  };
  const html = useMemo(() => (body_html === null ? null : readHtml(body_html)), [body_html]);
  const frame = useMemo(
    () => (html === null ? null : frameHeight(html, Math.min(innerWidth - 60, pageWidthMax))),
    [html],
  );
  const warnings = useMemo(() => findWarnings(approval, html, hidden), [approval, html, hidden]);
  const isLong = { text: isLongText(body_text ?? ''), html: frame?.isLong ?? false };
  const isOpen = (part: Part) => (part !== 'source' && !isLong[part]) || opened.has(part);
  const obstacle = findObstacle(isOpen('text') && isOpen('html'), frame === null ? 'shown' : state);
  return {
    obstacle,
    obstacleAmongOthers: obstacle ?? (hidden.length > 0 && !isOpen('source') ? 'hidden' : null),
    warnings,
    frame,
    isOpen,
    open: (part) => setOpened((before) => new Set(before).add(part)),
    onFrame: setFrame,
    attempt,
    showAgain: state === 'failed' || state === 'cut' ? showAgain : null,
  };
}

function findObstacle(isOpen: boolean, frame: ReadFrame['state']): Obstacle | null {
  if (frame === 'cut' || frame === 'failed') return frame;
  if (!isOpen) return 'folded';
  return frame === 'loading' ? 'loading' : null;
}

/** The facts about an HTML text that a page needs to warn about it and to make room for it. */
interface ReadHtml extends ShownHtml {
  /** The number of elements that begin a line. */
  blocks: number;
  images: number;
}

const blockTags = 'p, br, div, tr, li, h1, h2, h3, h4, h5, h6, blockquote, pre, hr, table';

/** Reads an HTML text. Nothing of it runs or is loaded, because its document is in no window. */
function readHtml(html: string): ReadHtml {
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
