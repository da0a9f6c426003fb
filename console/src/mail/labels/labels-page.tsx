import '../mail.css';
import { Box, Group, Radio } from '@mantine/core';
import type { Label } from 'postrider';
import { useState } from 'react';
import { Link } from 'react-router';
import { labelsText } from '#strings/labels.ts';
import { useChange } from '../../lib/query.ts';
import { useLabels } from '../../lib/shared-queries.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { apiSnippets } from '../../parts/code-block.tsx';
import { ConfirmButton } from '../../parts/confirm-dialog.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { type DialogProps, FormDialog, NameField } from '../../parts/form-dialog.tsx';
import { Time } from '../../parts/time.tsx';
import { LabelChip } from './label-chip.tsx';

const text = labelsText;
const nameCharactersMax = 64;
const labelLists = ['labels', 'threads'];
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
    header: text.columns.name,
    cell: (label) => (
      <Link to={`/threads?label=${label.id}`} title={text.show(label.name)} className="label-link">
        <LabelChip label={label} />
      </Link>
    ),
  },
  { header: text.columns.created, width: '150px', cell: ({ created_at }) => <Time value={created_at} /> },
  {
    header: text.columns.actions,
    width: '110px',
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
  return (
    <ListPage
      text={text}
      picture="label"
      list={useLabels()}
      columns={columns}
      rowKey={({ id }) => id}
      isTall
      create={{ label: text.create, Dialog: CreateLabel }}
      snippets={labelSnippets}
    />
  );
}

function CreateLabel(dialog: DialogProps) {
  const { mutateAsync } = useChange(labelLists, ({ api }, input: { name: string; color: string }) =>
    api.labels.create(input),
  );
  const [color, setColor] = useState(colors[5]?.[0] ?? '');
  return (
    <FormDialog
      {...dialog}
      title={text.create}
      submit={text.submit}
      onSubmit={(field) => mutateAsync({ name: field('name').trim(), color })}
      done={({ name }) => text.created(name)}
    >
      <NameField label={text.name} placeholder={text.namePlaceholder} maxLength={nameCharactersMax} />
      <Radio.Group label={text.color} value={color} onChange={setColor}>
        <Group gap={6} mt={6}>
          {colors.map(([value, name]) => (
            <Radio.Card key={value} value={value} aria-label={name} title={name} className="label-color">
              <Box component="span" display="block" w={20} h={20} bdrs="50%" bg={value} />
            </Radio.Card>
          ))}
        </Group>
      </Radio.Group>
    </FormDialog>
  );
}

function DeleteLabel({ label: { id, name } }: { label: Label }) {
  const { mutateAsync } = useChange(labelLists, ({ api }) => api.labels.delete(id));
  return <ConfirmButton {...text.deletion(name)} onConfirm={mutateAsync} />;
}
