import {
  IconChartBar,
  IconFilePencil,
  IconHistory,
  IconKey,
  IconMailQuestion,
  IconPencil,
  IconSearch,
  IconSettings,
  IconStethoscope,
  IconUsers,
} from '@tabler/icons-react';
import { appText } from '#strings/app.ts';
import type { Page } from './page.ts';

const { pages: names } = appText;

/**
 * Every page behind the sign-in, in the order of the navigation. Navigation, palette, shortcuts and routes come from here. The first page
 * is the one that people see after signing in.
 */
export const pages: Page[] = [
  {
    path: 'compose',
    load: () => import('../compose/compose-page.tsx').then(({ ComposePage }) => ComposePage),
    entry: { name: names.compose, section: 'mail', icon: IconPencil },
  },
  {
    path: 'search',
    load: () => import('../search/search-page.tsx').then(({ SearchPage }) => SearchPage),
    entry: { name: names.search, section: 'mail', icon: IconSearch },
  },
  {
    path: 'drafts',
    load: () => import('../drafts/drafts-page.tsx').then(({ DraftsPage }) => DraftsPage),
    entry: { name: names.drafts, section: 'mail', icon: IconFilePencil, shortcut: 'g d' },
  },
  {
    path: 'decisions',
    load: () => import('../decisions/decisions-page.tsx').then(({ DecisionsPage }) => DecisionsPage),
    entry: { name: names.decisions, section: 'mail', icon: IconMailQuestion },
  },
  {
    path: 'messages/:messageId',
    load: () => import('../search/message-redirect.tsx').then(({ MessageRedirect }) => MessageRedirect),
  },
  {
    path: 'keys',
    load: () => import('../keys/keys-page.tsx').then(({ KeysPage }) => KeysPage),
    entry: { name: names.keys, section: 'developers', icon: IconKey, shortcut: 'g k' },
    ownerOnly: true,
  },
  {
    path: 'people',
    load: () => import('../people/people-page.tsx').then(({ PeoplePage }) => PeoplePage),
    entry: { name: names.people, section: 'workspace', icon: IconUsers, shortcut: 'g p' },
  },
  {
    path: 'usage',
    load: () => import('../usage/usage-page.tsx').then(({ UsagePage }) => UsagePage),
    entry: { name: names.usage, section: 'workspace', icon: IconChartBar, shortcut: 'g u' },
  },
  {
    path: 'audit',
    load: () => import('../audit/audit-page.tsx').then(({ AuditPage }) => AuditPage),
    entry: { name: names.audit, section: 'workspace', icon: IconHistory, shortcut: 'g a' },
    ownerOnly: true,
  },
  {
    path: 'settings',
    load: () => import('../settings/settings-page.tsx').then(({ SettingsPage }) => SettingsPage),
    entry: { name: names.settings, section: 'workspace', icon: IconSettings, shortcut: 'g s' },
  },
  {
    path: 'doctor',
    load: () => import('../doctor/doctor-page.tsx').then(({ DoctorPage }) => DoctorPage),
    entry: { name: names.doctor, section: 'workspace', icon: IconStethoscope, shortcut: 'g o' },
    ownerOnly: true,
  },
  {
    path: 'account',
    load: () => import('../account/account-page.tsx').then(({ AccountPage }) => AccountPage),
  },
];
