import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { generateRights } from '../../make/wire/rights.ts'
import { CALL_RIGHTS } from '../hub/call-rights.ts'
import { SETTING_ROWS } from '../hub/setting-rights.ts'

const test = suite('table of rights')

const DOCUMENT = generateRights()

/** The rows of a section, by their first cell. */
function rowsOf(section: string): Map<string, string[]> {
  const text = DOCUMENT.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  return new Map(
    rows.map((line) => {
      const [name = '', ...cells] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
      return [name.replaceAll('`', ''), cells]
    })
  )
}

const permissionsIn = (who: string) =>
  who
    .split(/, | or | \| /)
    .sort()
    .join(' ')

/** A row as the tables that are written by hand have it. */
const inWords = ([who = '', password, interrupts]: readonly string[]) => [
  permissionsIn(who),
  [password && 'password', interrupts && 'interrupts'].filter(Boolean).join(' ')
]

test('each call has a row, with the rights that the table written by hand has', () => {
  const isCall = (name: string) => name.split(' ').length === 2
  const expected = Object.entries(CALL_RIGHTS).filter(([name]) => isCall(name))
  const rows = rowsOf('Calls')
  assert.deepEqual([...rows.keys()].sort(), expected.map(([name]) => name).sort())
  for (const [name, [who, , takes = '']] of expected)
    assert.deepEqual([name, ...inWords(rows.get(name) ?? [])], [name, permissionsIn(who), takes])
})

test('a request with other rights than its call is named in the row of the call', () => {
  for (const name of Object.keys(CALL_RIGHTS)) {
    const [method, path, field] = name.split(' ')
    if (!field) continue
    const exception = rowsOf('Calls').get(`${method} ${path}`)?.at(-1) ?? ''
    assert.ok(exception.includes(`\`${field}\``) || exception.startsWith('by setting'), name)
  }
})

test('each field of the settings has a row, with the rights that the table written by hand has', () => {
  const rows = rowsOf('Settings')
  assert.deepEqual([...rows.keys()].sort(), Object.keys(SETTING_ROWS).sort())
  for (const [name, [who, takes]] of Object.entries(SETTING_ROWS))
    assert.deepEqual([name, ...inWords(rows.get(name) ?? [])], [name, permissionsIn(who), takes])
})

test.run()
