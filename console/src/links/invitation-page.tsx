import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { linksText } from '#strings/links.ts';
import { askConsole } from '../lib/ask-console.ts';
import { errorCode } from '../lib/problem.ts';
import { enterSession, sessionKey, sessionQuery } from '../lib/session.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { CardPage } from '../parts/card-page.tsx';
import { AcceptForm } from './accept-form.tsx';
import { BrokenLink, SignInLink } from './broken-link.tsx';
import { useLinkToken } from './use-link-token.ts';

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
      <AcceptInvitation token={token} invitation={shown.data} />
    </CardPage>
  );
}

interface AcceptInvitationProps {
  token: string;
  invitation: { email: string; workspace_id: string; has_account: boolean };
}

function AcceptInvitation({ token, invitation }: AcceptInvitationProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return (
    <AcceptForm
      token={token}
      email={invitation.email}
      hasAccount={invitation.has_account}
      onSession={(session) => {
        const joined = session.workspaces.find(
          ({ workspace_id }) => workspace_id === invitation.workspace_id,
        );
        // This session must not see what was read with another one.
        queries.clear();
        enterSession(session);
        queries.setQueryData(sessionKey, session);
        const query = joined ? `?workspace=${encodeURIComponent(joined.workspace_id)}` : '';
        void navigate(`/${query}`, { replace: true });
      }}
    />
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
