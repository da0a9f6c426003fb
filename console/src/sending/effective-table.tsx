import { VisuallyHidden } from '@mantine/core';
import type { EffectivePolicy, PolicyIn, PolicyLine } from '@postrider/contract';
import { IconBuilding, IconInbox, IconKey, IconSend } from '@tabler/icons-react';
import { policyText } from '#strings/policy.ts';
import { sendingText } from '#strings/sending.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { policyLines, shortValue } from './describe-policy.ts';

const text = sendingText.effective;
const levels = ['workspace', 'inbox', 'key'] as const;
const icons = { workspace: IconBuilding, inbox: IconInbox, key: IconKey };

interface EffectiveTableProps {
  policy: EffectivePolicy;
  /** The address; null without an inbox. */
  inbox: string | null;
  /** The name; null without a key. */
  apiKey: string | null;
}

/** The policies of workspace, inbox and key side by side. The place that decides a line is marked, and the result follows. */
export function EffectiveTable({ policy, inbox, apiKey }: EffectiveTableProps) {
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
        <Result line={line} policy={policy} />
      </td>
    </tr>
  );
}

/** The result of a line. On a phone, the place that decides is named below it, because the columns are left out. */
function Result({ line, policy }: { line: PolicyLine; policy: EffectivePolicy }) {
  const lines: PolicyIn = policy;
  const from = policy.from[line];
  return (
    <>
      <strong data-mode={line === 'send' ? policy.send : undefined}>
        {shortValue(line, lines) ?? looseValue(line)}
      </strong>
      {from !== 'default' && <small className="sending-from">{policyText.levels[from]}</small>}
    </>
  );
}

function looseValue(line: PolicyLine): string {
  if (line === 'send') return policyText.modes.allow.short;
  return line === 'recipients' ? policyText.recipients.anyone.name : policyText.noCap;
}
