import {
  type Icon,
  IconActivity,
  IconApi,
  IconChartBar,
  IconFilePencil,
  IconFilter,
  IconHistory,
  IconInbox,
  IconKey,
  IconListDetails,
  IconMailCheck,
  IconMailOff,
  IconMailQuestion,
  IconMessages,
  IconPencil,
  IconSearch,
  IconSettings,
  IconShieldCheck,
  IconStethoscope,
  IconTags,
  IconUsers,
  IconWebhook,
  IconWorld,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { pageNames } from '#strings/pages.ts';
import { useIsOwner } from '../lib/workspace.ts';

/** A group of pages in the navigation. */
export type Section = 'mail' | 'developers' | 'workspace';

/** A page of the console. */
export interface Page {
  /** The path below `/console`, with parameters such as `:id`. A page with an entry may have optional ones, such as `:id?`. */
  path: string;
  load(): Promise<ComponentType>;
  /** The entry in the navigation and the palette; left out for pages about one thing. */
  entry?: { name: string; section: Section; icon: Icon; shortcut?: string };
  /** Whether only owners of the workspace see it. */
  ownerOnly?: boolean;
}

interface PageOfSection extends Pick<Page, 'path' | 'ownerOnly'> {
  load: LoadModule;
  /** The icon of its entry. The name of the entry is that of the first part of its path. */
  icon?: Icon;
  /** Keys such as `g k`. */
  keys?: string;
}

/** Loads the module of a page, whose only export is its component. */
type LoadModule = () => Promise<Record<string, ComponentType>>;

const mail: PageOfSection[] = [
  { path: 'inboxes', load: () => import('../mail/inboxes/inboxes-page.tsx'), icon: IconInbox, keys: 'g i' },
  { path: 'inboxes/:inboxId', load: () => import('../mail/inbox-redirect.tsx') },
  {
    path: 'threads/:threadId?',
    load: () => import('../mail/threads/threads-page.tsx'),
    icon: IconMessages,
    keys: 'g t',
  },
  {
    path: 'approvals',
    load: () => import('../approvals/approvals-page.tsx'),
    icon: IconMailCheck,
    keys: 'g v',
  },
  { path: 'approvals/review', load: () => import('../approvals/review-page.tsx') },
  { path: 'approvals/:id', load: () => import('../approvals/approval-page.tsx') },
  { path: 'labels', load: () => import('../mail/labels/labels-page.tsx'), icon: IconTags, keys: 'g l' },
  { path: 'compose', load: () => import('../compose/compose-page.tsx'), icon: IconPencil },
  { path: 'search', load: () => import('../search/search-page.tsx'), icon: IconSearch },
  { path: 'drafts', load: () => import('../drafts/drafts-page.tsx'), icon: IconFilePencil, keys: 'g d' },
  { path: 'decisions', load: () => import('../decisions/decisions-page.tsx'), icon: IconMailQuestion },
  { path: 'messages/:messageId', load: () => import('../mail/message-redirect.tsx') },
];
const developers: PageOfSection[] = [
  { path: 'keys', load: () => import('../keys/keys-page.tsx'), icon: IconKey, keys: 'g k', ownerOnly: true },
  { path: 'webhooks', load: () => import('../webhooks/webhooks-page.tsx'), icon: IconWebhook, keys: 'g w' },
  { path: 'webhooks/:id', load: () => import('../webhooks/webhook-page.tsx') },
  { path: 'events', load: () => import('../events/events-page.tsx'), icon: IconActivity, keys: 'g e' },
  {
    path: 'requests',
    load: () => import('../requests/requests-page.tsx'),
    icon: IconListDetails,
    keys: 'g r',
  },
  { path: 'domains', load: () => import('../domains/domains-page.tsx'), icon: IconWorld, keys: 'g n' },
  { path: 'domains/:id', load: () => import('../domains/domain-page.tsx') },
  { path: 'rules', load: () => import('../rules/rules-page.tsx'), icon: IconFilter },
  { path: 'suppressions', load: () => import('../suppressions/suppressions-page.tsx'), icon: IconMailOff },
];
const workspace: PageOfSection[] = [
  { path: 'sending', load: () => import('../sending/sending-page.tsx'), icon: IconShieldCheck },
  { path: 'people', load: () => import('../people/people-page.tsx'), icon: IconUsers, keys: 'g p' },
  {
    path: 'admin-tokens',
    load: () => import('../admin-tokens/admin-tokens-page.tsx'),
    icon: IconApi,
    ownerOnly: true,
  },
  { path: 'usage', load: () => import('../usage/usage-page.tsx'), icon: IconChartBar, keys: 'g u' },
  {
    path: 'audit',
    load: () => import('../audit/audit-page.tsx'),
    icon: IconHistory,
    keys: 'g a',
    ownerOnly: true,
  },
  { path: 'settings', load: () => import('../settings/settings-page.tsx'), icon: IconSettings, keys: 'g s' },
  {
    path: 'doctor',
    load: () => import('../doctor/doctor-page.tsx').then(({ DoctorPage }) => ({ DoctorPage })),
    icon: IconStethoscope,
    keys: 'g o',
    ownerOnly: true,
  },
  { path: 'account', load: () => import('../account/account-page.tsx') },
];

/** Every page behind the sign-in, for navigation, palette, shortcuts and routes. People see the first one after signing in. */
export const pages: Page[] = Object.entries({ mail, developers, workspace }).flatMap(([section, ofSection]) =>
  ofSection.map(({ load, icon, keys, ...page }) => ({
    ...page,
    load: loadComponent(load),
    entry: icon && { name: findName(page.path), section: section as Section, icon, shortcut: keys },
  })),
);

/** Returns a function that loads the component of a page. */
export function loadComponent(load: LoadModule): Page['load'] {
  return async () => Object.values(await load())[0] as ComponentType;
}

function findName(path: string): string {
  return pageNames[path.split('/')[0] as keyof typeof pageNames];
}

/** A page that the navigation and the palette list. */
export type ListedPage = Page & Required<Pick<Page, 'entry'>>;

/** The paths are those of links, so without optional parameters. */
const listed = pages
  .filter(isListed)
  .map((page): ListedPage => ({ ...page, path: page.path.replace(/\/:\w+\?$/, '') }));

/** Returns the pages that the person may open, in the order of the navigation. */
export function useListedPages(): ListedPage[] {
  const isOwner = useIsOwner();
  return listed.filter(({ ownerOnly }) => isOwner || !ownerOnly);
}

function isListed(page: Page): page is ListedPage {
  return page.entry !== undefined;
}
