import type { Person } from '@postrider/contract/console';
import type { PersonRow } from './find-person.ts';

/** Returns a person as the console shows it. */
export function viewPerson(row: PersonRow): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    created_at: row.created_at.toISOString(),
    has_password: row.password_hash !== null,
    has_second_factor: row.second_factor !== null,
    recovery_codes_left: row.recovery_hashes.length,
  };
}
