import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { errorCode, NoAnswerError } from '../lib/problem.ts';
import { sessionKey } from '../lib/session.ts';

const staleMs = 20_000;

/** The cache of everything that pages read. When the server says that the session has ended, the sign-in page follows. */
export const queries = createQueryClient();

function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (errorCode(error) === 'not_signed_in') client.setQueryData(sessionKey, null);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // A call without a connection fails and says so, instead of waiting without a word.
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: staleMs,
        // The SDK retries calls itself. Only the console's own API needs retries here.
        retry: (failures, error) => error instanceof NoAnswerError && failures < 2,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
