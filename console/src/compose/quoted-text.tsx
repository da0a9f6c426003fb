import { Anchor, Group } from '@mantine/core';
import { useId, useState } from 'react';
import { composeText } from '#strings/compose.ts';

const text = composeText.quote;

interface QuotedTextProps {
  quote: string;
  isQuoted: boolean;
  onChange(isQuoted: boolean): void;
}

/** The quoted text of a reply, folded. */
export function QuotedText({ quote, isQuoted, onChange }: QuotedTextProps) {
  const [isShown, setShown] = useState(false);
  const id = useId();
  if (quote === '') return null;
  if (!isQuoted)
    return (
      <Anchor
        component="button"
        type="button"
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => onChange(true)}
      >
        {text.add}
      </Anchor>
    );
  return (
    <div>
      <Group gap="md">
        <Anchor
          component="button"
          type="button"
          size="sm"
          aria-expanded={isShown}
          aria-controls={id}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? text.hide : text.show}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={() => onChange(false)}>
          {text.remove}
        </Anchor>
      </Group>
      <section id={id} hidden={!isShown} className="console-quote" aria-label={text.label}>
        {quote}
      </section>
    </div>
  );
}
