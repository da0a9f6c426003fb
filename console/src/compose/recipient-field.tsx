import { Group, Input, Pill, PillsInput } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { composeText } from '#strings/compose.ts';

interface RecipientFieldProps {
  label: string;
  value: string[];
  onChange(value: string[]): void;
  /** The recipients that the API refuses, each with the reason. */
  refused: ReadonlyMap<string, string>;
  /** A button at the end of the label's line. */
  aside?: ReactNode;
  disabled?: boolean;
  autoFocus?: boolean;
}

/** A list of recipients. Typed text becomes an entry at a comma, at Enter and when the field loses the focus; pasted lists are split. */
export function RecipientField(props: RecipientFieldProps) {
  const { label, value, onChange, refused, aside, disabled, autoFocus } = props;
  const [typed, setTyped] = useState('');
  const id = useId();
  const problems = value.filter((recipient) => refused.has(recipient));
  const take = (text: string) => {
    onChange(addRecipients(value, splitRecipients(text)));
    setTyped('');
  };
  function type(text: string) {
    // An open quotation mark or bracket may hold a comma.
    const isWhole =
      /[,;]\s*$/.test(text) && splitRecipients(`${text}x`).length > splitRecipients(text).length;
    if (isWhole) take(text);
    else setTyped(text);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Enter' && typed.trim() !== '') {
      if (!event.ctrlKey && !event.metaKey) event.preventDefault();
      take(typed);
    }
    if (event.key === 'Backspace' && typed === '' && value.length > 0) onChange(value.slice(0, -1));
  }
  function onPaste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text');
    if (!/[,;\n\t]|@.*\s/.test(text)) return;
    event.preventDefault();
    take(`${typed}${text}`);
  }
  return (
    <div>
      <Group justify="space-between" align="baseline" gap={0} wrap="nowrap">
        <Input.Label htmlFor={id}>{label}</Input.Label>
        {aside}
      </Group>
      <PillsInput id={id} size="sm" disabled={disabled} error={problems.length > 0}>
        <Pill.Group>
          {value.map((recipient) => (
            <Pill
              key={recipient}
              withRemoveButton={!disabled}
              maw="100%"
              className="console-recipient"
              data-refused={refused.has(recipient) || undefined}
              onRemove={() => onChange(value.filter((each) => each !== recipient))}
              removeButtonProps={{
                'aria-label': composeText.removeRecipient(recipient),
                'aria-hidden': false,
                tabIndex: 0,
              }}
            >
              {recipient}
            </Pill>
          ))}
          <PillsInput.Field
            value={typed}
            onChange={(event) => type(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onBlur={() => typed.trim() !== '' && take(typed)}
            placeholder={value.length === 0 ? composeText.recipientPlaceholder : undefined}
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus={autoFocus || undefined}
            // The person has just asked to write a message.
            autoFocus={autoFocus}
          />
        </Pill.Group>
      </PillsInput>
      {problems.map((recipient) => (
        <Input.Error key={recipient} mt={4} role="alert">
          {composeText.refusedRecipient(recipient, refused.get(recipient) ?? '')}
        </Input.Error>
      ))}
    </div>
  );
}

const separators = new Set([',', ';', '\n', '\r', '\t']);

/**
 * Splits a typed or pasted list into recipients at commas, semicolons, tabs and line ends, except inside of quotation marks and angle
 * brackets. Bare addresses with only spaces between them are split too. Whether a recipient is valid is for the API to say.
 */
export function splitRecipients(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  let isInBrackets = false;
  for (const character of text) {
    if (character === '"' && !part.endsWith('\\')) isQuoted = !isQuoted;
    if (!isQuoted && character === '<') isInBrackets = true;
    if (!isQuoted && character === '>') isInBrackets = false;
    // A line end closes open quotation marks, so that a stray one does not swallow the whole list.
    const isEnd = character === '\n' || (!isQuoted && !isInBrackets && separators.has(character));
    if (isEnd) {
      parts.push(part);
      part = '';
      isQuoted = false;
      isInBrackets = false;
    } else part += character;
  }
  parts.push(part);
  return parts.flatMap(splitAtSpaces).filter((each) => each !== '');
}

/** Returns a list with further recipients at its end. A recipient that is there already, in any case, is not added again. */
export function addRecipients(list: readonly string[], added: readonly string[]): string[] {
  const known = new Set(list.map(bareAddress));
  const all = [...list];
  for (const recipient of added) {
    const bare = bareAddress(recipient);
    if (known.has(bare)) continue;
    known.add(bare);
    all.push(recipient);
  }
  return all;
}

/** Returns the address of a recipient without its name, in lower case. */
export function bareAddress(recipient: string): string {
  const inBrackets = /<([^<>]*)>\s*$/.exec(recipient)?.[1];
  return (inBrackets ?? recipient).trim().toLowerCase();
}

function splitAtSpaces(part: string): string[] {
  const words = part.trim().split(/\s+/);
  return words.every((word) => /^[^\s<>"@]+@[^\s<>"@]+$/.test(word)) ? words : [part.trim()];
}
