import { CloseButton, TextInput } from '@mantine/core';
import type { limits } from '@postrider/contract';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { searchText } from '#strings/search.ts';

const charactersMax: (typeof limits)['searchQueryCharactersMax'] = 1_000;
const pauseMs = 300;

interface WordsFieldProps {
  value: string;
  onChange(words: string): void;
  /** Called on the arrow down, which leads to the results. */
  onDown(): void;
}

/** The field for the words of a search. It searches after a short pause, and at once on Enter. */
export function WordsField({ value, onChange, onDown }: WordsFieldProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // A change from elsewhere, such as the back button or a suggestion, replaces what was typed.
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => {
      setKnown(typed);
      onChange(typed);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setKnown(typed);
          onChange(typed);
        }}
      >
        <TextInput
          data-search
          aria-label={searchText.label}
          aria-keyshortcuts="/"
          placeholder={searchText.placeholder}
          value={typed}
          maxLength={charactersMax}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            onDown();
          }}
          size="md"
          autoComplete="off"
          spellCheck={false}
          // People come to this page to type.
          autoFocus
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={
            typed !== '' && <CloseButton aria-label={searchText.clear} onClick={() => setTyped('')} />
          }
        />
      </form>
    </search>
  );
}
