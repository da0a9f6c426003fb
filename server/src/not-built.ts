import { ApiError } from './lib/api-error.ts';

/** Handler of a route that is in the contract and not in this version of the server. */
export async function notBuilt(): Promise<never> {
  throw new ApiError('not_implemented');
}
