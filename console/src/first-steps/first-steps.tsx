import { Button, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled, IconX } from '@tabler/icons-react';
import type { Inbox } from 'postrider';
import { Link } from 'react-router';
import { firstStepsText } from '#strings/first-steps.ts';
import { environmentLines, keyPlaceholder } from '../keys/key-snippets.ts';
import { type Reader, useRead } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { IconButton } from '../parts/buttons.tsx';
import { CodeBlock, curlCommand } from '../parts/code-block.tsx';

const { steps: texts } = firstStepsText;

type StepName = 'key' | 'inbox' | 'received' | 'sent' | 'webhook';

/** No change tells of a new key, inbox or webhook, so they are asked for again while the step is to be done. */
const askAgainMs = 5_000;

/** The way from an empty workspace to an agent with mail. Nothing is shown once all is done, and while that is not known. */
export function FirstSteps({ onHide }: { onHide(): void }) {
  const progress = useProgress();
  if (progress === undefined) return null;
  const { steps, inbox } = progress;
  const next = steps.find(({ isDone }) => !isDone);
  if (next === undefined) return null;
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  return (
    <Paper component="section" withBorder p="lg" mt="lg" aria-label={firstStepsText.title}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="sm">
        <div>
          <Group gap="sm">
            <Title order={2}>{firstStepsText.title}</Title>
            <Text variant="note" role="status">
              {firstStepsText.progress(doneCount, steps.length)}
            </Text>
          </Group>
          <Text c="dimmed">{firstStepsText.about}</Text>
        </div>
        <IconButton icon={IconX} label={firstStepsText.hide} onClick={onHide} />
      </Group>
      <Stack component="ol" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(({ name, isDone }) => (
          <Step key={name} name={name} isDone={isDone} isNext={name === next.name} inbox={inbox} />
        ))}
      </Stack>
    </Paper>
  );
}

interface StepProps {
  name: StepName;
  isDone: boolean;
  /** Whether it is the one to do now, which says how. */
  isNext: boolean;
  inbox: Inbox | null;
}

function Step({ name, isDone, isNext, inbox }: StepProps) {
  const Icon = isDone ? IconCircleCheckFilled : IconCircle;
  return (
    <li aria-current={isNext ? 'step' : undefined}>
      <Group gap="sm" wrap="nowrap" align="flex-start" py={4}>
        <Icon
          size={20}
          color={isDone ? 'var(--mantine-color-pine-6)' : 'var(--mantine-color-dimmed)'}
          style={{ flex: 'none' }}
          aria-hidden
        />
        <div style={{ flex: 1, minWidth: 0 }}>
          <Text fw={isNext ? 600 : 400} c={isDone ? 'dimmed' : undefined}>
            {texts[name].title}{' '}
            <VisuallyHidden>{isDone ? firstStepsText.done : firstStepsText.open}</VisuallyHidden>
          </Text>
          {isNext && <HowTo name={name} inbox={inbox} />}
        </div>
      </Group>
    </li>
  );
}

function HowTo({ name, inbox }: { name: StepName; inbox: Inbox | null }) {
  const { api_url, smtp, mail_domain } = useSession().server;
  const address = inbox?.address ?? firstStepsText.somebody;
  if (name === 'key') return <PageStep {...texts.key} to="/keys" />;
  if (name === 'webhook') return <PageStep {...texts.webhook} to="/webhooks" />;
  if (name === 'inbox') return <CommandStep {...texts.inbox} command={inboxCommand(api_url)} />;
  if (name === 'sent')
    return <CommandStep {...texts.sent} command={sendCommand(api_url, inbox?.id ?? '…', mail_domain)} />;
  const { host, port } = smtp;
  if (port === null) return <Text c="dimmed">{texts.received.closed(address)}</Text>;
  const command = mailCommand(`${host}:${port}`, address);
  return <CommandStep message={texts.received.message(address)} command={command} />;
}

