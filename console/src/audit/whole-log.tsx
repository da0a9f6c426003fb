import { Alert, Button, Code, Group, Text } from '@mantine/core';
import type { AuditBreak, AuditCheck } from '@postrider/contract/console';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { auditText } from '#strings/audit.ts';
import { type Answer, askConsole } from '../lib/ask-console.ts';
import { saveText } from '../lib/browser.ts';
import { formatCount } from '../lib/numbers.ts';
import { useRead } from '../lib/query.ts';
import { shortTime } from '../lib/times.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { notifyProblem } from '../parts/notify.ts';

const text = auditText.chain;
/** Enough of a hash to compare at a glance. The copy has all of it. */
const shownCharacters = 12;

/** Says whether the entries of the log are all there and unchanged: quietly if they are. */
export function ChainState() {
  // The server reads the whole log for this, so the check is not repeated automatically.
  const { data, error, refetch } = useRead(['audit', 'check'], ({ ask }) => ask('workspace.auditCheck'), {
    refetchOnWindowFocus: false,
  });
  if (error) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (data && !data.intact) return <Broken {...data} />;
  return (
    <Group gap="4px 16px" mb="md" role="status" aria-label={text.label}>
      {data ? <Intact check={data} /> : <Text c="dimmed">{text.checking}</Text>}
    </Group>
  );
}

function Intact({ check }: { check: AuditCheck & { intact: true } }) {
  const { count, since, last_seq, last_hash } = check;
  const entries = count === 1 ? text.entry : text.entries(formatCount(count));
  return (
    <>
      <Text c="dimmed">{since === null ? text.empty : text.intact(entries, shortTime(since))}</Text>
      {last_seq > 0 && (
        <Group gap={4} wrap="nowrap">
          <Text c="dimmed">
            {text.lastHash} <Code title={last_hash}>{last_hash.slice(0, shownCharacters)}</Code>
          </Text>
          <CopyButton value={last_hash} label={text.copyHash} size="xs" />
        </Group>
      )}
    </>
  );
}

function Broken({ problem, from_seq, to_seq }: AuditBreak) {
  return (
    <Alert role="alert" color="red" title={text.broken} icon={<IconAlertTriangle aria-hidden />} mb="md">
      <Text>{text.places[problem](formatCount(from_seq), formatCount(to_seq))}</Text>
      <Text>{text.advice}</Text>
    </Alert>
  );
}

/** A button that saves the whole log as JSON Lines, which can be verified without the server. */
export function DownloadLog() {
  const { workspace_id: workspace } = useWorkspace();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => saveText(`audit-${workspace}.jsonl`, await readExport(workspace)),
    onError: notifyProblem,
  });
  return (
    <Button
      variant="default"
      loading={isPending}
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => mutate()}
    >
      {auditText.download}
    </Button>
  );
}

async function readExport(workspace: string): Promise<string> {
  const pages: string[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: Answer<'workspace.auditExport'> = await askConsole(
      'workspace.auditExport',
      { query: { after } },
      { workspace },
    );
    pages.push(page.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    after = page.next_after;
  }
  return pages.join('');
}
