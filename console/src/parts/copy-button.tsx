import { ActionIcon, Tooltip } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { partsText } from '#strings/parts.ts';
import { copyText } from './copy-text.ts';

interface CopyButtonProps {
  value: string;
  /** What the button copies, for people who do not see what it is next to. */
  label?: string;
  size?: 'xs' | 'sm' | 'md';
}

const shownMs = 1_500;

/** A small button that copies a text. */
export function CopyButton({ value, label = partsText.copy, size = 'sm' }: CopyButtonProps) {
  const { copied, copy } = useCopied(value);
  return (
    <Tooltip label={copied ? partsText.copied : label}>
      <ActionIcon size={size} aria-label={copied ? partsText.copied : label} onClick={copy}>
        {copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}

/** Returns a function that copies a text, and whether it did so a moment ago. */
export function useCopied(value: string): { copied: boolean; copy(): void } {
  const [copied, setCopied] = useState(false);
  const { start } = useTimeout(() => setCopied(false), shownMs);
  async function copy() {
    setCopied(await copyText(value));
    start();
  }
  return { copied, copy: () => void copy() };
}
