import { Alert, Button, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import type { consoleLimits } from '@postrider/contract/console';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { linksText } from '#strings/links.ts';
import { NewPasswordField, reviewPassword } from '../account/new-password-field.tsx';
import { askConsole } from '../lib/ask-console.ts';
import { readFields } from '../lib/browser.ts';
import { ConsoleError, errorCode } from '../lib/problem.ts';
import { enterSession, sessionKey, sessionQuery } from '../lib/session.ts';
import { workspacePath } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { CardPage } from '../parts/card-page.tsx';
import { BrokenLink, SignInLink, useLinkToken } from './link-token.tsx';

const text = linksText.invitation;

/** The page of an invitation: which workspace it is for, and a new account or the password of an old one. */
export function InvitationPage() {
  const token = useLinkToken();
  const shown = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => askConsole('session.showInvitation', { body: { token } }, { signal }),
    enabled: token !== '',
    // Accepting uses the link up. The form stays until the next page is there.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (token === '') return <BrokenLink />;
  if (shown.error) {
    const isOver = errorCode(shown.error) === 'link_expired';
    return (
      <CardPage title={text.loading} lead={isOver ? text.expired : undefined}>
        <ApiProblem error={shown.error} onRetry={isOver ? undefined : () => void shown.refetch()} />
        <SignInLink />
      </CardPage>
    );
  }
  if (!shown.data) return <LoadingCard />;
  const { workspace, role, email } = shown.data;
  return (
    <CardPage title={text.title(workspace)} lead={text.lead(role, email)}>
      <OtherSession email={email} />
      <AcceptForm token={token} invitation={shown.data} />
    </CardPage>
  );
}

function OtherSession({ email }: { email: string }) {
  const { data: session } = useQuery(sessionQuery);
  if (!session || session.person.email === email) return null;
  return <Alert color="yellow">{text.signedInAs(session.person.email)}</Alert>;
}

function LoadingCard() {
  return (
    <CardPage title={text.loading}>
      <Stack gap="sm" aria-busy>
        <Text component="div">
          <Skeleton height={14} width="80%" />
        </Text>
        <Skeleton height={56} />
        <Skeleton height={56} />
        <Skeleton height={36} />
      </Stack>
    </CardPage>
  );
}

const nameCharactersMax: (typeof consoleLimits)['nameCharactersMax'] = 100;

interface AcceptFormProps {
  token: string;
  /** An address with an account needs its password. */
  invitation: { email: string; workspace_id: string; has_account: boolean };
}

/** Returns the call that accepts an invitation with the fields of the form, and enters its workspace. */
function useAcceptance(token: string, workspaceId: string) {
  const [needsCode, setNeedsCode] = useState(false);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const call = useMutation({
    mutationFn: (field: (name: string) => string) => {
      const body = { token, password: field('password'), name: field('name') || undefined };
      return askConsole('session.acceptInvitation', { body: { ...body, code: field('code') || undefined } });
    },
    onSuccess: (session) => {
      const isMember = session.workspaces.some(({ workspace_id }) => workspace_id === workspaceId);
      // This session must not see data that was read with another one.
      queries.clear();
      enterSession(session);
      queries.setQueryData(sessionKey, session);
      void navigate(isMember ? workspacePath(workspaceId) : '/', { replace: true });
    },
    onError: (cause) => setNeedsCode((before) => before || errorCode(cause) === 'second_factor_required'),
  });
  return { ...call, needsCode };
}

function AcceptForm({ token, invitation }: AcceptFormProps) {
  const { email, workspace_id, has_account: hasAccount } = invitation;
  const [password, setPassword] = useState('');
  const { mutate, isPending, error, needsCode } = useAcceptance(token, workspace_id);
  const isFactorError = errorCode(error) === 'second_factor_required';
  const isCodeWrong = error instanceof ConsoleError && error.body.wrong === true;
  const canSend = hasAccount || reviewPassword(password, email).faults.length === 0;
  return (
    <form
      onSubmit={(event) => {
        const field = readFields(event);
        if (canSend) mutate(field);
      }}
    >
      <Stack gap="sm">
        {error && !isFactorError && <ApiProblem error={error} />}
        {hasAccount && <Text>{text.hasAccount}</Text>}
        {/* Password managers read the account from here. */}
        <TextInput
          label={linksText.email}
          type="email"
          autoComplete="username"
          value={email}
          readOnly
          styles={{ input: { color: 'var(--mantine-color-dimmed)' } }}
        />
        {hasAccount ? (
          <PasswordInput name="password" label={text.password} autoComplete="current-password" required />
        ) : (
          <NewAccountFields email={email} password={password} onPassword={setPassword} />
        )}
        {needsCode && (
          <TextInput
            name="code"
            label={text.code}
            description={text.codeHelp}
            error={isCodeWrong ? text.codeWrong : undefined}
            autoComplete="one-time-code"
            maxLength={20}
            required
            autoFocus
          />
        )}
        <Button type="submit" loading={isPending} disabled={!canSend} fullWidth mt={4}>
          {text.accept}
        </Button>
      </Stack>
    </form>
  );
}

function NewAccountFields(props: { email: string; password: string; onPassword(value: string): void }) {
  return (
    <>
      <TextInput
        name="name"
        label={text.name}
        autoComplete="name"
        maxLength={nameCharactersMax}
        required
        autoFocus
      />
      <NewPasswordField
        label={text.newPassword}
        email={props.email}
        value={props.password}
        onChange={props.onPassword}
      />
    </>
  );
}
