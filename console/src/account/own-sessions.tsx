import { Group, Skeleton, Stack, Text } from '@mantine/core';
import type { OwnSession } from '@postrider/contract/console';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { accountText } from '#strings/account.ts';
import { useChange, useShortList } from '../lib/query.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { ConfirmButton } from '../parts/confirm-dialog.tsx';
import { notify } from '../parts/notify.ts';
import { Panel } from '../parts/panel.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { type Device, readDevice } from './device-name.ts';

const text = accountText.sessions;

/** The devices on which the person is signed in. */
export function OwnSessions() {
  const { items, isLoading, error, retry } = useShortList(
    ['own-sessions'],
    async ({ ask }) => (await ask('me.sessions')).sessions,
  );
  const { mutateAsync: endOthers } = useChange(
    ({ ask }, _: undefined) => ask('me.endOtherSessions'),
    ['own-sessions'],
  );
  const end = (
    <ConfirmButton
      title={text.endOthersTitle}
      message={text.endOthersMessage}
      confirm={text.endOthers}
      onConfirm={async () => {
        await endOthers(undefined);
        void notify({ message: text.endedOthers });
      }}
    >
      {text.endOthers}
    </ConfirmButton>
  );
  return (
    <Panel title={text.title} about={text.about} actions={items.length > 1 ? end : undefined}>
      {error !== null && <ApiProblem error={error} onRetry={retry} />}
      {isLoading && <Skeleton height={48} />}
      <Stack component="ul" gap={0} m={0} p={0} className="console-rows" style={{ listStyle: 'none' }}>
        {items.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Stack>
    </Panel>
  );
}

function SessionRow({ session }: { session: OwnSession }) {
  const { mutateAsync } = useChange(
    ({ ask }, id: string) => ask('me.endSession', { params: { id } }),
    ['own-sessions'],
  );
  const device = readDevice(session.user_agent);
  const name = deviceName(device);
  const Icon = /iPhone|Android/.test(device.system ?? '') ? IconDeviceMobile : IconDeviceDesktop;
  async function end() {
    await mutateAsync(session.id);
    void notify({ message: text.ended(name) });
  }
  return (
    <Group component="li" justify="space-between" wrap="nowrap" py={10}>
      <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
        <Icon size={20} stroke={1.5} style={{ flex: 'none' }} aria-hidden />
        <div style={{ minWidth: 0 }}>
          <Group gap={8}>
            <Text fw={500} title={session.user_agent ?? undefined}>
              {name}
            </Text>
            {session.current && <StatusBadge tone="good">{text.current}</StatusBadge>}
          </Group>
          <Text size="sm" c="dimmed">
            {session.address ?? text.noAddress} · {text.seen} <Time value={session.last_seen_at} /> ·{' '}
            {text.since} <Time value={session.created_at} />
          </Text>
        </div>
      </Group>
      {!session.current && (
        <div style={{ flex: 'none' }}>
          <ConfirmButton
            label={text.endLabel(name)}
            title={text.endTitle(name)}
            message={text.endMessage}
            confirm={text.end}
            onConfirm={end}
          >
            {text.end}
          </ConfirmButton>
        </div>
      )}
    </Group>
  );
}

function deviceName({ browser, system, program }: Device): string {
  if (program !== null) return text.program(program);
  return text.on(browser ?? text.unknownBrowser, system ?? text.unknownSystem);
}
