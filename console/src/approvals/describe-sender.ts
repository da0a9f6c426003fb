import type { ApprovalSummary } from '@postrider/contract/console';
import { approvalText } from '#strings/approval.ts';

const { about } = approvalText;

/** Returns in one sentence who wrote a message and who sends it. */
export function describeSender({ key, writer, inbox_address }: ApprovalSummary): string {
  if (key === null)
    return writer === null ? about.person(inbox_address) : about.personOf(writer.name, inbox_address);
  return writer === null
    ? about.key(key.name, inbox_address)
    : about.keyOf(key.name, writer.name, inbox_address);
}
