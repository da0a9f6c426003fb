import '../mail.css';
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import type { Label } from 'postrider';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { labelsText } from '#strings/labels.ts';
import { useSession } from '../../lib/session.ts';
import { ApiProblem } from '../../parts/api-problem.tsx';
import { apiSnippets } from '../../parts/api-snippets.ts';
import { ConfirmButton } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { notify } from '../../parts/notify.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { Time } from '../../parts/time.tsx';
import { LabelChip } from './label-chip.tsx';
import { useCreateLabel, useDeleteLabel, useLabels } from './label-queries.ts';

const text = labelsText;
const nameCharactersMax = 64;
const colors: [value: string, name: string][] = [
  ['#e03131', text.colors.red],
  ['#e8590c', text.colors.orange],
  ['#f08c00', text.colors.yellow],
  ['#2f9e44', text.colors.green],
  ['#0c8599', text.colors.teal],
  ['#1971c2', text.colors.blue],
  ['#6741d9', text.colors.violet],
  ['#868e96', text.colors.grey],
];

const columns: Column<Label>[] = [
  {
    id: 'name',
    header: text.columns.name,
    cell: (label) => (
      <Link to={`/threads?label=${label.id}`} title={text.show(label.name)} className="label-link">
        <LabelChip label={label} />
      </Link>
    ),
  },
  {
    id: 'created',
    header: text.columns.created,
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  {
    id: 'actions',
    header: text.columns.actions,
    isActions: true,
    cell: (label) => <DeleteLabel label={label} />,
  },
];

function labelSnippets(apiUrl: string) {
  return apiSnippets(apiUrl, {
    path: '/labels',
    body: { name: 'urgent' },
    sdk: "const label = await client.labels.create({ name: 'urgent' });",
  });
}

/** The labels of the workspace. */
export function LabelsPage() {
  const { data = [], isPending, error, refetch } = useLabels();
  const { api_url } = useSession().server;
  const list = {
    items: data,
    isLoading: isPending,
    error,
    retry: () => void refetch(),
    hasMore: false,
    isLoadingMore: false,
    loadMore: () => {},
  };
  return (
    <>
      <PageHeader title={text.title} about={text.about} />
      <CreateLabel />
      <DataTable
        label={text.title}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState {...text.empty} picture="label" snippets={labelSnippets(api_url)} />}
      />
    </>
  );
}

function CreateLabel() {
  const { mutate, isPending, error } = useCreateLabel();
  const [color, setColor] = useState(colors[5]?.[0] ?? '');
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get('name') ?? '').trim();
    const onSuccess = () => {
      form.reset();
      void notify({ message: text.created(name) });
    };
    mutate({ name, color }, { onSuccess });
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" mb="lg">
        {error && <ApiProblem error={error} />}
        <Group align="flex-end" gap="md">
          <TextInput
            name="name"
            label={text.name}
            placeholder={text.namePlaceholder}
            maxLength={nameCharactersMax}
            autoComplete="off"
            required
            withAsterisk={false}
            w={240}
          />
          <Radio.Group label={text.color} value={color} onChange={setColor}>
            <Group gap={6} h={36} align="center">
              {colors.map(([value, name]) => (
                <Radio.Card key={value} value={value} aria-label={name} title={name} className="label-color">
                  <span style={{ background: value }} />
                </Radio.Card>
              ))}
            </Group>
          </Radio.Group>
          <Button type="submit" loading={isPending}>
            {text.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function DeleteLabel({ label: { id, name } }: { label: Label }) {
  const { mutateAsync } = useDeleteLabel();
  async function remove() {
    await mutateAsync(id);
    void notify({ message: text.deletion.done(name) });
  }
  return (
    <ConfirmButton
      label={text.deletion.label(name)}
      title={text.deletion.title(name)}
      message={text.deletion.message}
      confirm={text.deletion.confirm}
      onConfirm={remove}
    >
      {text.deletion.button}
    </ConfirmButton>
  );
}
