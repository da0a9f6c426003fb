import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { partsText } from '#strings/parts.ts';
import { copyText } from './copy-text.ts';

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
