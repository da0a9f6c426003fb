import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { partsText } from '#strings/parts.ts';

interface CopyButtonProps {
  value: string;
  /** The thing that the button copies, for people who do not see its surroundings. */
  label?: string;
  size?: 'xs' | 'sm' | 'md';
}

const shownMs = 1_500;

/** A small button that copies a text. */
export function CopyButton({ value, label = partsText.copy, size = 'sm' }: CopyButtonProps) {
  const { copied, copy } = useCopied(value);
  const name = copied ? partsText.copied : label;
  return (
    <ActionIcon size={size} aria-label={name} title={name} onClick={copy}>
      {copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
    </ActionIcon>
  );
}

/** Returns a function that copies a text, and whether it did so a moment ago. */
export function useCopied(value: string): { copied: boolean; copy(): void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  return { copied, copy: () => void copyText(value).then(setCopied) };
}

/** Copies a text and returns whether it worked. Over plain HTTP, browsers have no clipboard for pages, so a selection is copied instead. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

function copySelection(text: string): boolean {
  const area = document.createElement('textarea');
  const before = document.activeElement;
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside an open dialog only its own elements can have the focus.
  (before?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
