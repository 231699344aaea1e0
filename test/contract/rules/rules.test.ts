import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { suite } from 'uvu'
import { downgradePrompt } from '../../../contract/rules/file.ts'
import {
  type Fault,
  isDomain,
  isIpv4,
  lengthInUnits,
  streamName,
  validateFields
} from '../../../contract/rules/rules.ts'
import { type RuleTable, tables, verdictOf } from './rule-cases.ts'

const test = suite('rules')

const RULES = resolve(import.meta.dirname, '../../../contract/rules')

/** Exported functions of contract/rules that are not rules. */
const NOT_RULES = [
  'validateFields',
  'isDomain',
  'isIpv4',
  'isIpv6',
  'isIpv6Host',
  'lengthInUnits',
  'downgradePrompt',
  'activeRules',
  'charactersFault',
  'charactersMax',
  'parseAddresses',
  'parseRoutes',
  'formatRoutes'
]

/** A value for a message, truncated. */
function shorten(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 60)}… (${text.length})` : text
}

const applyRule = ({ rule }: RuleTable, value: unknown) =>
  verdictOf((rule as (value: unknown) => Fault | undefined)(value))

for (const table of tables)
  test(`${table.name} gives the expected result for ${table.rows.length} values`, () => {
    assert.deepEqual(
      table.rows.map(([value]) => `${shorten(value)} ${applyRule(table, value)}`),
      table.rows.map(([value, verdict]) => `${shorten(value)} ${verdict}`)
    )
  })

test('the tables have at least 400 cases and no duplicates', () => {
  const cases = tables.flatMap(({ name, rows }) => rows.map(([value]) => `${name} ${JSON.stringify(value)}`))
  assert.ok(cases.length >= 400, `${cases.length} cases`)
  assert.deepEqual(
    cases.filter((name, index) => cases.indexOf(name) !== index),
    []
  )
})

test('every rule has a table with a valid and an invalid value', async () => {
  const files = readdirSync(RULES)
  assert.ok(files.length > 5, 'rule files not found')
  const exportedRules: string[] = []
  for (const name of files)
    for (const [key, value] of Object.entries(await import(`${RULES}/${name}`)))
      if (typeof value === 'function') exportedRules.push(key)
  assert.deepEqual(
    NOT_RULES.filter((name) => !exportedRules.includes(name)),
    []
  )
  const verdicts = (name: string) =>
    tables
      .filter((table) => table.name.split(/\W/)[0] === name)
      .flatMap(({ rows }) => rows.map(([, verdict]) => verdict === 'ok'))
  assert.deepEqual(
    exportedRules.filter((name) => !NOT_RULES.includes(name) && new Set(verdicts(name)).size < 2),
    []
  )
})

test('rules take linear time for long texts', () => {
  const long = ['a', 'a.', '/', '-', ' ', '1', ',', 'é', '😀', '\u0301', 'a:b@', 'rtmp://', '?', '\n'].map((part) =>
    part.repeat(Math.ceil(100_000 / part.length))
  )
  const slow: string[] = []
  for (const table of tables.filter(({ rows }) => typeof rows[0]?.[0] === 'string'))
    for (const text of [...long, ...long.map((most) => `rtmp://a.example/${most}`)]) {
      const start = performance.now()
      applyRule(table, text)
      // Linear time is a few milliseconds, quadratic time many seconds.
      if (performance.now() - start > 1000) slow.push(`${table.name} ${shorten(text)}`)
    }
  assert.deepEqual(slow, [])
})

test('a character above code 127 and the caret count as three units, all others as one', () => {
  assert.equal(lengthInUnits(''), 0)
  assert.equal(lengthInUnits('abc ~\x7f'), 6)
  assert.equal(lengthInUnits('^'), 3)
  assert.equal(lengthInUnits('\x80'), 3)
  assert.equal(lengthInUnits('é'), 3)
  assert.equal(lengthInUnits('e\u0301'), 4, 'a combining mark is a separate character')
  assert.equal(lengthInUnits('演播室'), 9)
  assert.equal(lengthInUnits('😀'), 3, 'one character, although two code units')
  assert.equal(lengthInUnits('a^é'), 7)
})

test('a stream name accepts the characters of both device character sets and no other symbols', () => {
  for (const character of "_-#() .+'[]09azAZ") assert.equal(streamName(`a${character}a`), undefined, character)
  for (const character of '^~!@$%&*=/\\|:;"<>?,{}`\t\n\0\x7f😀')
    assert.deepEqual(streamName(`a${character}a`), { name: 'characters' }, JSON.stringify(character))
})

test('an IPv4 address is not a domain name', () => {
  assert.ok(isIpv4('1.0.0.0') && !isIpv4('1.0.0') && !isDomain('1.0.0.0') && isDomain('a.example'))
})

test('a downgrade requires confirmation, the same or a higher version does not', () => {
  assert.deepEqual(downgradePrompt('1.5.79', '1.5.78'), { name: 'lower-version', from: '1.5.79', to: '1.5.78' })
  assert.deepEqual(downgradePrompt('2.0.0', '1.9.9'), { name: 'lower-version', from: '2.0.0', to: '1.9.9' })
  assert.deepEqual(downgradePrompt('1.10.0', '1.9.0'), { name: 'lower-version', from: '1.10.0', to: '1.9.0' })
  assert.equal(downgradePrompt('1.5.79', '1.5.79'), undefined)
  assert.equal(downgradePrompt('1.9.0', '1.10.0'), undefined)
})

test('validateFields returns the first fault of each field and passes all values to each rule', () => {
  const rules = {
    name: streamName,
    again: (value: string, all: { name: string }): Fault | undefined =>
      value === all.name ? undefined : { name: 'different' }
  }
  assert.deepEqual(validateFields(rules, { name: 'a', again: 'a' }), {})
  assert.deepEqual(
    validateFields<{ name: string; again: string; free: string }>(rules, { name: '', again: 'b', free: '' }),
    {
      name: { name: 'required' },
      again: { name: 'different' }
    }
  )
})

test.run()
