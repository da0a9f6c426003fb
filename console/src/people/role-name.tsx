import type { Role } from '@postrider/contract/console';
import { peopleText } from '#strings/people.ts';

/** The name of a role, which stays in one piece next to a long address. */
export function RoleName({ role }: { role: Role }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{peopleText.roles[role]}</span>;
}
