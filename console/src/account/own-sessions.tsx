import { Group, Skeleton, Text } from '@mantine/core';
import type { OwnSession } from '@postrider/contract/console';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { accountText } from '#strings/account.ts';
import { useChange, useShortList } from '../lib/query.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { ConfirmButton } from '../parts/confirm-dialog.tsx';
import { Panel } from '../parts/panel.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { AccountRow, AccountRows } from './account-parts.tsx';

const text = accountText.sessions;

/** The devices on which the person is signed in. */
export function OwnSessions() {
  const { items, isLoading, error, retry } = useShortList(
    ['own-sessions'],
    async ({ ask }) => (await ask('me.sessions')).sessions,
  );
  const { mutateAsync } = useChange(['own-sessions'], ({ ask }) => ask('me.endOtherSessions'));
  const end = items.length > 1 && <ConfirmButton {...text.endOthers} onConfirm={mutateAsync} />;
  return (
    <Panel title={text.title} about={text.about} actions={end}>
      {error !== null && <ApiProblem error={error} onRetry={retry} />}
      {isLoading && <Skeleton height={48} />}
      {items.length > 0 && (
        <AccountRows>
          {items.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </AccountRows>
      )}
    </Panel>
  );
}

function SessionRow({ session }: { session: OwnSession }) {
  const { id, user_agent, current, address, last_seen_at, created_at } = session;
  const { mutateAsync } = useChange(['own-sessions'], ({ ask }) => ask('me.endSession', { params: { id } }));
  const device = readDevice(user_agent);
  const name = deviceName(device);
  return (
    <AccountRow
      icon={/iPhone|Android/.test(device.system ?? '') ? IconDeviceMobile : IconDeviceDesktop}
      name={
        <Group gap={8}>
          <Text fw={500} title={user_agent ?? undefined}>
            {name}
          </Text>
          {current && <StatusBadge tone="good">{text.current}</StatusBadge>}
        </Group>
      }
      about={
        <>
          {address ?? text.noAddress} · {text.seen} <Time value={last_seen_at} /> · {text.since}{' '}
          <Time value={created_at} />
        </>
      }
      action={!current && <ConfirmButton {...text.end(name)} onConfirm={mutateAsync} />}
    />
  );
}

function deviceName({ browser, system, program }: Device): string {
  if (program !== null) return text.program(program);
  return text.on(browser ?? text.unknownBrowser, system ?? text.unknownSystem);
}

/** The device that a user agent names; null for each part that it does not name. */
interface Device {
  browser: string | null;
  system: string | null;
  /** The name of a program that is not a browser, such as `curl`. */
  program: string | null;
}

/** In this order, because most browsers also name the ones that they are compatible with. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chrome'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** Returns a user agent in plain words. It is only a claim of the client, but enough to recognise an own device. */
export function readDevice(userAgent: string | null): Device {
  const text = userAgent ?? '';
  const browser = firstMatch(browsers, text);
  const program = browser === null && !text.startsWith('Mozilla/') ? /^[\w.-]{1,40}/.exec(text)?.[0] : null;
  return { browser, system: firstMatch(systems, text), program: program ?? null };
}

function firstMatch(names: [RegExp, string][], text: string): string | null {
  return names.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
