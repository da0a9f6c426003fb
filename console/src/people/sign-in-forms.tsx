import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { Link } from 'react-router';
import { signInText } from '#strings/sign-in.ts';
import { readFields } from '../lib/read-fields.ts';

interface PasswordFormProps {
  isRunning: boolean;
  onSubmit(credentials: { email: string; password: string }): void;
}

/** The form with email address and password. */
export function PasswordForm({ isRunning, onSubmit }: PasswordFormProps) {
  return (
    <form
      onSubmit={(event) => {
        const fields = readFields(event);
        onSubmit({ email: fields('email'), password: fields('password') });
      }}
    >
      <Stack gap="sm">
        <TextInput
          name="email"
          type="email"
          label={signInText.email}
          autoComplete="username webauthn"
          required
          withAsterisk={false}
          autoFocus
        />
        <PasswordInput
          name="password"
          label={signInText.password}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={isRunning} fullWidth mt={4}>
          {signInText.submit}
        </Button>
        <Anchor component={Link} to="/forgot-password" size="sm">
          {signInText.forgot}
        </Anchor>
      </Stack>
    </form>
  );
}

interface CodeFormProps {
  isWrong: boolean;
  isRunning: boolean;
  onSubmit(code: string): void;
  onBack(): void;
}

/** The form with the second factor. */
export function CodeForm({ isWrong, isRunning, onSubmit, onBack }: CodeFormProps) {
  return (
    <form onSubmit={(event) => onSubmit(readFields(event)('code'))}>
      <Stack gap="sm">
        <TextInput
          name="code"
          label={signInText.code}
          error={isWrong ? signInText.codeWrong : undefined}
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={20}
          required
          withAsterisk={false}
          autoFocus
        />
        <Button type="submit" loading={isRunning} fullWidth mt={4}>
          {signInText.verify}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {signInText.back}
        </Anchor>
      </Stack>
    </form>
  );
}
