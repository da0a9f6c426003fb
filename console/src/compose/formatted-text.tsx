import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { composeText } from '#strings/compose.ts';

const text = composeText.formatted;

interface FormattedTextProps {
  /** Empty for none. */
  html: string;
  hasText: boolean;
}

/** The formatted version of a draft, in a frame that runs nothing and loads nothing from elsewhere; and what editing does to it. */
export function FormattedText({ html, hasText }: FormattedTextProps) {
  const [isShown, setShown] = useState(!hasText);
  if (html === '') return null;
  return (
    <div>
      <Text size="sm" c="dimmed">
        {hasText ? text.besidesText : text.only}{' '}
        <Anchor component="button" type="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? text.hide : text.show}
        </Anchor>
      </Text>
      {isShown && (
        <iframe
          className="console-formatted"
          title={text.frame}
          srcDoc={html}
          sandbox=""
          referrerPolicy="no-referrer"
        />
      )}
    </div>
  );
}
