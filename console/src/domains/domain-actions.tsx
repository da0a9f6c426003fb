import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { Domain } from 'postrider';
import { useNavigate } from 'react-router';
import { domainsText } from '#strings/domains.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { notify } from '../parts/notify.ts';
import { notifyProblem } from '../parts/notify-problem.ts';
import { OwnersOnly } from '../parts/owners-only.tsx';
import { useDeleteDomain, useVerifyDomain } from './domain-queries.ts';
import { countRight } from './domain-status.tsx';

const text = domainsText.actions;

/** The actions on a domain: everybody has its records checked, and owners delete it. */
export function DomainActions({ domain: { id, hostname } }: { domain: Domain }) {
  const { mutate: verify, isPending } = useVerifyDomain(id);
  const { mutateAsync: remove } = useDeleteDomain(id);
  const navigate = useNavigate();
  function check() {
    verify(undefined, {
      onSuccess: (domain) => {
        const wrong = domain.records.length - countRight(domain);
        void notify({
          message: wrong === 0 ? text.verified : text.incomplete(wrong),
          tone: wrong === 0 ? 'good' : 'bad',
        });
      },
      onError: notifyProblem,
    });
  }
  async function confirmed() {
    await remove();
    void navigate('/domains');
    void notify({ message: text.deleted(hostname) });
  }
  return (
    <>
      <Button
        size="xs"
        leftSection={<IconRefresh size={14} aria-hidden />}
        loading={isPending}
        onClick={check}
      >
        {text.verify}
      </Button>
      <OwnersOnly>
        <ConfirmButton
          title={text.deleteTitle(hostname)}
          message={text.deleteMessage}
          confirm={text.deleteConfirm}
          onConfirm={confirmed}
        >
          {text.delete}
        </ConfirmButton>
      </OwnersOnly>
    </>
  );
}
