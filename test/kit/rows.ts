// Rows of the table on the page.
import { all, nameOf, one } from './page.ts'

export const row = (name: string) => one('row', name)
/** Names of the rows, in the order of the table. */
export const rowNames = () => all('row').map(nameOf)
export const buttonInRow = async (name: string, button: string | RegExp) => one('button', button, await row(name))
