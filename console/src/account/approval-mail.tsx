import { Stack, Switch } from '@mantine/core';
import type { Membership } from '@postrider/contract/console';
import { accountText } from '#strings/account.ts';
import { useSession } from '../lib/session.ts';
import { notifyProblem } from '../parts/notify-problem.ts';
import { Panel } from '../parts/panel.tsx';
import { useSetApprovalMail } from './account-queries.ts';

const text = accountText.approvalMail;

/** Which workspaces mail the person when messages wait for approval. It is left out on a server that sends no mail. */
export function ApprovalMail() {
  const { workspaces, server } = useSession();
  if (!server.sends_mail) return null;
  return (
    <Panel title={text.title} about={text.about}>
      <Stack gap="xs">
        {workspaces.map((membership) => (
          <WorkspaceSwitch key={membership.workspace_id} membership={membership} />
        ))}
      </Stack>
    </Panel>
  );
}

function WorkspaceSwitch({ membership: { workspace_id, title, approval_mail } }: { membership: Membership }) {
  const { mutate, isPending, variables } = useSetApprovalMail(workspace_id);
  return (
    <Switch
      label={text.label(title)}
      checked={isPending ? variables : approval_mail}
      onChange={({ currentTarget }) => mutate(currentTarget.checked, { onError: notifyProblem })}
    />
  );
}
