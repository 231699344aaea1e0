// Rows of the table on the page, by name.
import { findByRole, nameOf, queryAllByRole } from './page.ts'

export const findRow = (name: string) => findByRole('row', name)
/** Names of the rows in the order of the table. */
export const rowNames = () => queryAllByRole('row').map(nameOf)
export const buttonInRow = async (name: string, button: string | RegExp) =>
  findByRole('button', button, await findRow(name))
