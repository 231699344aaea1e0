import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FIREWALL_RULES_MAX } from '../../contract/limits.ts'
import { parseRequest, parseStored, RANGES_MAX, REQUEST_MAX } from '../../firewall/protocol.ts'
import { consoleText, isMissingTable, parseReading, tableText } from '../../firewall/table.ts'

const ID = '0123456789abcdef'
const APPLY = { op: 'apply', id: ID, mode: -1, ranges: [[1, 65_535, 2]], console: [80], keep: true }

const test = suite('requests to the firewall service')

const parse = (value: unknown) => parseRequest(JSON.stringify(value))

test('a request that is as long as it can be is accepted', () => {
  assert.equal(RANGES_MAX, FIREWALL_RULES_MAX)
  const longest = {
    ...APPLY,
    ranges: Array(RANGES_MAX).fill([10_000, 65_535, 2, '2001:db8:1111:2222:3333:4444:5555:6666/128']),
    console: [65_533, 65_534, 65_535]
  }
  assert.ok(parse(longest))
  assert.ok(JSON.stringify(longest).length <= REQUEST_MAX)
})

const INVALID: [string, unknown][] = [
  ['nothing', undefined],
  ['text', 'apply'],
  ['a list', [APPLY]],
  ['null', null],
  ['an unknown operation', { op: 'flush' }],
  ['a further field', { op: 'state', more: 1 }],
  ['a field of the prototype', JSON.parse('{"op":"state","__proto__":{}}')],
  ['129 ranges', { ...APPLY, ranges: Array(RANGES_MAX + 1).fill([1, 2, 0]) }],
  ['10,000 ranges', { ...APPLY, ranges: Array(10_000).fill([1, 2, 0]) }],
  ['a range out of order', { ...APPLY, ranges: [[9010, 9000, 0]] }],
  ['port 0', { ...APPLY, ranges: [[0, 1, 0]] }],
  ['port 65536', { ...APPLY, ranges: [[1, 65_536, 0]] }],
  ['a fraction', { ...APPLY, ranges: [[1, 1.5, 0]] }],
  ['a port with nft syntax', { ...APPLY, ranges: [['80 accept }', 90, 0]] }],
  ['a port as text', { ...APPLY, ranges: [['80', '80', 0]] }],
  ['protocol 3', { ...APPLY, ranges: [[1, 2, 3]] }],
  ['a protocol as text', { ...APPLY, ranges: [[1, 2, 'tcp']] }],
  ['four values', { ...APPLY, ranges: [[1, 2, 0, 'x']] }],
  ['a source with nft syntax', { ...APPLY, ranges: [[1, 2, 0, '10.0.0.1 accept']] }],
  ['a source with a line break', { ...APPLY, ranges: [[1, 2, 0, '10.0.0.1\n']] }],
  ['a name as source', { ...APPLY, ranges: [[1, 2, 0, 'lan']] }],
  ['a zone in a source', { ...APPLY, ranges: [[1, 2, 0, 'fe80::1%eth0']] }],
  ['a prefix of 33 bits', { ...APPLY, ranges: [[1, 2, 0, '10.0.0.0/33']] }],
  ['a prefix of no bits', { ...APPLY, ranges: [[1, 2, 0, '10.0.0.0/0']] }],
  ['a source as a list', { ...APPLY, ranges: [[1, 2, 0, ['10.0.0.1']]] }],
  ['an empty source', { ...APPLY, ranges: [[1, 2, 0, '']] }],
  ['five values', { ...APPLY, ranges: [[1, 2, 0, '10.0.0.1', 1]] }],
  ['an object with a length', { ...APPLY, ranges: { length: 0 } }],
  ['mode 2', { ...APPLY, mode: 2 }],
  ['a mode as text', { ...APPLY, mode: '1' }],
  ['an ID with a line break', { ...APPLY, id: `${ID.slice(1)}\n` }],
  ['no ID', { op: 'confirm' }],
  ['four ports of the console', { op: 'console', console: [1, 2, 3, 4] }],
  ['a port of the console as text', { op: 'console', console: ['80'] }],
  ['keep as a number', { ...APPLY, keep: 1 }]
]

for (const [title, value] of INVALID)
  test(`${title} is refused`, () => {
    assert.equal(parseRequest(value === undefined ? '' : JSON.stringify(value)), undefined)
  })

test('a range with a source is open from there alone', () => {
  const ranges = [
    [1, 2, 0, '10.0.0.0/8'],
    [3, 3, 2, '2001:db8::/32'],
    [4, 4, 1]
  ] as const
  assert.ok(parse({ ...APPLY, ranges }))
  const text = tableText({ mode: -1, ranges }, [])
  for (const line of [
    'ip saddr 10.0.0.0/8 tcp dport 1-2 counter accept',
    'ip6 saddr 2001:db8::/32 meta l4proto { tcp, udp } th dport 3 counter accept',
    '    udp dport 4 counter accept'
  ])
    assert.ok(text.includes(line), line)
})

test('text that is not JSON is refused', () => {
  for (const text of ['', '{', 'add table inet x', '{"op":"state"', '[[[[['.repeat(1000)])
    assert.equal(parseRequest(text), undefined)
})

test('stored ports are checked like those of a request', () => {
  const { op: _, keep: __, ...stored } = APPLY
  assert.deepEqual(parseStored(JSON.stringify(stored)), stored)
  assert.equal(parseStored(JSON.stringify({ ...stored, ranges: [['80; flush ruleset', 80, 0]] })), undefined)
  assert.equal(parseStored(JSON.stringify({ ...stored, console: ['80'] })), undefined)
})

test('no mode and no rule blocks what the machine needs', () => {
  for (const mode of [-1, 0] as const) {
    const text = tableText({ mode, ranges: [[9000, 9010, 1]] }, [80, 443])
    const drop = text.indexOf(' drop')
    for (const open of [
      'iifname "lo" accept',
      'ct state { established, related } accept',
      'tcp flags & (syn | ack) != syn accept',
      'meta l4proto { icmp, icmpv6, igmp } accept',
      'udp dport { 67, 68, 546, 547 } accept',
      'tcp dport @console accept',
      'iifname . udp dport @questions accept'
    ])
      assert.ok(text.indexOf(open) > 0 && text.indexOf(open) < drop, open)
    assert.match(text, /elements = { 80, 443 }/)
    assert.equal(text.includes('udp dport 9000-9010 counter accept comment "0"'), mode === -1)
  }
  assert.equal(tableText({ mode: 1, ranges: [[1, 2, 0]] }, [80]), 'add table inet headend\ndelete table inet headend\n')
  assert.equal(consoleText([]), 'flush set inet headend console\n')
})

test('counters are read by the comments of their rules', () => {
  const rule = (comment: string, packets: number) => ({
    rule: { comment, expr: [{ match: {} }, { counter: { packets, bytes: packets * 60 } }, { accept: null }] }
  })
  const { counts } = parseReading(
    JSON.stringify({ nftables: [{ metainfo: {} }, rule('0', 3), { rule: { expr: [] } }, rule('refused', 1)] })
  )
  assert.deepEqual(
    [...counts],
    [
      ['0', [3, 180]],
      ['refused', [1, 60]]
    ]
  )
})

test('only the error for a missing table says that there is none', () => {
  const missing = 'Error: No such file or directory'
  for (const message of [missing, `${missing}; did you mean table ‘headend’ in family ip?`])
    assert.equal(isMissingTable(message), true)
  for (const message of ['Error: Could not process rule: No such file or directory', 'Operation not permitted', 'null'])
    assert.equal(isMissingTable(message), false)
})

test.run()
