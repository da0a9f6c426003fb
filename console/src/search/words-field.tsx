import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { partsText } from '#strings/parts.ts';

const pauseMs = 300;

interface WordsFieldProps extends Pick<TextInputProps, 'size' | 'autoFocus' | 'placeholder'> {
  /** The things that are searched. */
  label: string;
  value: string;
  charactersMax: number;
  onChange(words: string): void;
  /** Called on the arrow down, which leads to the results. */
  onDown?: () => void;
}

/** The field for the words of a search. It searches after a short pause, and at once on Enter. The key `/` leads to it. */
export function WordsField(props: WordsFieldProps) {
  const {
    label,
    value,
    charactersMax,
    onChange,
    onDown,
    placeholder = label,
    size = 'sm',
    autoFocus,
  } = props;
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // A change from elsewhere, such as the back button or a suggestion, replaces the typed text.
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  const take = (words: string) => {
    setKnown(words);
    onChange(words);
  };
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => take(typed), pauseMs);
    return () => clearTimeout(timer);
  });
  return (
    <search className="console-search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          take(typed);
        }}
      >
        <TextInput
          data-search
          aria-label={label}
          aria-keyshortcuts="/"
          placeholder={placeholder}
          value={typed}
          maxLength={charactersMax}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' || !onDown) return;
            event.preventDefault();
            onDown();
          }}
          size={size}
          autoComplete="off"
          spellCheck={false}
          autoFocus={autoFocus}
          leftSection={<IconSearch size={size === 'md' ? 18 : 16} aria-hidden />}
          rightSection={
            typed !== '' && (
              <CloseButton size="sm" aria-label={partsText.clearSearch} onClick={() => take('')} />
            )
          }
        />
      </form>
    </search>
  );
}
