import type { Approval } from '@postrider/contract/console';
import { useMemo, useState } from 'react';
import { type FrameHeight, frameHeight, isLongText } from './body-size.ts';
import { findWarnings, type Warning } from './find-warnings.ts';
import { readHtml } from './read-html.ts';

/** A version of a text, which may be folded at first. */
export type Part = 'text' | 'html';

/** Why a message cannot be approved yet: something is folded, is still being loaded, or is too long to be shown at all. */
export type Obstacle = 'folded' | 'loading' | 'cut';

/** How much of a message is shown. */
export interface Display {
  /** Null once everything was shown. */
  obstacle: Obstacle | null;
  warnings: Warning[];
  /** Null for a message without HTML. */
  frame: FrameHeight | null;
  isOpen(part: Part): boolean;
  open(part: Part): void;
  /** Called once the frame with the HTML is there. */
  onFrame(state: 'shown' | 'cut'): void;
}

const pageWidthMax = 760;

/** Keeps how much of a message is shown, because only what was shown in full can be approved. */
export function useDisplay(approval: Approval): Display {
  const { body_text, body_html } = approval.message;
  const [opened, setOpened] = useState<ReadonlySet<Part>>(new Set());
  const [frameState, setFrameState] = useState<'loading' | 'shown' | 'cut'>('loading');
  const html = useMemo(() => (body_html === null ? null : readHtml(body_html)), [body_html]);
  const frame = useMemo(
    () => (html === null ? null : frameHeight(html, Math.min(innerWidth - 60, pageWidthMax))),
    [html],
  );
  const warnings = useMemo(() => findWarnings(approval, html), [approval, html]);
  const isLong = { text: isLongText(body_text ?? ''), html: frame?.isLong ?? false };
  const isOpen = (part: Part) => !isLong[part] || opened.has(part);
  return {
    obstacle: obstacleOf(isOpen('text') && isOpen('html'), frame === null ? 'shown' : frameState),
    warnings,
    frame,
    isOpen,
    open: (part) => setOpened((before) => new Set(before).add(part)),
    onFrame: setFrameState,
  };
}

function obstacleOf(isOpen: boolean, frame: 'loading' | 'shown' | 'cut'): Obstacle | null {
  if (frame === 'cut') return 'cut';
  if (!isOpen) return 'folded';
  return frame === 'loading' ? 'loading' : null;
}
