import { Alert } from '@mantine/core';
import { passkeysText } from '#strings/account.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { PasskeyError } from './passkey-ceremony.ts';

/** Why a passkey was not used: because of the browser and the person, or because of the server. */
export function PasskeyProblem({ error }: { error: unknown }) {
  if (!(error instanceof PasskeyError)) return <ApiProblem error={error} />;
  return (
    <Alert role="alert" color="yellow">
      {passkeysText.faults[error.fault]}
    </Alert>
  );
}
