import { Text } from '@mantine/core';
import type { Message } from 'postrider';
import { useState } from 'react';
import { messageText } from '#strings/message.ts';
import { LinkedText } from './linked-text.tsx';

const text = messageText.body;

/** The plain text of a message. What it quotes is folded. */
export function PlainBody({ message: { body_text, extracted_text, truncated } }: { message: Message }) {
  const [showsQuoted, setShowsQuoted] = useState(false);
  const whole = body_text ?? extracted_text;
  if (whole === null && truncated.includes('body_text')) return <Text c="dimmed">{text.unread}</Text>;
  if (whole === null) return <Text c="dimmed">{text.noText}</Text>;
  if (whole.trim() === '') return <Text c="dimmed">{text.empty}</Text>;
  const fresh = extracted_text?.trim() ?? '';
  const isFolded = fresh !== '' && fresh !== whole.trim();
  return (
    <>
      <LinkedText value={isFolded && !showsQuoted ? fresh : whole} />
      {isFolded && (
        <button
          type="button"
          className="mail-text-button"
          aria-expanded={showsQuoted}
          onClick={() => setShowsQuoted(!showsQuoted)}
        >
          {showsQuoted ? text.hideQuoted : text.showQuoted}
        </button>
      )}
    </>
  );
}
