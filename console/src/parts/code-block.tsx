import { Box, Text } from '@mantine/core';
import { partsText } from '#strings/parts.ts';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  code: string;
  /** The kind of code, such as `curl`. It is shown above the code. */
  label: string;
  /** The shown part of it, if that is not all. */
  shown?: string;
}

/** A piece of code or output, with a button to copy it. */
export function CodeBlock({ code, label, shown = code }: CodeBlockProps) {
  return (
    <figure className="console-code">
      <figcaption>
        <Text size="xs" c="dimmed" fw={500}>
          {label}
        </Text>
        <CopyButton value={code} label={`${partsText.copy}: ${label}`} />
      </figcaption>
      <Box component="pre" tabIndex={0} role="region" aria-label={label}>
        <code>{shown}</code>
      </Box>
    </figure>
  );
}
