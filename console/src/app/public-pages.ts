import type { Page } from './navigation.ts';

/** The pages that people open without a session. They have no shell. */
export const publicPages: Pick<Page, 'path' | 'load'>[] = [
  {
    path: 'sign-in',
    load: () => import('../people/sign-in-page.tsx').then(({ SignInPage }) => SignInPage),
  },
  {
    path: 'invitation',
    load: () => import('../links/invitation-page.tsx').then(({ InvitationPage }) => InvitationPage),
  },
  {
    path: 'new-password',
    load: () => import('../links/new-password-page.tsx').then(({ NewPasswordPage }) => NewPasswordPage),
  },
  {
    path: 'approve',
    load: () =>
      import('../approvals/linked-approval-page.tsx').then(({ LinkedApprovalPage }) => LinkedApprovalPage),
  },
  {
    path: 'forgot-password',
    load: () =>
      import('../links/forgot-password-page.tsx').then(({ ForgotPasswordPage }) => ForgotPasswordPage),
  },
];
