import { Skeleton } from '@mantine/core';
import { Navigate, useParams } from 'react-router';
import { useOriginal } from '../compose/compose-queries.ts';
import { threadPath } from '../lib/mail-paths.ts';
import { ApiProblem } from '../parts/api-problem.tsx';

/** Leads to a message in its thread, for links that only know its id. */
export function MessageRedirect() {
  const { messageId = '' } = useParams();
  const { data: message, error, refetch } = useOriginal({ kind: 'reply', messageId });
  if (message) return <Navigate to={threadPath(message.thread_id, message.id)} replace />;
  if (error) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  return <Skeleton height={200} />;
}
