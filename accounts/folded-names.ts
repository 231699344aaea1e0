// Names of users and groups that look alike are taken for equal.

/** Normalizes a name for comparison, without invisible characters. */
const foldName = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()

/** The first row whose name is equal when case and invisible characters are ignored. */
export function findByFoldedName<Row extends { name: string }>(rows: readonly Row[], name: string): Row | undefined {
  const folded = foldName(name)
  return rows.find((row) => foldName(row.name) === folded)
}
