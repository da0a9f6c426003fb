import { Badge, Button, Menu, Text } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { appText } from '#strings/app.ts';
import { useSession } from '../lib/session.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { useSwitchWorkspace } from './use-switch-workspace.ts';

const text = appText.workspaces;

/** The title of the workspace, and a menu of the others. */
export function WorkspaceSwitcher() {
  const { workspaces } = useSession();
  const current = useWorkspace();
  const switchTo = useSwitchWorkspace();
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          px={8}
          miw={0}
          aria-label={text.label(current.title)}
          rightSection={<IconSelector size={14} aria-hidden />}
        >
          <Text truncate fw={600} maw={180}>
            {current.title}
          </Text>
          {current.test && (
            <Badge ml={8} size="xs" radius="sm" variant="outline" color="yellow.9" tt="none">
              {text.test}
            </Badge>
          )}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text.heading}</Menu.Label>
        {workspaces.map(({ workspace_id, title, role }) => (
          <Menu.Item
            key={workspace_id}
            onClick={() => switchTo(workspace_id)}
            rightSection={workspace_id === current.workspace_id && <IconCheck size={14} aria-hidden />}
          >
            {title}
            <Text size="xs" c="dimmed">
              {text.roles[role]}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
