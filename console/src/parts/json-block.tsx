import { Text } from '@mantine/core';
import { partsText } from '#strings/parts.ts';
import { CodeBlock } from './code-block.tsx';

const shownMax = 100_000;

/** JSON with one field a line. Of a long one only the beginning is shown, and the button copies all of it. */
export function JsonBlock({ label, json }: { label: string; json: string }) {
  const pretty = prettyJson(json);
  const isCut = pretty.length > shownMax;
  return (
    <>
      <CodeBlock label={label} code={pretty} {...(isCut ? { shown: pretty.slice(0, shownMax) } : {})} />
      {isCut && (
        <Text size="xs" c="dimmed" mt={4}>
          {partsText.cut(shownMax.toLocaleString())}
        </Text>
      )}
    </>
  );
}

/** Returns JSON with one field a line, or the text as it is if it is not JSON. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
