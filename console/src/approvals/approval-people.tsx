import { Badge, Stack, Text } from '@mantine/core';
import type { Approval, ApprovalSummary, Correspondent } from '@postrider/contract/console';
import { IconAlertTriangle, IconHelpCircle, IconShieldCheck, IconUserQuestion } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { approvalText } from '#strings/approval.ts';
import { formatDay } from '../lib/times.ts';
import { proveSender } from '../mail/message/plain-words.ts';

/** Everybody who would get a message, and who they provably are. */
export function RecipientList({ approval }: { approval: Approval }) {
  return (
    <Stack
      component="ul"
      className="approval-recipients"
      gap={8}
      p={0}
      mt={0}
      mb={10}
      style={{ listStyle: 'none' }}
      aria-label={approvalText.recipients}
    >
      {approval.correspondents.map((correspondent) => {
        const kind = recipientKind(approval, correspondent);
        const help = kind === 'bcc' ? approvalText.bccHelp : undefined;
        return (
          <li key={correspondent.address}>
            <Badge variant="outline" color="gray" className="message-mark" title={help}>
              {approvalText.kinds[kind]}
            </Badge>
            <div>
              <Text span fw={600}>
                {correspondent.address}
              </Text>
              {correspondent.name !== null && <Text size="sm">{approvalText.named(correspondent.name)}</Text>}
              {listStandings(correspondent).map((standing) => (
                <StandingLine key={standing.sentence} {...standing} />
              ))}
            </div>
          </li>
        );
      })}
    </Stack>
  );
}

const icons = {
  proven: IconShieldCheck,
  unproven: IconHelpCircle,
  unknown: IconUserQuestion,
  elsewhere: IconAlertTriangle,
};

function StandingLine({ level, sentence }: Standing) {
  const Icon = icons[level];
  return (
    <span className="approval-standing" data-level={level}>
      <Icon size={15} aria-hidden />
      {sentence}
    </span>
  );
}

/** A recipient whom the header does not name gets a blind copy. */
function recipientKind({ to, cc }: Approval, { address }: Correspondent): keyof typeof approvalText.kinds {
  const isIn = (addresses: string[]) => addresses.some((one) => one.toLowerCase() === address.toLowerCase());
  if (isIn(to)) return 'to';
  return isIn(cc) ? 'cc' : 'bcc';
}

/** Something that is known about a recipient, in plain words. */
interface Standing {
  /** With `elsewhere`, the message reaches the recipient only because somebody else named the address. */
  level: keyof typeof icons;
  sentence: string;
}

const { about, standing: text } = approvalText;

/** Returns what the inbox knows about a recipient: first how far the address is proven, then whether the reply goes elsewhere. */
export function listStandings(correspondent: Correspondent): Standing[] {
  const { reply_to_of } = correspondent;
  const first = judgeStanding(correspondent);
  if (reply_to_of === null) return [first];
  return [first, { level: 'elsewhere', sentence: text.elsewhere(reply_to_of) }];
}

function judgeStanding({ proven_at, verified_domain, last_wrote_at, is_new }: Correspondent): Standing {
  if (proven_at !== null && verified_domain !== null)
    return { level: 'proven', sentence: text.proven(formatDay(proven_at), verified_domain) };
  if (last_wrote_at !== null) return { level: 'unproven', sentence: text.unproven(formatDay(last_wrote_at)) };
  return { level: 'unknown', sentence: is_new ? text.stranger : text.onlyWrittenTo };
}

/** Returns in one sentence who wrote a message and who sends it. */
export function describeSender({ key, writer, inbox_address }: ApprovalSummary): string {
  if (key === null)
    return writer === null ? about.person(inbox_address) : about.personOf(writer.name, inbox_address);
  return writer === null
    ? about.key(key.name, inbox_address)
    : about.keyOf(key.name, writer.name, inbox_address);
}

interface OriginalDetailsProps {
  original: NonNullable<Approval['answers']>;
  /** The text of the message. It is created when it is first shown. */
  children(): ReactNode;
}

/** The original message, folded, with what is proven about its writer. */
export function OriginalDetails({ original, children }: OriginalDetailsProps) {
  const [wasOpened, setOpened] = useState(false);
  const { from_name, from_addr, created_at } = original;
  const writer = from_name ? `${from_name} <${from_addr}>` : from_addr;
  const proof = proveSender(original);
  return (
    <section aria-label={approvalText.original}>
      <h3>{approvalText.answers(writer, formatDay(created_at))}</h3>
      {proof && (
        <>
          <StandingLine
            level={proof.level === 'forged' ? 'elsewhere' : proof.level}
            sentence={proof.sentence}
          />
          <Text variant="detail">{proof.help}</Text>
        </>
      )}
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
