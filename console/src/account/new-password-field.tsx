import { Group, PasswordInput, Progress, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconPoint } from '@tabler/icons-react';
import { passwordText } from '#strings/account.ts';
import { type PasswordFault, passwordCharacters, reviewPassword } from './password-rules.ts';

interface NewPasswordFieldProps {
  value: string;
  onChange(value: string): void;
  label: string;
  /** The address of the person, which is no password; null if the page does not know it. */
  email: string | null;
}

const colours = ['gray', 'yellow', 'pine', 'pine'] as const;

/** A field for a new password, with its rules and how strong it is. Its name in the form is `password`. */
export function NewPasswordField({ value, onChange, label, email }: NewPasswordFieldProps) {
  const { faults, strength } = reviewPassword(value, email);
  const rules: [PasswordFault, string][] = [['short', passwordText.faults.short(passwordCharacters.min)]];
  if (email !== null) rules.push(['email', passwordText.faults.email]);
  return (
    <div>
      <PasswordInput
        name="password"
        label={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="new-password"
        maxLength={passwordCharacters.max}
        aria-describedby="password-rules"
        required
      />
      <Stack gap={2} mt={8} id="password-rules">
        <Progress
          value={value === '' ? 0 : Math.max(strength / 3, 0.08) * 100}
          size={4}
          color={colours[strength]}
          aria-label={passwordText.strength}
          aria-hidden
        />
        <Text size="xs" c="dimmed" aria-live="polite">
          {value === ''
            ? passwordText.advice
            : `${passwordText.strength}: ${passwordText.strengths[strength]}`}
        </Text>
        {rules.map(([fault, text]) => (
          <Rule key={fault} isMet={value !== '' && !faults.includes(fault)}>
            {text}
          </Rule>
        ))}
      </Stack>
    </div>
  );
}

function Rule({ isMet, children }: { isMet: boolean; children: string }) {
  const Icon = isMet ? IconCheck : IconPoint;
  return (
    <Group gap={4} wrap="nowrap">
      <Icon size={14} color={isMet ? 'var(--mantine-color-pine-6)' : undefined} aria-hidden />
      <Text size="xs" c="dimmed">
        {children} <VisuallyHidden>{isMet ? passwordText.met : passwordText.notMet}</VisuallyHidden>
      </Text>
    </Group>
  );
}
