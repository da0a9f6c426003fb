import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { accountText } from '#strings/account.ts';
import { useSession } from '../lib/session.ts';
import { notify } from '../parts/notify.ts';
import { Panel } from '../parts/panel.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { useRemoveSecondFactor } from './account-queries.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { SetUpSecondFactor } from './set-up-second-factor.tsx';

const text = accountText.secondFactor;
const fewCodes = 3;

/** Whether a code of an app is asked for when signing in, and the ways to change that. */
export function SecondFactor() {
  const { has_second_factor: isOn, recovery_codes_left: codesLeft } = useSession().person;
  const { mutateAsync } = useRemoveSecondFactor();
  const [isSettingUp, setUp] = useDisclosure(false);
  const [isRemoving, removal] = useDisclosure(false);
  async function remove(password: string) {
    await mutateAsync(password);
    void notify({ message: text.removed });
  }
  return (
    <Panel title={text.title} about={text.about}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <StatusBadge tone={isOn ? 'good' : 'quiet'}>{isOn ? text.on : text.off}</StatusBadge>
          {isOn && (
            <Text c={codesLeft < fewCodes ? 'var(--mantine-color-error)' : 'dimmed'}>
              {text.codesLeft(codesLeft)} {codesLeft < fewCodes && text.fewCodes}
            </Text>
          )}
        </Group>
        <Group gap="xs">
          <Button size="xs" variant={isOn ? 'default' : 'filled'} onClick={setUp.open}>
            {isOn ? text.renew : text.setUp}
          </Button>
          {isOn && (
            <Button size="xs" variant="default" onClick={removal.open}>
              {text.remove}
            </Button>
          )}
        </Group>
      </Group>
      <SetUpSecondFactor isOpen={isSettingUp} onClose={setUp.close} />
      <PasswordDialog
        isOpen={isRemoving}
        onClose={removal.close}
        title={text.removeTitle}
        message={text.removeMessage}
        confirm={text.removeConfirm}
        isRemoval
        onPassword={remove}
      />
    </Panel>
  );
}
