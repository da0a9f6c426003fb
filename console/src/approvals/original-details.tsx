import { Text } from '@mantine/core';
import type { Approval } from '@postrider/contract/console';
import { IconAlertTriangle, IconHelpCircle, IconShieldCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { approvalText } from '#strings/approval.ts';
import { formatDay } from '../lib/times.ts';
import { proveSender } from '../mail/message/proof.ts';

type Original = NonNullable<Approval['answers']>;

interface OriginalDetailsProps {
  original: Original;
  /** The text of the message. It is created when it is first shown. */
  children(): ReactNode;
}

/** The original message, folded, with what is proven about its writer. */
export function OriginalDetails({ original, children }: OriginalDetailsProps) {
  const [wasOpened, setOpened] = useState(false);
  const { from_name, from_addr, created_at } = original;
  const writer = from_name ? `${from_name} <${from_addr}>` : from_addr;
  return (
    <section aria-label={approvalText.original}>
      <h3>{approvalText.answers(writer, formatDay(created_at))}</h3>
      <WriterProof original={original} />
      <details
        className="approval-details"
        onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
      >
        <summary>{approvalText.showOriginal}</summary>
        {wasOpened && children()}
      </details>
    </section>
  );
}

const icons = { proven: IconShieldCheck, unproven: IconHelpCircle, forged: IconAlertTriangle };

function WriterProof({ original }: { original: Original }) {
  const proof = proveSender(original);
  if (proof === null) return null;
  const Icon = icons[proof.level];
  return (
    <>
      <span className="approval-standing" data-level={proof.level === 'forged' ? 'elsewhere' : proof.level}>
        <Icon size={15} aria-hidden />
        {proof.sentence}
      </span>
      <Text size="xs" c="dimmed">
        {proof.help}
      </Text>
    </>
  );
}
