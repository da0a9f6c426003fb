import {
  ActionIcon,
  Avatar,
  type MantineColorScheme,
  Menu,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { Link } from 'react-router';
import { appText } from '#strings/app.ts';
import { useSession, useSignOut } from '../lib/session.ts';
import { notifyProblem } from '../parts/notify-problem.ts';
import { openHelp } from './command-state.ts';

const text = appText.account;
const schemes = [
  { value: 'light', label: text.light },
  { value: 'dark', label: text.dark },
  { value: 'auto', label: text.system },
] as const;

/** The menu of the person: the appearance, help, and signing out. */
export function UserMenu() {
  const { person } = useSession();
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon size="lg" radius="xl">
          <VisuallyHidden>{text.menu(person.name)}</VisuallyHidden>
          <Avatar size={28} name={person.name} color="pine" variant="filled" alt="" aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="var(--mantine-color-text)" fw={600} truncate>
            {person.name}
          </Text>
          <Text size="xs" truncate>
            {person.email}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/account">
          {text.open}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{text.scheme}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        >
          {schemes.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={openHelp}>{text.shortcuts}</Menu.Item>
        <Menu.Item onClick={() => void signOut().catch(notifyProblem)}>{text.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
