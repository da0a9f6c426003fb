import { Text } from '@mantine/core';
import type { Message } from 'postrider';
import { useMemo, useState } from 'react';
import { messageText } from '#strings/message.ts';
import { linkify } from './linkify.ts';

const text = messageText.body;
const shownCharacters = 200_000;

/** The plain text of a message. What it quotes is folded. */
export function PlainBody({ message: { body_text, extracted_text } }: { message: Message }) {
  const [showsQuoted, setShowsQuoted] = useState(false);
  const whole = body_text ?? extracted_text;
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

function LinkedText({ value }: { value: string }) {
  const pieces = useMemo(() => linkify(value.slice(0, shownCharacters)), [value]);
  let offset = 0;
  return (
    <>
      <div className="message-text" dir="auto">
        {pieces.map(({ text: piece, href }) => {
          offset += piece.length;
          return href === null ? (
            piece
          ) : (
            <a key={offset} href={href} target="_blank" rel="noopener noreferrer nofollow">
              {piece}
            </a>
          );
        })}
      </div>
      {value.length > shownCharacters && (
        <Text size="xs" c="dimmed" mt="xs">
          {text.cut}
        </Text>
      )}
    </>
  );
}
