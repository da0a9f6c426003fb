import { ActionIcon, Button, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled, IconX } from '@tabler/icons-react';
import type { Inbox } from 'postrider';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Link } from 'react-router';
import { firstStepsText } from '#strings/first-steps.ts';
import { environmentLines, keyPlaceholder } from '../keys/key-snippets.ts';
import { useSession } from '../lib/session.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { CodeBlock, curlCommand } from '../parts/code-block.tsx';
import { isHidden, keepHidden } from './hidden-steps.ts';
import type { StepName } from './step-queries.ts';
import { useProgress } from './step-queries.ts';

/**
 * The way from an empty workspace to an agent with mail, with ticks that appear by themselves. Nothing is shown once all is done, if the
 * person has hidden it, and while it is not known.
 */
export function FirstSteps() {
  const { workspace_id } = useWorkspace();
  const [isClosed, setClosed] = useState(() => isHidden(workspace_id));
  const progress = useProgress(!isClosed);
  if (isClosed || progress === undefined) return null;
  const { steps, inbox } = progress;
  const next = steps.find(({ isDone }) => !isDone);
  if (next === undefined) return null;
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  const hide = () => {
    keepHidden(workspace_id);
    setClosed(true);
  };
  return (
    <Paper component="section" withBorder p="lg" mt="lg" aria-label={firstStepsText.title}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="sm">
        <div>
          <Group gap="sm">
            <Title order={2}>{firstStepsText.title}</Title>
            <Text size="sm" c="dimmed" role="status">
              {firstStepsText.progress(doneCount, steps.length)}
            </Text>
          </Group>
          <Text c="dimmed">{firstStepsText.about}</Text>
        </div>
        <ActionIcon aria-label={firstStepsText.hide} title={firstStepsText.hide} onClick={hide}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <Stack component="ol" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(({ name, isDone }) => (
          <Step key={name} name={name} isDone={isDone} isNext={name === next.name} inbox={inbox} />
        ))}
      </Stack>
    </Paper>
  );
}

const { steps: texts } = firstStepsText;

interface StepProps {
  name: StepName;
  isDone: boolean;
  /** Whether it is the one to do now, which says how. */
  isNext: boolean;
  inbox: Inbox | null;
}

/** One of the first steps. */
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
  if (name === 'inbox') return <CommandStep message={texts.inbox.message} command={inboxCommand(api_url)} />;
  if (name === 'sent')
    return (
      <CommandStep
        message={texts.sent.message}
        command={sendCommand(api_url, inbox?.id ?? '…', mail_domain)}
      />
    );
  if (smtp.port === null) return <Text c="dimmed">{texts.received.closed(address)}</Text>;
  const { host, port } = smtp;
  return (
    <CommandStep message={texts.received.message(address)} command={mailCommand({ host, port }, address)} />
  );
}

function PageStep({ message, action, to }: { message: string; action: string; to: string }) {
  return (
    <HowToStack message={message}>
      <div>
        <Button component={Link} to={to} size="xs">
          {action}
        </Button>
      </div>
    </HowToStack>
  );
}

function CommandStep({ message, command }: { message: string; command: string }) {
  return (
    <HowToStack message={message}>
      <CodeBlock label={firstStepsText.command} code={command} />
    </HowToStack>
  );
}

function HowToStack({ message, children }: { message: string; children: ReactNode }) {
  return (
    <Stack gap="xs" mt={2} mb="xs" maw={720}>
      <Text c="dimmed">{message}</Text>
      {children}
    </Stack>
  );
}

/** Returns the commands that put the key into the environment and create an inbox. */
function inboxCommand(apiUrl: string): string {
  const create = curlCommand(apiUrl, { path: '/inboxes', body: {} });
  return `${environmentLines(apiUrl, keyPlaceholder)}\n${create}`;
}

/** Returns the commands that write a mail and hand it to the server for an address. */
function mailCommand(smtp: { host: string; port: number }, to: string): string {
  const mail = `From: Ada <ada@example.com>\\r\\nTo: ${to}\\r\\nSubject: Hello\\r\\n\\r\\nIs anybody there?\\r\\n`;
  return [
    `printf '${mail}' |`,
    `  curl smtp://${smtp.host}:${smtp.port} --mail-from ada@example.com --mail-rcpt ${to} --upload-file -`,
  ].join('\n');
}

/** Returns the command that sends a mail from an inbox to the simulator, which answers it. */
function sendCommand(apiUrl: string, inboxId: string, mailDomain: string): string {
  const body = {
    inbox_id: inboxId,
    to: [`echo@simulator.${mailDomain}`],
    subject: 'Hello',
    text: 'Is anybody there?',
  };
  return curlCommand(apiUrl, { path: '/messages', body });
}
