import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { messageText } from '#strings/message.ts';
import { linkify } from './linkify.ts';

const shownCharacters = 200_000;

interface LinkedTextProps {
  value: string;
  /** The most that is shown of it. */
  charactersMax?: number;
}

/** A plain text of a mail with its links. */
export function LinkedText({ value, charactersMax = shownCharacters }: LinkedTextProps) {
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
        <Text size="xs" c="dimmed" mt="xs">
          {messageText.body.cut}
        </Text>
      )}
    </>
  );
}
