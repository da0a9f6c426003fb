import { Alert, Group, List, Skeleton, Stack, Text } from '@mantine/core';
import type { EffectivePolicy } from '@postrider/contract';
import { useState } from 'react';
import { sendingText } from '#strings/sending.ts';
import { useKeyNames } from '../lib/key-names.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { Panel } from '../parts/panel.tsx';
import { describeLine, policyLines } from './describe-policy.ts';
import { EffectiveTable } from './effective-table.tsx';
import { useEffectivePolicy } from './sending-queries.ts';
import { SubjectField } from './subject-field.tsx';

const text = sendingText.effective;

/** The rules for a key that sends from an inbox: the policies side by side, their result, and that in words. */
export function EffectivePanel() {
  const isOwner = useIsOwner();
  const [inbox, setInbox] = useState<{ id: string; name: string } | null>(null);
  const [key, setKey] = useState<{ id: string; name: string } | null>(null);
  const { data, error, refetch } = useEffectivePolicy(inbox?.id ?? '', key?.id ?? '');
  const scope = useKeyNames().find(({ id }) => id === key?.id)?.inbox_ids ?? null;
  const isForeign = inbox !== null && scope !== null && !scope.includes(inbox.id);
  return (
    <Panel title={text.title} about={text.about}>
      <Group gap="sm" grow>
        <SubjectField level="inbox" value={inbox?.id ?? ''} placeholder={text.anyInbox} onChange={setInbox} />
        {isOwner && (
          <SubjectField level="key" value={key?.id ?? ''} placeholder={text.anyKey} onChange={setKey} />
        )}
      </Group>
      {error && <ApiProblem error={error} onRetry={() => void refetch()} />}
      {data ? (
        <>
          <EffectiveTable policy={data} inbox={inbox?.name ?? null} apiKey={key?.name ?? null} />
          {isForeign ? (
            <Alert color="gray" role="status">
              {text.foreign(inbox.name)}
            </Alert>
          ) : (
            <InWords policy={data} />
          )}
        </>
      ) : (
        !error && <Skeleton height={260} />
      )}
    </Panel>
  );
}

function InWords({ policy }: { policy: EffectivePolicy }) {
  const { from, paused, read_only } = policy;
  const sentences = policyLines.flatMap((line) => {
    const sentence = describeLine(line, policy);
    return sentence === null ? [] : [{ line, sentence, from: text.from[from[line]] }];
  });
  return (
    <Stack gap="xs" role="status">
      {paused !== null && (
        <Alert color="red" className="console-warning">
          {text.paused[paused]}
        </Alert>
      )}
      {read_only && <Alert color="gray">{text.readOnly}</Alert>}
      {sentences.length === 0 ? (
        <Text>{text.free}</Text>
      ) : (
        <List spacing={4}>
          {sentences.map((one) => (
            <List.Item key={one.line}>
              {one.sentence}{' '}
              <Text span size="sm" c="dimmed">
                {one.from}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
