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
import { pageNames as names } from '#strings/pages.ts';

/** A group of pages in the navigation. */
export type Section = 'mail' | 'developers' | 'workspace';

/** A page of the console. */
export interface Page {
  /** The path below `/console`, with parameters such as `:id`. A page with an entry may have optional ones, such as `:id?`. */
  path: string;
  /** Loads the page, when it is first opened. */
  load(): Promise<ComponentType>;
  /** The entry in the navigation and the palette; left out for pages about one thing. */
  entry?: {
    name: string;
    section: Section;
    icon: Icon;
    /** Keys such as `g k`. */
    shortcut?: string;
  };
  /** Whether only owners of the workspace see it. */
  ownerOnly?: boolean;
}

/**
 * Every page behind the sign-in, in the order of the navigation. Navigation, palette, shortcuts and routes come from here. The first page
 * is the one that people see after signing in.
 */
export const pages: Page[] = [
  {
    path: 'inboxes',
    load: () => import('../mail/inboxes/inboxes-page.tsx').then(({ InboxesPage }) => InboxesPage),
    entry: { name: names.inboxes, section: 'mail', icon: IconInbox, shortcut: 'g i' },
  },
  {
    path: 'inboxes/:inboxId',
    load: () => import('../mail/inboxes/inbox-redirect.tsx').then(({ InboxRedirect }) => InboxRedirect),
  },
  {
    path: 'threads/:threadId?',
    load: () => import('../mail/threads/threads-page.tsx').then(({ ThreadsPage }) => ThreadsPage),
    entry: { name: names.threads, section: 'mail', icon: IconMessages, shortcut: 'g t' },
  },
  {
    path: 'approvals',
    load: () => import('../approvals/approvals-page.tsx').then(({ ApprovalsPage }) => ApprovalsPage),
    entry: { name: names.approvals, section: 'mail', icon: IconMailCheck, shortcut: 'g v' },
  },
  {
    path: 'approvals/review',
    load: () => import('../approvals/review-page.tsx').then(({ ReviewPage }) => ReviewPage),
  },
  {
    path: 'approvals/:id',
    load: () => import('../approvals/approval-page.tsx').then(({ ApprovalPage }) => ApprovalPage),
  },
  {
    path: 'labels',
    load: () => import('../mail/labels/labels-page.tsx').then(({ LabelsPage }) => LabelsPage),
    entry: { name: names.labels, section: 'mail', icon: IconTags, shortcut: 'g l' },
  },
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
    path: 'webhooks',
    load: () => import('../webhooks/webhooks-page.tsx').then(({ WebhooksPage }) => WebhooksPage),
    entry: { name: names.webhooks, section: 'developers', icon: IconWebhook, shortcut: 'g w' },
  },
  {
    path: 'webhooks/:id',
    load: () => import('../webhooks/webhook-page.tsx').then(({ WebhookPage }) => WebhookPage),
  },
  {
    path: 'events',
    load: () => import('../events/events-page.tsx').then(({ EventsPage }) => EventsPage),
    entry: { name: names.events, section: 'developers', icon: IconActivity, shortcut: 'g e' },
  },
  {
    path: 'requests',
    load: () => import('../requests/requests-page.tsx').then(({ RequestsPage }) => RequestsPage),
    entry: { name: names.requests, section: 'developers', icon: IconListDetails, shortcut: 'g r' },
  },
  {
    path: 'domains',
    load: () => import('../domains/domains-page.tsx').then(({ DomainsPage }) => DomainsPage),
    entry: { name: names.domains, section: 'developers', icon: IconWorld, shortcut: 'g n' },
  },
  {
    path: 'domains/:id',
    load: () => import('../domains/domain-page.tsx').then(({ DomainPage }) => DomainPage),
  },
  {
    path: 'rules',
    load: () => import('../rules/rules-page.tsx').then(({ RulesPage }) => RulesPage),
    entry: { name: names.rules, section: 'developers', icon: IconFilter },
  },
  {
    path: 'suppressions',
    load: () =>
      import('../suppressions/suppressions-page.tsx').then(({ SuppressionsPage }) => SuppressionsPage),
    entry: { name: names.suppressions, section: 'developers', icon: IconMailOff },
  },
  {
    path: 'sending',
    load: () => import('../sending/sending-page.tsx').then(({ SendingPage }) => SendingPage),
    entry: { name: names.sending, section: 'workspace', icon: IconShieldCheck },
  },
  {
    path: 'people',
    load: () => import('../people/people-page.tsx').then(({ PeoplePage }) => PeoplePage),
    entry: { name: names.people, section: 'workspace', icon: IconUsers, shortcut: 'g p' },
  },
  {
    path: 'admin-tokens',
    load: () =>
      import('../admin-tokens/admin-tokens-page.tsx').then(({ AdminTokensPage }) => AdminTokensPage),
    entry: { name: names.adminTokens, section: 'workspace', icon: IconApi },
    ownerOnly: true,
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
