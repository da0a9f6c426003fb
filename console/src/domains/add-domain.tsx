import { Alert, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { domainsText } from '#strings/domains.ts';
import { useChange } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { useAccount } from '../lib/shared-queries.ts';
import { type DialogProps, FormDialog } from '../parts/form-dialog.tsx';

const text = domainsText.form;

/** The dialog that adds a domain, and leads to its records. */
export function AddDomain(dialog: DialogProps) {
  const [kind, setKind] = useState('own');
  const { mutateAsync } = useChange(
    ['domains'],
    ({ api }, domain: { hostname: string } | { label: string }) =>
      'label' in domain ? api.domains.subdomain(domain) : api.domains.create(domain),
  );
  const navigate = useNavigate();
  const { mail_domain } = useSession().server;
  const refusal = usePlanRefusal(kind);
  const isOwn = kind === 'own';
  async function add(name: string) {
    const { id } = await mutateAsync(isOwn ? { hostname: name } : { label: name });
    void navigate(`/domains/${id}`);
  }
  return (
    <FormDialog
      {...dialog}
      title={text.title}
      submit={text.submit}
      isDisabled={refusal !== null}
      onSubmit={(field) => add(field('name').trim())}
    >
      <SegmentedControl
        aria-label={text.kind}
        fullWidth
        value={kind}
        onChange={setKind}
        data={[
          { value: 'own', label: text.own },
          { value: 'subdomain', label: text.subdomain },
        ]}
      />
      {refusal !== null && <Alert color="yellow">{refusal}</Alert>}
      <TextInput
        name="name"
        label={isOwn ? text.hostname : text.label}
        description={isOwn ? text.hostnameHelp : text.labelHelp(mail_domain)}
        placeholder={isOwn ? 'mail.example.com' : 'acme'}
        {...(isOwn ? {} : { rightSection: `.${mail_domain}`, rightSectionWidth: 'auto' })}
        rightSectionProps={{ style: { paddingInlineEnd: 12 } }}
        maxLength={253}
        spellCheck={false}
        required
        data-autofocus
      />
    </FormDialog>
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
