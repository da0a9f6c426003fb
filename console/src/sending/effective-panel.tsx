import { Alert, Group, List, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { EffectivePolicy, PolicyLine } from '@postrider/contract';
import { IconBuilding, IconInbox, IconKey, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { policyText, sendingText } from '#strings/sending.ts';
import { useEffectivePolicy } from '../control/control-queries.ts';
import { useKeyNames } from '../lib/shared-queries.ts';
import { useIsOwner, useWorkspace } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { Panel } from '../parts/panel.tsx';
import { describeLine, policyLines, shortValue } from './describe-policy.tsx';
import { SubjectField } from './policy-dialog.tsx';

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
              <Text span variant="note">
                {one.from}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

const levels = ['workspace', 'inbox', 'key'] as const;
const icons = { workspace: IconBuilding, inbox: IconInbox, key: IconKey };

interface EffectiveTableProps {
  policy: EffectivePolicy;
  /** The address; null without an inbox. */
  inbox: string | null;
  /** The name; null without a key. */
  apiKey: string | null;
}

function EffectiveTable({ policy, inbox, apiKey }: EffectiveTableProps) {
  const { title } = useWorkspace();
  const names = { workspace: title, inbox, key: apiKey };
  return (
    <table className="sending-effective" aria-label={text.table}>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>{text.line}</VisuallyHidden>
          </th>
          {levels.map((level) => {
            const Icon = icons[level];
            return (
              <th key={level} scope="col" className="sending-place">
                <Icon size={18} aria-hidden />
                <span>{policyText.levels[level]}</span>
                <small>{names[level] ?? policyText.notSet}</small>
              </th>
            );
          })}
          <th scope="col" className="sending-result">
            <IconSend size={18} aria-hidden />
            <span>{text.result}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {policyLines.map((line) => (
          <LineRow key={line} line={line} policy={policy} />
        ))}
      </tbody>
    </table>
  );
}

function LineRow({ line, policy }: { line: PolicyLine; policy: EffectivePolicy }) {
  const decides = policy.from[line];
  return (
    <tr>
      <th scope="row">{policyText.lines[line].name}</th>
      {levels.map((level) => {
        const value = shortValue(line, policy.places[level]);
        return (
          <td key={level} className="sending-place">
            {value === null ? (
              <span className="sending-unset">{policyText.notSet}</span>
            ) : (
              <span className="sending-value" data-decides={level === decides || undefined}>
                {value}
                {level === decides && <VisuallyHidden> {text.decides}</VisuallyHidden>}
              </span>
            )}
          </td>
        );
      })}
      <td className="sending-result">
        <strong>{shortValue(line, policy) ?? looseValue(line)}</strong>
        {/* On a phone, the columns of the places are left out. */}
        {decides !== 'default' && <small className="sending-from">{policyText.levels[decides]}</small>}
      </td>
    </tr>
  );
}

function looseValue(line: PolicyLine): string {
  if (line === 'send') return policyText.modes.allow.short;
  return line === 'recipients' ? policyText.recipients.anyone.name : policyText.noCap;
}
