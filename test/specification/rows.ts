// The form of the tables in this folder: every statement of `docs/specification.md` that can be checked, with its evidence.
import assert from 'node:assert/strict'

/** A statement and exactly one kind of evidence. */
export interface Row {
  statement: string
  /** Throws if the statement is not true. */
  check?: () => unknown
  /** The test that checks the statement: its file below `test/`, and its title in the source. */
  test?: { file: string; title: string }
  /** The entry of the list of next steps in `docs/roadmap.md`, for a part that is still to come. */
  roadmap?: string
}

/** The rows of one heading of the document. */
export interface Part {
  title: string
  rows: readonly Row[]
}

/** One of the nine sections of the document. */
export interface Section {
  number: number
  title: string
  /** The file of this folder that has the rows. */
  file: string
  parts: readonly Part[]
}

export const part = (title: string, ...rows: (Row | readonly Row[])[]): Part => ({ title, rows: rows.flat() })

/** A statement that a function checks. */
export const checked = (statement: string, check: () => unknown): Row => ({ statement, check })

/** A statement that an existing test checks. @param file below `test/` */
export const tested = (statement: string, file: string, title: string): Row => ({ statement, test: { file, title } })

/** A statement that is not true yet. */
export const planned = (statement: string, roadmap: string): Row => ({ statement, roadmap })

/** One row for each name: the contract has this value for it. @param describe makes the statement */
export function valueRows<Value extends number | string>(
  describe: (name: string, value: Value) => string,
  actual: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, Value>>
): Row[] {
  return Object.entries(expected).map(([name, value]) =>
    checked(describe(name, value), () => assert.equal(actual[name], value))
  )
}

/** One row that compares the whole table, so that a further value needs a row. */
export const completeRow = (statement: string, actual: object, expected: object): Row =>
  checked(statement, () => assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort()))

/** One row for each field: the object has it. @param find gives the object, once the hub of the tables has started */
export function fieldRows(subject: string, find: () => object, fields: Readonly<Record<string, string>>): Row[] {
  return Object.entries(fields).map(([path, meaning]) =>
    checked(`${subject} has ${meaning} (\`${path}\`).`, () => assert.ok(hasPath(find(), path.split('.')), path))
  )
}

function hasPath(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true
  return typeof value === 'object' && value !== null && name in value && hasPath(Reflect.get(value, name), rest)
}
