import { requestsText } from '#strings/requests.ts';
import { useKeyNames } from '../lib/key-names.ts';
import { FilterBar, FilterBefore, FilterSelect, FilterText } from '../parts/filter-bar.tsx';
import type { RequestFilters } from './request-queries.ts';

const text = requestsText.filters;
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

interface RequestFilterBarProps {
  filters: RequestFilters;
  onChange(change: Partial<RequestFilters>): void;
}

/** The filters of the log of requests. */
export function RequestFilterBar({ filters, onChange }: RequestFilterBarProps) {
  const keys = useKeyNames();
  return (
    <FilterBar label={requestsText.title}>
      <FilterText label={text.path} value={filters.path} onChange={(path) => onChange({ path })} />
      <FilterSelect
        label={text.method}
        value={filters.method}
        onChange={(method) => onChange({ method })}
        options={[
          { value: '', label: text.allMethods },
          ...methods.map((method) => ({ value: method, label: method })),
        ]}
      />
      <FilterSelect
        label={text.status}
        value={filters.status}
        onChange={(status) => onChange({ status })}
        options={[
          { value: '', label: text.allStatuses },
          ...Object.entries(text.statuses).map(([value, label]) => ({ value, label })),
        ]}
      />
      {(keys.length > 0 || filters.key !== '') && (
        <FilterSelect
          label={text.key}
          value={filters.key}
          onChange={(key) => onChange({ key })}
          options={[{ value: '', label: text.allKeys }, ...keyOptions(keys, filters.key)]}
        />
      )}
      <FilterBefore label={text.before} value={filters.before} onChange={(before) => onChange({ before })} />
    </FilterBar>
  );
}

function keyOptions(keys: { id: string; name: string }[], chosen: string) {
  const options = keys.map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = chosen === '' || keys.some(({ id }) => id === chosen);
  return isKnown ? options : [...options, { value: chosen, label: chosen }];
}
