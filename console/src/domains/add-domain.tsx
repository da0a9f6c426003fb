import { Alert, Modal, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { domainsText } from '#strings/domains.ts';
import { useChange } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { useAccount } from '../lib/shared-queries.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { FormActions } from '../parts/form-actions.tsx';

const text = domainsText.form;

/** The dialog that adds a domain, and leads to its records. */
export function AddDomain({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={text.title}>
      <DomainForm onClose={onClose} />
    </Modal>
  );
}

function DomainForm({ onClose }: { onClose(): void }) {
  const [kind, setKind] = useState('own');
  const [name, setName] = useState('');
  const { mutate, isPending, error, reset } = useChange(
    ({ api }, domain: { hostname: string } | { label: string }) =>
      'label' in domain ? api.domains.subdomain(domain) : api.domains.create(domain),
    ['domains'],
  );
  const navigate = useNavigate();
  const { mail_domain } = useSession().server;
  const refusal = usePlanRefusal(kind);
  const isOwn = kind === 'own';
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entered = name.trim();
    mutate(isOwn ? { hostname: entered } : { label: entered }, {
      onSuccess: ({ id }) => void navigate(`/domains/${id}`),
    });
  }
  function choose(next: string) {
    setKind(next);
    reset();
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <SegmentedControl
          aria-label={text.kind}
          fullWidth
          value={kind}
          onChange={choose}
          data={[
            { value: 'own', label: text.own },
            { value: 'subdomain', label: text.subdomain },
          ]}
        />
        {error && <ApiProblem error={error} />}
        {refusal !== null && <Alert color="yellow">{refusal}</Alert>}
        <TextInput
          label={isOwn ? text.hostname : text.label}
          description={isOwn ? text.hostnameHelp : text.labelHelp(mail_domain)}
          placeholder={isOwn ? 'mail.example.com' : 'acme'}
          {...(isOwn ? {} : { rightSection: `.${mail_domain}`, rightSectionWidth: 'auto' })}
          rightSectionProps={{ style: { paddingInlineEnd: 12 } }}
          maxLength={253}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <FormActions
          submit={text.submit}
          isPending={isPending}
          isDisabled={refusal !== null}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

/** Returns why the plan has no domains of this kind; null if it has, or while that is not known. */
function usePlanRefusal(kind: string): string | null {
  const { data } = useAccount();
  if (!data) return null;
  const { plan, limits } = data;
  if (kind === 'own') return limits.custom_domains ? null : text.planOwn(text.plans[plan]);
  return limits.dedicated_subdomain ? null : text.planSubdomain(text.plans[plan]);
}
