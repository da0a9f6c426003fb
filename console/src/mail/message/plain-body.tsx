import { Text } from '@mantine/core';
import type { Message } from 'postrider';
import { useMemo, useState } from 'react';
import { messageText } from '#strings/message.ts';
import { linkify } from './read-mail.ts';

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

/** A plain text of a mail with its links. */
export function LinkedText({ value, charactersMax = 200_000 }: { value: string; charactersMax?: number }) {
  const pieces = useMemo(() => linkify(value.slice(0, charactersMax)), [value, charactersMax]);
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
      {value.length > charactersMax && (
        <Text variant="detail" mt="xs">
          {text.cut}
        </Text>
      )}
    </>
  );
}
