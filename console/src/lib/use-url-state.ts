import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** The fields of a list's state, such as filters. An empty field is left out of the address. */
export type UrlState = Record<string, string>;

/** Returns fields of the query of the address, and a function that changes some. `empty` has their defaults, and must be a constant. */
export function useUrlState<State extends UrlState>(
  empty: State,
): [State, (change: Partial<State>, options?: { replace?: boolean }) => void] {
  const [params, setParams] = useSearchParams();
  const state = useMemo(() => readState(params, empty), [params, empty]);
  const change = useCallback(
    (changed: Partial<State>, { replace = true }: { replace?: boolean } = {}) =>
      setParams((before) => writeState(before, changed, empty), { replace, preventScrollReset: true }),
    [setParams, empty],
  );
  return [state, change];
}

/** Returns the fields of a query, with the values of `empty` for those that it does not have. */
export function readState<State extends UrlState>(params: URLSearchParams, empty: State): State {
  const entries = Object.entries(empty).map(([name, value]) => [name, params.get(name) ?? value]);
  return Object.fromEntries(entries) as State;
}

/** Returns the query with the changed fields. A field with its empty value is left out; other fields of the query stay. */
export function writeState<State extends UrlState>(
  before: URLSearchParams,
  changed: Partial<State>,
  empty: State,
): URLSearchParams {
  const params = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined || value === empty[name]) params.delete(name);
    else params.set(name, value);
  }
  return params;
}
