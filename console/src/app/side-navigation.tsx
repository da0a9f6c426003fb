import { Button, Stack, Text } from '@mantine/core';
import { Suspense } from 'react';
import { Link, NavLink } from 'react-router';
import { appText } from '#strings/app.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { type ListedPage, type Section, useListedPages } from './navigation.ts';

/** The number of messages that wait for approval. It comes after the page. */
export const HeldCount = lazyPart(async () => (await import('../approvals/approval-queries.tsx')).HeldCount);

/** The page next to whose name is how much waits on it. */
const heldPath = 'approvals';
/** The page that has a button above all others. */
const writePath = 'compose';
const sections: Section[] = ['mail', 'developers', 'workspace'];

/** The pages by section. `onNavigate` closes the drawer of a phone. */
export function SideNavigation({ onNavigate }: { onNavigate(): void }) {
  const pages = useListedPages();
  const write = pages.find(({ path }) => path === writePath);
  return (
    <Stack gap="md">
      {write && (
        <Button
          component={Link}
          to={`/${write.path}`}
          leftSection={<write.entry.icon size={16} aria-hidden />}
          onClick={onNavigate}
        >
          {write.entry.name}
        </Button>
      )}
      {sections.map((section) => (
        <NavSection
          key={section}
          name={appText.sections[section]}
          pages={pages.filter(({ path, entry }) => entry.section === section && path !== writePath)}
          onNavigate={onNavigate}
        />
      ))}
    </Stack>
  );
}

function NavSection(props: { name: string; pages: ListedPage[]; onNavigate(): void }) {
  if (props.pages.length === 0) return null;
  return (
    <section aria-label={props.name}>
      <Text variant="detail" fw={550} px={10} mb={4}>
        {props.name}
      </Text>
      {props.pages.map(({ path, entry: { name, icon: Icon } }) => (
        <NavLink key={path} to={`/${path}`} className="console-nav-link" onClick={props.onNavigate}>
          <Icon size={16} stroke={1.75} aria-hidden />
          {name}
          {path === heldPath && (
            <Suspense>
              <HeldCount />
            </Suspense>
          )}
        </NavLink>
      ))}
    </section>
  );
}
