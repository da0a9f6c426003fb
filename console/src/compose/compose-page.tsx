import { Button, Container, Group, Paper } from '@mantine/core';
import type { Draft, Inbox } from 'postrider';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { composeText } from '#strings/compose.ts';
import { useApi } from '../lib/api.ts';
import { keepStored, readStored } from '../lib/browser.ts';
import { approvalPath, threadPath } from '../lib/mail-paths.ts';
import { useInboxChoice } from '../lib/shared-queries.ts';
import { shortTime } from '../lib/times.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageSkeleton } from '../parts/list-frame.tsx';
import { notify } from '../parts/notify.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { useDraft, useOriginal } from './compose-queries.ts';
import { Composer } from './composer.tsx';
import { draftStore, emptyFields, type Purpose, readPurpose } from './draft-fields.ts';
import { DraftSaver } from './draft-saver.ts';
import { forgetSaver, keepSaver, openSaver, takeUnsaved } from './open-savers.ts';
import { splitRecipients } from './recipient-field.tsx';
import type { Receipt } from './send-draft.ts';

/** The page that writes a new message or continues a draft. */
export function ComposePage() {
  const { key, search, state } = useLocation();
  const [opened, setOpened] = useState({ key, search });
  // The address gets the id of the draft once there is one. Any other change of it opens another message.
  if (key !== opened.key && state !== ownChange) setOpened({ key, search });
  const params = new URLSearchParams(opened.search);
  const draftId = params.get('draft');
  return (
    <Container size="md" mx={0} px={0}>
      {draftId === null ? (
        <NewMessage key={opened.key} params={params} />
      ) : (
        <OpenDraft key={opened.key} draftId={draftId} />
      )}
    </Container>
  );
}

const ownChange = 'draft saved';

function NewMessage({ params }: { params: URLSearchParams }) {
  const { data: inboxes, error, refetch } = useInboxChoice();
  if (error && inboxes === undefined) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (inboxes === undefined) return <PageSkeleton />;
  const [first] = inboxes;
  if (first === undefined)
    return (
      <>
        <PageHeader title={composeText.titles.new} />
        <Paper withBorder>
          <EmptyState
            {...composeText.noInboxes}
            picture="mail"
            action={
              <Button component={Link} to="/inboxes">
                {composeText.goToInboxes}
              </Button>
            }
          />
        </Paper>
      </>
    );
  return <StartedMessage params={params} inboxes={inboxes} first={first} />;
}

function StartedMessage(props: { params: URLSearchParams; inboxes: Inbox[]; first: Inbox }) {
  const { params, inboxes, first } = props;
  const api = useApi();
  const { workspace_id: workspace } = useWorkspace();
  const [saver] = useState(() => {
    const findInbox = (wanted: string | null) => inboxes.find(({ id }) => id === wanted);
    const asked =
      findInbox(params.get('inbox')) ??
      findInbox(readStored('localStorage', lastSenderName(workspace))) ??
      first;
    const to = splitRecipients(params.get('to') ?? '');
    const subject = params.get('subject') ?? '';
    const fields = { ...emptyFields(asked.id), to, subject };
    const made = new DraftSaver(draftStore(api), { kind: 'new' }, { fields });
    const unsaved = takeUnsaved(null);
    if (unsaved !== null) {
      const isKnown = inboxes.some(({ id }) => id === unsaved.inboxId);
      made.change({ ...unsaved, inboxId: isKnown ? unsaved.inboxId : asked.id });
    }
    return made;
  });
  useDraftAddress(saver);
  return <Message saver={saver} purpose={{ kind: 'new' }} inboxes={inboxes} />;
}

/** Keeps the id of the draft in the URL. Another sender creates another draft. */
function useDraftAddress(saver: DraftSaver): void {
  const [params, setParams] = useSearchParams();
  const { draft } = useSyncExternalStore(saver.watch, saver.state);
  const draftId = draft?.id;
  const isNamed = draftId === undefined || params.get('draft') === draftId;
  useEffect(() => {
    if (isNamed) return;
    keepSaver(draftId, saver);
    setParams({ draft: draftId }, { replace: true, state: ownChange });
  }, [isNamed, draftId, saver, setParams]);
}

function OpenDraft({ draftId }: { draftId: string }) {
  const { data: draft, error, refetch } = useDraft(draftId);
  if (error && draft === undefined) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (draft === undefined) return <PageSkeleton />;
  return <LoadedDraft draft={draft} />;
}

function LoadedDraft({ draft }: { draft: Draft }) {
  const api = useApi();
  const { data: inboxes } = useInboxChoice();
  const purpose = readPurpose(draft);
  const original = useOriginal(purpose);
  const [saver] = useState(() => openSaver(api, draft));
  useDraftAddress(saver);
  if (draft.status === 'sent' || draft.status === 'sending') return <SentNote messageId={draft.message_id} />;
  // Without its original, a reply can still be written, but not quoted.
  if (purpose.kind !== 'new' && original.isPending) return <PageSkeleton />;
  return (
    <Message
      saver={saver}
      purpose={purpose}
      original={original.data}
      inboxes={purpose.kind === 'new' ? inboxes : undefined}
    />
  );
}

interface MessageProps {
  saver: DraftSaver;
  purpose: Purpose;
  original?: Parameters<typeof Composer>[0]['original'];
  inboxes?: Inbox[];
}

function Message({ saver, purpose, original = null, inboxes }: MessageProps) {
  const navigate = useNavigate();
  const { workspace_id: workspace } = useWorkspace();
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const end = () => {
    forgetSaver(saver.state().draft?.id ?? '');
    keepStored('localStorage', lastSenderName(workspace), saver.fields().inboxId);
  };
  if (receipt?.delivery_status === 'held') return <HeldNote messageId={receipt.id} />;
  if (receipt !== null) return <SentNote threadId={receipt.thread_id} messageId={receipt.id} />;
  return (
    <>
      <PageHeader title={composeText.titles[purpose.kind]} />
      <Paper withBorder p="md">
        <Composer
          saver={saver}
          purpose={purpose}
          original={original}
          inboxes={inboxes}
          onSent={(sent) => {
            end();
            setReceipt(sent);
          }}
          onScheduled={(time) => {
            end();
            void notify({ message: composeText.scheduledDone(shortTime(time)) });
            void navigate('/drafts?status=scheduled');
          }}
          onDiscarded={() => {
            forgetSaver(saver.state().draft?.id ?? '');
            void navigate('/drafts');
          }}
        />
      </Paper>
    </>
  );
}

function HeldNote({ messageId }: { messageId: string }) {
  return (
    <>
      <PageHeader title={composeText.sent.heldTitle} about={composeText.sent.heldMessage} />
      <Button component={Link} to={approvalPath(messageId)} autoFocus>
        {composeText.held.approval}
      </Button>
    </>
  );
}

function SentNote({ threadId, messageId }: { threadId?: string; messageId: string | null }) {
  const links = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) links.current?.querySelector('a')?.focus();
  }, []);
  return (
    <>
      <PageHeader title={composeText.sent.title} about={composeText.sent.message} />
      <Group gap="xs" ref={links}>
        {threadId !== undefined && messageId !== null && (
          <Button component={Link} to={threadPath(threadId, messageId)}>
            {composeText.held.view}
          </Button>
        )}
        <Button component={Link} to="/compose" variant="default">
          {composeText.sent.another}
        </Button>
      </Group>
    </>
  );
}

const lastSenderName = (workspaceId: string) => `console-last-sender-${workspaceId}`;
