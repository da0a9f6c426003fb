import {
  ActionIcon,
  Avatar,
  Badge,
  Button,
  type MantineColorScheme,
  Menu,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { appText } from '#strings/app.ts';
import { useSession, useSignOut } from '../lib/session.ts';
import { commandDialog } from '../lib/shortcuts.ts';
import { useWorkspace, workspacePath } from '../lib/workspace.ts';
import { notifyProblem } from '../parts/notify.ts';

const { account: accountText, workspaces: workspacesText } = appText;
const schemes = { light: accountText.light, dark: accountText.dark, auto: accountText.system };

/** The menu of the person: the appearance, help, and signing out. */
export function UserMenu() {
  const { person } = useSession();
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon size="lg" radius="xl">
          <VisuallyHidden>{accountText.menu(person.name)}</VisuallyHidden>
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
          {accountText.open}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{accountText.scheme}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        >
          {Object.entries(schemes).map(([value, label]) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={() => commandDialog.set('help')}>{accountText.shortcuts}</Menu.Item>
        <Menu.Item onClick={() => void signOut().catch(notifyProblem)}>{accountText.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The title of the workspace, and a menu of the others. */
export function WorkspaceSwitcher() {
  const { workspaces } = useSession();
  const current = useWorkspace();
  const navigate = useNavigate();
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          px={8}
          miw={0}
          aria-label={workspacesText.label(current.title)}
          rightSection={<IconSelector size={14} aria-hidden />}
        >
          <Text truncate fw={600} maw={180}>
            {current.title}
          </Text>
          {current.test && (
            <Badge ml={8} size="xs" variant="outline" color="yellow.9" fw={700}>
              {workspacesText.test}
            </Badge>
          )}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{workspacesText.heading}</Menu.Label>
        {workspaces.map(({ workspace_id, title, role }) => (
          <Menu.Item
            key={workspace_id}
            onClick={() => void navigate(workspacePath(workspace_id))}
            rightSection={workspace_id === current.workspace_id && <IconCheck size={14} aria-hidden />}
          >
            {title}
            <Text variant="detail">{workspacesText.roles[role]}</Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
