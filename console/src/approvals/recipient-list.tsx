import { Badge } from '@mantine/core';
import type { Approval, Correspondent } from '@postrider/contract/console';
import { IconAlertTriangle, IconHelpCircle, IconShieldCheck, IconUserQuestion } from '@tabler/icons-react';
import { approvalText } from '#strings/approval.ts';
import { listStandings, type Standing } from './describe-people.ts';

const icons: Record<Standing['level'], typeof IconShieldCheck> = {
  proven: IconShieldCheck,
  unproven: IconHelpCircle,
  unknown: IconUserQuestion,
  elsewhere: IconAlertTriangle,
};

/** Everybody who would get a message, and who they provably are. */
export function RecipientList({ approval }: { approval: Approval }) {
  return (
    <ul className="approval-recipients" aria-label={approvalText.recipients}>
      {approval.correspondents.map((correspondent) => {
        const kind = recipientKind(approval, correspondent);
        return (
          <li key={correspondent.address}>
            <Badge
              variant="outline"
              color="gray"
              size="sm"
              radius="sm"
              tt="none"
              fw={500}
              className="message-mark"
              title={kind === 'bcc' ? approvalText.bccHelp : undefined}
            >
              {approvalText.kinds[kind]}
            </Badge>
            <div>
              <span className="approval-address">{correspondent.address}</span>
              {correspondent.name !== null && (
                <span className="approval-name">{approvalText.named(correspondent.name)}</span>
              )}
              {listStandings(correspondent).map((standing) => (
                <StandingLine key={standing.sentence} standing={standing} />
              ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function StandingLine({ standing: { level, sentence } }: { standing: Standing }) {
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
