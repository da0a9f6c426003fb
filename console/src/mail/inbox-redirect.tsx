import { Navigate, useParams } from 'react-router';

/** Leads from the address of an inbox to its threads. */
export function InboxRedirect() {
  const { inboxId = '' } = useParams();
  return <Navigate to={`/threads?inbox=${encodeURIComponent(inboxId)}`} replace />;
}
