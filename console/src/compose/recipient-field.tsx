import { Input, Pill, PillsInput } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { composeText } from '#strings/compose.ts';
import { addRecipients, splitRecipients } from './split-recipients.ts';

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

/**
 * A list of recipients. Typed text becomes an entry at a comma, at Enter and when the field loses the focus, and pasted lists are split.
 */
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
      <div className="console-field-line">
        <Input.Label htmlFor={id}>{label}</Input.Label>
        {aside}
      </div>
      <PillsInput id={id} size="sm" disabled={disabled} error={problems.length > 0}>
        <Pill.Group>
          {value.map((recipient) => (
            <Pill
              key={recipient}
              withRemoveButton={!disabled}
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
