import { Button, Center, Divider, Paper, Stack, Text, Title } from '@mantine/core';
import type { Session } from '@postrider/contract/console';
import { IconFingerprint } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { signInText } from '#strings/sign-in.ts';
import { sessionKey } from '../lib/session.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { PageTitle } from '../parts/page-header.tsx';
import { nextPath } from './next-path.ts';
import { CodeForm, PasswordForm } from './sign-in-forms.tsx';
import { canUsePasskeys, useSignIn } from './use-sign-in.ts';

/** The page on which people sign in: with a password and, if the account has one, a second factor, or with a passkey. */
export function SignInPage() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const queries = useQueryClient();
  const [message, setMessage] = useState<string | null>(null);
  const signIn = useSignIn({
    onSession: (session: Session) => {
      queries.setQueryData(sessionKey, session);
      void navigate(nextPath(params.get('next')), { replace: true });
    },
    onPasskeyFailure: () => setMessage(signInText.passkeyFailed),
  });
  const title = signIn.needsCode ? signInText.codeTitle : signInText.title;
  return (
    <Center component="main" mih="100vh" p="md">
      <PageTitle title={title} />
      <Paper withBorder p="xl" radius="lg" w="100%" maw={380}>
        <Stack gap="md">
          <div>
            <Title order={1}>{title}</Title>
            <Text c="dimmed">{signIn.needsCode ? signInText.codeHelp : signInText.lead}</Text>
          </div>
          {signIn.error !== null && <ApiProblem error={signIn.error} />}
          {message !== null && (
            <Text role="alert" c="var(--mantine-color-error)">
              {message}
            </Text>
          )}
          {signIn.needsCode ? (
            <CodeForm
              isWrong={signIn.isCodeWrong}
              isRunning={signIn.isRunning}
              onSubmit={signIn.sendCode}
              onBack={signIn.startAgain}
            />
          ) : (
            <PasswordForm isRunning={signIn.isRunning} onSubmit={signIn.sendPassword} />
          )}
          {!signIn.needsCode && canUsePasskeys() && (
            <>
              <Divider label={signInText.or} />
              <Button
                variant="default"
                leftSection={<IconFingerprint size={16} aria-hidden />}
                onClick={signIn.usePasskey}
                disabled={signIn.isRunning}
              >
                {signInText.passkey}
              </Button>
            </>
          )}
        </Stack>
      </Paper>
    </Center>
  );
}
