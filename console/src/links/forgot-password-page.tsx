import { Button, Stack, TextInput } from '@mantine/core';
import { brand } from '@postrider/contract/brand';
import { useMutation } from '@tanstack/react-query';
import { linksText } from '#strings/links.ts';
import { askConsole } from '../lib/ask-console.ts';
import { readFields } from '../lib/browser.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { CardPage } from '../parts/card-page.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { SignInLink } from './link-token.tsx';

const text = linksText.forgot;

/** The page that asks for a link for a new password. It says so if the server cannot send one. */
export function ForgotPasswordPage() {
  const { mutate, isPending, data, variables, error } = useMutation({
    mutationFn: (email: string) => askConsole('session.requestReset', { body: { email } }),
  });
  if (data?.sends_mail) {
    return (
      <CardPage title={text.mailedTitle} lead={text.mailed(variables)}>
        <SignInLink />
      </CardPage>
    );
  }
  if (data) {
    return (
      <CardPage title={text.notMailedTitle} lead={text.notMailed}>
        <CodeBlock label={text.command} code={`npm run ${brand.script} -- people reset ${variables}`} />
        <SignInLink />
      </CardPage>
    );
  }
  return (
    <CardPage title={text.title} lead={text.lead}>
      <form onSubmit={(event) => mutate(readFields(event)('email'))}>
        <Stack gap="sm">
          {error && <ApiProblem error={error} />}
          <TextInput
            name="email"
            type="email"
            label={linksText.email}
            autoComplete="username"
            required
            autoFocus
          />
          <Button type="submit" loading={isPending} fullWidth mt={4}>
            {text.submit}
          </Button>
        </Stack>
      </form>
      <SignInLink />
    </CardPage>
  );
}
