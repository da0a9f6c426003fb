import { Outlet } from 'react-router';
import { problemText } from '#strings/problem.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { MessagePage } from './message-page.tsx';

/** Shows the pages inside of it to owners of the workspace. Members are told why they do not see them. */
export function RequireOwner() {
  return useIsOwner() ? <Outlet /> : <MessagePage {...problemText.ownerOnly} />;
}
