import '@mantine/spotlight/styles.css';
import {
  isActionsGroup,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  type SpotlightFilterFunction,
  spotlight,
} from '@mantine/spotlight';
import {
  type Icon,
  IconBuilding,
  IconKeyboard,
  IconLogout,
  IconSearch,
  IconUserCircle,
} from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { appText } from '#strings/app.ts';
import { useSession, useSignOut } from '../lib/session.ts';
import { commandDialog } from '../lib/shortcuts.ts';
import { useWorkspace, workspacePath } from '../lib/workspace.ts';
import { rankItems, rankName } from '../lists/rank-names.ts';
import { notifyProblem } from '../parts/notify.ts';
import { useListedPages } from './navigation.ts';

const text = appText.palette;

/** The command palette: every page, every workspace, a few commands, and at the end the search for mail with what was typed. */
export function Palette() {
  const isOpen = commandDialog.useValue() === 'palette';
  const [query, setQuery] = useState('');
  useEffect(() => {
    if (isOpen) spotlight.open();
  }, [isOpen]);
  return (
    <Spotlight
      onSpotlightClose={() => commandDialog.set(null)}
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
  const signOut = useSignOut();
  const action = (id: string, label: string, Picture: Icon, onClick: () => void): SpotlightActionData => ({
    id,
    label,
    leftSection: <Picture size={18} stroke={1.75} aria-hidden />,
    onClick,
  });
  const goTo = (path: string) => () => void navigate(path);
  const words = query.trim();
  const search = `/search?q=${encodeURIComponent(words)}`;
  const groups: SpotlightActionGroupData[] = [
    {
      group: text.pages,
      actions: pages.map(({ path, entry: { name, icon } }) => action(path, name, icon, goTo(`/${path}`))),
    },
    {
      group: text.workspaces,
      actions: others.map(({ workspace_id: id, title }) =>
        action(id, text.switchTo(title), IconBuilding, goTo(workspacePath(id))),
      ),
    },
    {
      group: text.commands,
      actions: [
        action('account', appText.account.open, IconUserCircle, goTo('/account')),
        // The palette closes itself after a command, and would close the help with it.
        action('help', appText.shortcuts.title, IconKeyboard, () =>
          setTimeout(() => commandDialog.set('help')),
        ),
        action('sign-out', appText.account.signOut, IconLogout, () => void signOut().catch(notifyProblem)),
      ],
    },
    {
      group: text.mail,
      // Its label has the words, so the palette always counts it as a match.
      actions: words === '' ? [] : [action('search-mail', text.searchMail(words), IconSearch, goTo(search))],
    },
  ];
  return groups.filter(({ actions }) => actions.length > 0);
}

/** The actions that match the typed text, typos included, the best first. The search for mail comes last, because it matches everything. */
const rankActions: SpotlightFilterFunction = (typed, groups) => {
  const best = ({ group, actions }: SpotlightActionGroupData) =>
    group === text.mail ? 0 : rankName(actions[0]?.label ?? '', typed);
  return groups
    .filter((one) => isActionsGroup(one))
    .map(({ group, actions }) => ({ group, actions: rankItems(actions, typed, ({ label = '' }) => label) }))
    .filter(({ actions }) => actions.length > 0)
    .sort((one, other) => best(other) - best(one));
};
