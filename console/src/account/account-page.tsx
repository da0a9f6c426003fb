import { Stack } from '@mantine/core';
import { accountText } from '#strings/account.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { ApprovalMail } from './approval-mail.tsx';
import { ChangePassword } from './change-password.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { Passkeys } from './passkeys.tsx';
import { Profile } from './profile.tsx';
import { SecondFactor } from './second-factor.tsx';

/** Everything that people change about their own accounts. */
export function AccountPage() {
  return (
    <>
      <PageHeader title={accountText.title} about={accountText.about} />
      <Stack gap="lg" maw={760}>
        <Profile />
        <ChangePassword />
        <SecondFactor />
        <Passkeys />
        <ApprovalMail />
        <OwnSessions />
      </Stack>
    </>
  );
}
