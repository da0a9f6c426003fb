import { Anchor } from '@mantine/core';
import type { Approval } from '@postrider/contract/console';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { approvalText } from '#strings/approval.ts';
import { useApi } from '../lib/api.ts';
import { threadPath } from '../lib/mail-paths.ts';
import { useFrameUrl } from '../mail/message/mail-frame.tsx';
import { MessageBody } from '../mail/message/message-body.tsx';
import { ApprovalContent } from './approval-content.tsx';
import { OriginalDetails } from './approval-people.tsx';
import type { Display } from './use-display.ts';

/** The message to approve, for a person who is signed in. */
export function WorkspaceApproval({ approval, display }: { approval: Approval; display: Display }) {
  const api = useApi();
  const frameUrl = useFrameUrl(approval.message_id, { images: false });
  const { answers } = approval;
  return (
    <ApprovalContent
      approval={approval}
      display={display}
      frameUrl={frameUrl}
      findFileUrl={async (id) => (await api.attachments.get(id)).url}
      original={
        answers && (
          <OriginalDetails original={answers}>
            {() => (
              <Suspense>
                <MessageBody message={answers} />
                <Anchor
                  component={Link}
                  to={threadPath(answers.thread_id, answers.id)}
                  size="sm"
                  underline="always"
                >
                  {approvalText.openThread}
                </Anchor>
              </Suspense>
            )}
          </OriginalDetails>
        )
      }
    />
  );
}
