import '@mantine/spotlight/styles.css';
import {
  isActionsGroup,
  Spotlight,
  type SpotlightActionGroupData,
  type SpotlightFilterFunction,
  spotlight,
} from '@mantine/spotlight';
import { IconBuilding, IconKeyboard, IconLogout, IconSearch, IconUserCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { appText } from '#strings/app.ts';
import { useSession, useSignOut } from '../lib/session.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { rankItems, rankName } from '../lists/rank-names.ts';
import { notifyProblem } from '../parts/notify-problem.ts';
import { closeCommands, openHelp, useCommandDialog } from './command-state.ts';
import { useListedPages } from './use-listed-pages.ts';
import { useSwitchWorkspace } from './use-switch-workspace.ts';

const text = appText.palette;

/** The command palette: every page, every workspace, a few commands, and at the end the search for mail with what was typed. */
export function Palette() {
  const isOpen = useCommandDialog() === 'palette';
  const [query, setQuery] = useState('');
  useEffect(() => {
    if (isOpen) spotlight.open();
  }, [isOpen]);
  return (
    <Spotlight
      onSpotlightClose={closeCommands}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      actions={useActions(query)}
      filter={rankActions}
      highlightQuery
      scrollable
      maxHeight={380}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: text.placeholder,
        'aria-label': text.placeholder,
      }}
    />
  );
}

function useActions(query: string): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const pages = useListedPages();
  const current = useWorkspace();
  const others = useSession().workspaces.filter(({ workspace_id }) => workspace_id !== current.workspace_id);
  const switchTo = useSwitchWorkspace();
  const signOut = useSignOut();
  const groups: SpotlightActionGroupData[] = [
    {
      group: text.pages,
      actions: pages.map(({ path, entry: { name, icon: Icon } }) => ({
        id: path,
        label: name,
        leftSection: <Icon size={18} stroke={1.75} aria-hidden />,
        onClick: () => void navigate(`/${path}`),
      })),
    },
    {
      group: text.workspaces,
      actions: others.map(({ workspace_id, title }) => ({
        id: workspace_id,
        label: text.switchTo(title),
        leftSection: <IconBuilding size={18} stroke={1.75} aria-hidden />,
        onClick: () => switchTo(workspace_id),
      })),
    },
    {
      group: text.commands,
      actions: [
        {
          id: 'account',
          label: appText.account.open,
          leftSection: <IconUserCircle size={18} stroke={1.75} aria-hidden />,
          onClick: () => void navigate('/account'),
        },
        {
          id: 'help',
          label: appText.shortcuts.title,
          leftSection: <IconKeyboard size={18} stroke={1.75} aria-hidden />,
          // The palette closes itself after a command, and would close the help with it.
          onClick: () => setTimeout(openHelp),
        },
        {
          id: 'sign-out',
          label: appText.account.signOut,
          leftSection: <IconLogout size={18} stroke={1.75} aria-hidden />,
          onClick: () => void signOut().catch(notifyProblem),
        },
      ],
    },
  ];
  return [...groups, ...searchGroup(query.trim(), (to) => void navigate(to))].filter(
    ({ actions }) => actions.length > 0,
  );
}

/**
 * The actions that match the typed text, even with typos: the group with the best match first, and within it the best match first. The
 * search for mail comes last, because it matches everything.
 */
const rankActions: SpotlightFilterFunction = (typed, groups) => {
  const best = ({ group, actions }: SpotlightActionGroupData) =>
    group === text.mail ? 0 : rankName(actions[0]?.label ?? '', typed);
  return groups
    .filter((one) => isActionsGroup(one))
    .map(({ group, actions }) => ({
      group,
      actions: rankItems(actions, typed, ({ label = '' }) => label),
    }))
    .filter(({ actions }) => actions.length > 0)
    .sort((one, other) => best(other) - best(one));
};

/** Its label has the words, so the palette always counts it as a match. */
function searchGroup(words: string, go: (to: string) => void): SpotlightActionGroupData[] {
  if (words === '') return [];
  const search = {
    id: 'search-mail',
    label: text.searchMail(words),
    leftSection: <IconSearch size={18} stroke={1.75} aria-hidden />,
    onClick: () => go(`/search?q=${encodeURIComponent(words)}`),
  };
  return [{ group: text.mail, actions: [search] }];
}
