import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { suite } from 'uvu'
import { versionQuestion } from '../../../contract/rules/file.ts'
import { ipv4Number } from '../../../contract/rules/network.ts'
import { type Fault, faultsOf, isDomain, isIpv4, lengthInUnits, streamName } from '../../../contract/rules/rules.ts'
import { type RuleTable, tables, verdictOf } from './rule-cases.ts'

const test = suite('rules')

const CONTRACT = resolve(import.meta.dirname, '../../contract')

/** What the files of rules export besides rules. */
const OTHERS = ['faultsOf', 'ipv4Number', 'isDomain', 'isIpv4', 'lengthInUnits', 'versionQuestion']

/** A value, shortened so that it can be read. */
function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 60)}… (${text.length})` : text
}

const judge = ({ rule }: RuleTable, value: unknown) => verdictOf((rule as (value: unknown) => Fault | undefined)(value))

for (const one of tables)
  test(`${one.name} says of ${one.rows.length} values what its table says`, () => {
    assert.deepEqual(
      one.rows.map(([value]) => `${shown(value)} ${judge(one, value)}`),
      one.rows.map(([value, verdict]) => `${shown(value)} ${verdict}`)
    )
  })

test('the tables hold at least 400 cases, and none twice', () => {
  const cases = tables.flatMap(({ name, rows }) => rows.map(([value]) => `${name} ${JSON.stringify(value)}`))
  assert.ok(cases.length >= 400, `${cases.length} cases`)
  assert.deepEqual(
    cases.filter((one, at) => cases.indexOf(one) !== at),
    []
  )
})

test('every rule has a table, with a value that it takes and one that it refuses', async () => {
  const files = readdirSync(CONTRACT).filter((name) => /(^|-)rules\.ts$/.test(name))
  assert.ok(files.length > 5, 'the rules were not found')
  const exported: string[] = []
  for (const name of files)
    for (const [key, value] of Object.entries(await import(`${CONTRACT}/${name}`)))
      if (typeof value === 'function') exported.push(key)
  assert.deepEqual(
    OTHERS.filter((name) => !exported.includes(name)),
    []
  )
  const verdicts = (name: string) =>
    tables
      .filter((one) => one.name.split(/\W/)[0] === name)
      .flatMap(({ rows }) => rows.map(([, verdict]) => verdict === 'ok'))
  assert.deepEqual(
    exported.filter((name) => !OTHERS.includes(name) && new Set(verdicts(name)).size < 2),
    []
  )
})

test('no text is too long for a rule: the time grows with its length, not with the square of it', () => {
  const long = ['a', 'a.', '/', '-', ' ', '1', ',', 'é', '😀', '\u0301', 'a:b@', 'rtmp://', '?', '\n'].map((part) =>
    part.repeat(Math.ceil(100_000 / part.length))
  )
  const slow: string[] = []
  for (const one of tables.filter(({ rows }) => typeof rows[0]?.[0] === 'string'))
    for (const text of [...long, ...long.map((most) => `rtmp://a.example/${most}`)]) {
      const start = performance.now()
      judge(one, text)
      // A few milliseconds at most; with the square of the length it would be many seconds.
      if (performance.now() - start > 1000) slow.push(`${one.name} ${shown(text)}`)
    }
  assert.deepEqual(slow, [])
})

test('a character above code 127 and the caret count as three units, every other as one', () => {
  assert.equal(lengthInUnits(''), 0)
  assert.equal(lengthInUnits('abc ~\x7f'), 6)
  assert.equal(lengthInUnits('^'), 3)
  assert.equal(lengthInUnits('\x80'), 3)
  assert.equal(lengthInUnits('é'), 3)
  assert.equal(lengthInUnits('e\u0301'), 4, 'a mark is a character of its own')
  assert.equal(lengthInUnits('演播室'), 9)
  assert.equal(lengthInUnits('😀'), 3, 'one character, although two code units')
  assert.equal(lengthInUnits('a^é'), 7)
})

test('a stream name takes each character that either reading of the specification allows, and no other sign', () => {
  for (const character of "_-#() .+'[]09azAZ") assert.equal(streamName(`a${character}a`), undefined, character)
  for (const character of '^~!@$%&*=/\\|:;"<>?,{}`\t\n\0\x7f😀')
    assert.deepEqual(streamName(`a${character}a`), { name: 'characters' }, JSON.stringify(character))
})

test('an address is a number of 32 bits, other texts are none', () => {
  assert.equal(ipv4Number('1.0.0.0'), 2 ** 24)
  assert.equal(ipv4Number('255.255.255.255'), 2 ** 32 - 1)
  assert.ok(Number.isNaN(ipv4Number('a.example')))
  assert.ok(Number.isNaN(ipv4Number('')))
  assert.ok(isIpv4('1.0.0.0') && !isIpv4('1.0.0') && !isDomain('1.0.0.0') && isDomain('a.example'))
})

test('a lower version is asked about, the same and a higher one are not', () => {
  const asks = (from: string, to: string) => versionQuestion(from, to)
  assert.deepEqual(asks('1.5.79', '1.5.78'), { name: 'lower-version', from: '1.5.79', to: '1.5.78' })
  assert.deepEqual(asks('2.0.0', '1.9.9'), { name: 'lower-version', from: '2.0.0', to: '1.9.9' })
  assert.deepEqual(asks('1.10.0', '1.9.0'), { name: 'lower-version', from: '1.10.0', to: '1.9.0' })
  assert.equal(asks('1.5.79', '1.5.79'), undefined)
  assert.equal(asks('1.9.0', '1.10.0'), undefined)
})

test('a rule set finds the first fault of each field, and hands each rule the other values', () => {
  const rules = {
    name: streamName,
    again: (value: string, all: { name: string }): Fault | undefined =>
      value === all.name ? undefined : { name: 'different' }
  }
  assert.deepEqual(faultsOf(rules, { name: 'a', again: 'a' }), {})
  assert.deepEqual(faultsOf<{ name: string; again: string; free: string }>(rules, { name: '', again: 'b', free: '' }), {
    name: { name: 'required' },
    again: { name: 'different' }
  })
})

test.run()
