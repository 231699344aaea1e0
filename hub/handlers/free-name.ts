// Checks that a name is not in use.
import { NAME_EXISTS } from '../../contract/codes.ts'
import { CallError } from '../http/handler.ts'

/**
 * Upper and lower case are the same.
 * @param id the row that gets the name; undefined: a new one
 * @throws CallError 1003 if another row has the name
 */
export function requireFreeName(rows: readonly { id: number; name: string }[], name: string, id?: number): void {
  const isTaken = rows.some((row) => row.id !== id && row.name.toLowerCase() === name.toLowerCase())
  if (isTaken) throw new CallError(NAME_EXISTS, { field: 'name' })
}
