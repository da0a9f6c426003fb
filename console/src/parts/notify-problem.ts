import { problemOf } from '../lib/problem.ts';
import { notify } from './notify.ts';

/** Shows why something failed in the corner. */
export function notifyProblem(error: unknown): void {
  void notify({ message: problemOf(error).message, tone: 'bad' });
}