function PageStep({ message, action, to }: { message: string; action: string; to: string }) {
  return (
    <Stack gap="xs" mt={2} mb="xs" maw={720} align="flex-start">
      <Text c="dimmed">{message}</Text>
      <Button component={Link} to={to} size="xs">
        {action}
      </Button>
    </Stack>
  );
}

function CommandStep({ message, command }: { message: string; command: string }) {
  return (
    <Stack gap="xs" mt={2} mb="xs" maw={720}>
      <Text c="dimmed">{message}</Text>
      <CodeBlock label={firstStepsText.command} code={command} />
    </Stack>
  );
}

function inboxCommand(apiUrl: string): string {
  const create = curlCommand(apiUrl, { path: '/inboxes', body: {} });
  return `${environmentLines(apiUrl, keyPlaceholder)}\n${create}`;
}

function mailCommand(server: string, to: string): string {
  const mail = `From: Ada <ada@example.com>\\r\\nTo: ${to}\\r\\nSubject: Hello\\r\\n\\r\\nIs anybody there?\\r\\n`;
  return [
    `printf '${mail}' |`,
    `  curl smtp://${server} --mail-from ada@example.com --mail-rcpt ${to} --upload-file -`,
  ].join('\n');
}

function sendCommand(apiUrl: string, inboxId: string, mailDomain: string): string {
  const body = {
    inbox_id: inboxId,
    to: [`echo@simulator.${mailDomain}`],
    subject: 'Hello',
    text: 'Is anybody there?',
  };
  return curlCommand(apiUrl, { path: '/messages', body });
}

/** Reads which steps are done, and the newest inbox; undefined until all is known, and if something cannot be read. */
function useProgress() {
  const isOwner = useIsOwner();
  const readKey = async ({ ask }: Reader) => {
    const { keys } = await ask('keys.list', { query: { limit: 100 } });
    return keys.some(({ revoked_at }) => revoked_at === null);
  };
  const key = useStep(['first-steps', 'key'], readKey, { enabled: isOwner });
  const inbox = useStep(['inboxes', 'first-steps'], async ({ api, signal }) => {
    const { inboxes } = await api.inboxes.list({ limit: 1 }, { signal });
    return inboxes[0] ?? null;
  });
  const received = useHasMail('inbound');
  const sent = useHasMail('outbound');
  const webhook = useStep(['first-steps', 'webhook'], async ({ api, signal }) => {
    const { webhooks } = await api.webhooks.list({ limit: 1 }, { signal });
    return webhooks.length > 0;
  });
  if (inbox === undefined) return undefined;
  const states: [StepName, boolean | undefined][] = [
    ['inbox', inbox !== null],
    ['received', received],
    ['sent', sent],
    ['webhook', webhook],
  ];
  // Keys are for owners, so members do not have that step.
  if (isOwner) states.unshift(['key', key]);
  const steps = states.flatMap(([name, isDone]) => (isDone === undefined ? [] : [{ name, isDone }]));
  return steps.length === states.length ? { inbox, steps } : undefined;
}

function useHasMail(direction: 'inbound' | 'outbound'): boolean | undefined {
  const read = async ({ api, signal }: Reader) => {
    const { messages } = await api.messages.list({ direction, limit: 1 }, { signal });
    return messages.length > 0;
  };
  return useRead(['messages', 'first-steps', direction], read, { staleTime: untilDone }).data;
}

/** A step that is done stays done. */
const untilDone = ({ state }: { state: { data?: unknown } }) => (state.data === true ? 'static' : 0);

function useStep<Done>(
  key: [string, string],
  read: (reader: Reader) => Promise<Done>,
  { enabled = true } = {},
): Done | undefined {
  const refetchInterval = ({ state }: { state: { data?: unknown } }) => (state.data ? false : askAgainMs);
  return useRead(key, read, { enabled, refetchInterval }).data;
}
