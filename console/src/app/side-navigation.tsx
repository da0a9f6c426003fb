import { Stack, Text } from '@mantine/core';
import { Suspense } from 'react';
import { NavLink } from 'react-router';
import { appText } from '#strings/app.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import type { Section } from './page.ts';
import { type ListedPage, useListedPages } from './use-listed-pages.ts';

/** The number of messages that wait for approval. It comes after the page. */
export const HeldCount = lazyPart(async () => (await import('../approvals/held-count.tsx')).HeldCount);

/** The page next to whose name is how much waits on it. */
const heldPath = 'approvals';
const sections: Section[] = ['mail', 'developers', 'workspace'];

/** The pages by section. `onNavigate` closes the drawer of a phone. */
export function SideNavigation({ onNavigate }: { onNavigate(): void }) {
  const pages = useListedPages();
  return (
    <Stack gap="md">
      {sections.map((section) => (
        <NavSection
          key={section}
          name={appText.sections[section]}
          pages={pages.filter(({ entry }) => entry.section === section)}
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
      <Text size="xs" c="dimmed" fw={500} px={10} mb={4}>
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
