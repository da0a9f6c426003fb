import { Anchor, Box, Center, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { Approval, LinkedApproval } from '@postrider/contract/console';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { approvalText, approveLinkText as text } from '#strings/approval.ts';
import { askConsole } from '../lib/ask-console.ts';
import { keepStored, readStored } from '../lib/browser.ts';
import { errorCode } from '../lib/problem.ts';
import { useLinkToken } from '../links/link-token.tsx';
import { PlainBody } from '../mail/message/plain-body.tsx';
import { ApiProblem } from '../parts/api-problem.tsx';
import { CardPage } from '../parts/card-page.tsx';
import { PageTitle } from '../parts/page-header.tsx';
import { ApprovalContent } from './approval-content.tsx';
import { describeSender, OriginalDetails } from './approval-people.tsx';
import { Outcome, TimeLeftBadge } from './approval-state.tsx';
import { DecisionBar, type MadeDecision } from './decision-bar.tsx';
import { useDisplay } from './use-display.ts';

/** Below the 15 minutes for which links in a response work. */
const linkMs = 10 * 60_000;

/** The page of a link in a mail about a held message: the content and the decision. It needs no session. */
export function LinkedApprovalPage() {
  const token = useApprovalToken();
  const { data, error, refetch } = useQuery({
    queryKey: ['linked-approval', token],
    queryFn: ({ signal }) => askConsole('approvalLinks.show', { body: { token } }, { signal }),
    enabled: token !== '',
    refetchInterval: linkMs,
  });
  if (token === '') return <NoMessage {...text.broken} />;
  if (errorCode(error) === 'link_expired' || errorCode(error) === 'invalid_request')
    return <NoMessage {...text.expired} />;
  if (data === undefined && error)
    return (
      <CardPage title={text.loading}>
        <ApiProblem error={error} onRetry={() => void refetch()} />
      </CardPage>
    );
  if (data === undefined) return <LoadingCard />;
  return data.approval === null ? (
    <Decided linked={data} />
  ) : (
    <Waiting key={data.approval.content_hash} token={token} linked={data} approval={data.approval} />
  );
}

function Waiting({ token, linked, approval }: { token: string; linked: LinkedApproval; approval: Approval }) {
  const { person, workspace, frame_url } = linked;
  const { content_hash, message, expires_at, answers } = approval;
  const display = useDisplay(approval);
  const decide = useMutation({
    mutationFn: (made: MadeDecision) =>
      askConsole('approvalLinks.decide', { body: { token, content_hash, ...made } }),
  });
  const result = decide.data ?? null;
  const isOpen = result === null || result.state === 'held';
  async function findFileUrl(id: string): Promise<string> {
    const { approval: fresh } = await askConsole('approvalLinks.show', { body: { token } });
    const file = (fresh ?? approval).message.attachments.find((one) => one.id === id);
    return file?.url ?? '';
  }
  return (
    <Box component="main" maw={860} mih="100vh" mx="auto" pt={20} px="md">
      <PageTitle title={text.title} />
      <Stack gap="md">
        <header>
          <Title order={1}>{text.title}</Title>
          <Text c="dimmed">
            {text.lead(workspace)} {text.asPerson(person.name, person.email)}
          </Text>
        </header>
        {isOpen && <TimeLeftBadge expiresAt={expires_at} />}
        <Outcome summary={approval} result={result}>
          <ConsoleLink />
        </Outcome>
        {decide.error && <ApiProblem error={decide.error} />}
        <Paper withBorder p="md">
          <Title order={2} mb="sm" style={{ overflowWrap: 'anywhere' }}>
            {message.subject || approvalText.noSubject}
          </Title>
          <Text c="dimmed" mt={2} mb={8}>
            {describeSender(approval)}
          </Text>
          <ApprovalContent
            approval={approval}
            display={display}
            frameUrl={frame_url ?? ''}
            findFileUrl={findFileUrl}
            original={
              answers && (
                <OriginalDetails original={answers}>{() => <PlainBody message={answers} />}</OriginalDetails>
              )
            }
          />
        </Paper>
        <DecisionBar
          display={display}
          isPending={decide.isPending}
          isShown={isOpen}
          onDecide={decide.mutate}
        />
      </Stack>
    </Box>
  );
}

/** After a decision, the link shows nothing but that. */
function Decided({ linked: { summary } }: { linked: LinkedApproval }) {
  // Its time may be over before the server has noticed.
  const state = summary.state === 'held' ? 'expired' : summary.state;
  return (
    <CardPage title={text.over[state]} lead={text.subject(summary.subject || approvalText.noSubject)}>
      <Outcome summary={{ ...summary, state }} />
      <ConsoleLink />
    </CardPage>
  );
}

function NoMessage({ title, message }: { title: string; message: string }) {
  return (
    <CardPage title={title} lead={message}>
      <ConsoleLink />
    </CardPage>
  );
}

function ConsoleLink() {
  return (
    <Anchor component={Link} to="/approvals" size="sm">
      {text.console}
    </Anchor>
  );
}

function LoadingCard() {
  return (
    <Center component="main" mih="100vh" p="md">
      <PageTitle title={text.loading} />
      <Stack gap="sm" w="100%" maw={760} aria-busy>
        <Title order={1}>{text.loading}</Title>
        <Skeleton height={24} width="60%" />
        <Skeleton height={320} />
      </Stack>
    </Center>
  );
}

const storageName = 'console-approval-link';

/** Returns the token of the link to an approval, or an empty text. The tab keeps it, so that the page can be reloaded. */
function useApprovalToken(): string {
  const opened = useLinkToken();
  const [kept] = useState(() => readStored('sessionStorage', storageName) ?? '');
  useEffect(() => {
    if (opened !== '') keepStored('sessionStorage', storageName, opened);
  }, [opened]);
  return opened || kept;
}
