import { Group, PasswordInput, Progress, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { consoleLimits } from '@postrider/contract/console';
import { IconCheck, IconPoint } from '@tabler/icons-react';
import { passwordText } from '#strings/account.ts';
import type { FieldProps } from '../parts/form-dialog.tsx';

interface NewPasswordFieldProps extends FieldProps<string> {
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
        <Text variant="detail" aria-live="polite">
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
      <Text variant="detail">
        {children} <VisuallyHidden>{isMet ? passwordText.met : passwordText.notMet}</VisuallyHidden>
      </Text>
    </Group>
  );
}

type Limits = typeof consoleLimits;

const passwordCharacters: {
  min: Limits['passwordCharactersMin'];
  max: Limits['passwordCharactersMax'];
} = { min: 10, max: 256 };

const goodCharacters = 14;
const strongCharacters = 18;

type PasswordFault = 'short' | 'email';

interface PasswordReview {
  faults: PasswordFault[];
  /** 0 for a password that is refused, otherwise 1 to 3 by its length. */
  strength: 0 | 1 | 2 | 3;
}

/** Reviews a new password: length counts, and composition does not (NIST SP 800-63B, section 3.1.1.2). */
export function reviewPassword(password: string, email: string | null): PasswordReview {
  const faults: PasswordFault[] = [];
  if ([...password].length < passwordCharacters.min) faults.push('short');
  if (isAddress(password, email)) faults.push('email');
  if (faults.length > 0) return { faults, strength: 0 };
  return { faults, strength: measureStrength(password) };
}

function isAddress(password: string, email: string | null): boolean {
  if (email === null || password === '') return false;
  const lower = password.trim().toLowerCase();
  return lower === email.toLowerCase() || lower === email.toLowerCase().split('@')[0];
}

function measureStrength(password: string): 1 | 2 | 3 {
  const characters = [...password];
  // A few characters again and again are as easy to guess as a short password.
  if (new Set(characters).size < passwordCharacters.min / 2) return 1;
  if (characters.length >= strongCharacters) return 3;
  return characters.length >= goodCharacters ? 2 : 1;
}
