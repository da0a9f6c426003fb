import { describeProblem } from '../lib/problem.ts';
import { notify } from './notify.ts';

/** Says in the corner what failed, with the id of the request. */
export function notifyProblem(error: unknown): void {
  const { message, requestId } = describeProblem(error);
  void notify({ message, tone: 'bad', requestId });
}
