import { Anchor, Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { passwordText } from '#strings/account.ts';
import { linksText } from '#strings/links.ts';
import { NewPasswordField, reviewPassword } from '../account/new-password-field.tsx';
import { askConsole } from '../lib/ask-console.ts';
import { errorCode } from '../lib/problem.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { CardPage } from '../parts/card-page.tsx';
import { BrokenLink, SignInLink, useLinkToken } from './link-token.tsx';

const text = linksText.newPassword;

/** The page of a link for a new password. */
export function NewPasswordPage() {
  const token = useLinkToken();
  const [password, setPassword] = useState('');
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => askConsole('session.completeReset', { body: { token, password } }),
  });
  if (isSuccess) {
    return (
      <CardPage title={text.doneTitle} lead={text.done}>
        <SignInLink />
      </CardPage>
    );
  }
  if (token === '') return <BrokenLink />;
  const canSend = reviewPassword(password, null).faults.length === 0;
  return (
    <CardPage title={text.title} lead={text.lead}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (canSend) mutate();
        }}
      >
        <Stack gap="sm">
          {error && <ApiProblem error={error} />}
          {errorCode(error) === 'link_expired' && (
            <Anchor component={Link} to="/forgot-password" size="sm">
              {text.again}
            </Anchor>
          )}
          <NewPasswordField
            label={passwordText.newPassword}
            email={null}
            value={password}
            onChange={setPassword}
          />
          <Button type="submit" loading={isPending} disabled={!canSend} fullWidth mt={4}>
            {text.submit}
          </Button>
        </Stack>
      </form>
    </CardPage>
  );
}
