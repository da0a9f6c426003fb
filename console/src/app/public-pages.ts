import { loadComponent, type Page } from './navigation.ts';

/** The pages that people open without a session. They have no shell. */
export const publicPages: Pick<Page, 'path' | 'load'>[] = [
  { path: 'sign-in', load: loadComponent(() => import('../people/sign-in-page.tsx')) },
  { path: 'invitation', load: loadComponent(() => import('../links/invitation-page.tsx')) },
  { path: 'new-password', load: loadComponent(() => import('../links/new-password-page.tsx')) },
  { path: 'approve', load: loadComponent(() => import('../approvals/linked-approval-page.tsx')) },
  { path: 'forgot-password', load: loadComponent(() => import('../links/forgot-password-page.tsx')) },
];
