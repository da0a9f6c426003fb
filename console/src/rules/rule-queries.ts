import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CreateRule, Rule } from 'postrider';
import { useApi } from '../lib/api.ts';
import { type PagedList, usePagedList } from '../lib/paging.ts';
import { type ItemPage, readMatching } from '../lib/read-matching.ts';
import { useRemoval } from '../lib/use-removal.ts';
import { useQueryKey } from '../lib/workspace.ts';

/** Which rules to list. An empty field lets all through. */
export interface RuleFilters {
  q: string;
  kind: string;
  direction: string;
}

const pickItems = ({ items }: ItemPage<Rule>) => items;

/** Reads the rules that pass the filters, newest first. */
export function useRules(filters: RuleFilters): PagedList<Rule> {
  const api = useApi();
  return usePagedList({
    queryKey: useQueryKey('rules', filters),
    read: (cursor, signal) =>
      readMatching(
        async (from) => {
          const { rules, next_cursor } = await api.rules.list({ cursor: from, limit: 100 }, { signal });
          return { items: rules, next_cursor };
        },
        (rule) => isMatch(rule, filters),
        cursor,
      ),
    pickItems,
  });
}

function isMatch({ pattern, kind, direction }: Rule, filters: RuleFilters): boolean {
  return (
    pattern.includes(filters.q.trim().toLowerCase()) &&
    (filters.kind === '' || filters.kind === kind) &&
    (filters.direction === '' || direction === 'both' || filters.direction === direction)
  );
}

/** Creates a rule, or returns the one that exists. */
export function useCreateRule() {
  const api = useApi();
  const queries = useQueryClient();
  const queryKey = useQueryKey('rules');
  return useMutation({
    mutationFn: async (rule: CreateRule) => {
      const { data, response } = await api.rules.create(rule).withResponse();
      return { rule: data, isNew: response.status === 201 };
    },
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
}

/** Deletes a rule, which disappears at once. */
export function useDeleteRule() {
  const api = useApi();
  return useRemoval<Rule>({
    queryKey: useQueryKey('rules'),
    remove: ({ id }) => api.rules.delete(id),
    isSame: (one, other) => one.id === other.id,
  });
}
