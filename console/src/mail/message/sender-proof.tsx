import { Popover, Text } from '@mantine/core';
import { IconAlertTriangle, IconHelpCircle, IconShieldCheck } from '@tabler/icons-react';
import type { Authentication, Message } from 'postrider';
import { messageText } from '#strings/message.ts';
import { proveSender } from './proof.ts';

const text = messageText.proof;
const icons = { proven: IconShieldCheck, unproven: IconHelpCircle, forged: IconAlertTriangle };
const checks = [
  ['spf', text.spf, text.spfHelp],
  ['dkim', text.dkim, text.dkimHelp],
  ['dmarc', text.dmarc, text.dmarcHelp],
] as const;

/** Says in plain words whether the sender is proven, and shows the checks on a click. */
export function SenderProof({ message }: { message: Message }) {
  const proof = proveSender(message);
  if (proof === null || message.authentication === null) return null;
  const Icon = icons[proof.level];
  return (
    <Popover width={340} position="bottom-start" shadow="md" withRoles trapFocus>
      <Popover.Target>
        <button
          type="button"
          className="message-proof"
          data-level={proof.level}
          aria-label={text.button(proof.sentence)}
        >
          <Icon size={15} aria-hidden />
          {proof.sentence}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={text.checks} tabIndex={-1} data-autofocus>
        <Text size="sm" mb="xs">
          {proof.help}
        </Text>
        <Checks authentication={message.authentication} envelopeFrom={message.envelope_from} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Checks(props: { authentication: Authentication; envelopeFrom: string | null }) {
  return (
    <dl className="message-checks">
      {checks.map(([name, label, help]) => (
        <div key={name}>
          <dt>
            {label}: {text.results[props.authentication[name]]}
          </dt>
          <dd>{help}</dd>
        </div>
      ))}
      {props.envelopeFrom !== null && (
        <div>
          <dt>{text.envelopeFrom}</dt>
          <dd>{props.envelopeFrom}</dd>
        </div>
      )}
    </dl>
  );
}
