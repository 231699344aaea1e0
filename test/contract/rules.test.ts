import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  type Fault,
  faultsOf,
  host,
  isDomain,
  isIpv4,
  latency,
  lengthInUnits,
  passphrase,
  password,
  port,
  printable,
  required,
  streamId,
  streamKey,
  streamName,
  wholeNumber,
  wireKey
} from '../../contract/rules.ts'

const test = suite('rules')

function refuses(rule: (value: string) => Fault | undefined, name: Fault['name'], values: readonly string[]): void {
  for (const value of values) assert.equal(rule(value)?.name, name, JSON.stringify(value))
}

function takes(rule: (value: string) => Fault | undefined, values: readonly string[]): void {
  for (const value of values) assert.equal(rule(value), undefined, JSON.stringify(value))
}

test('a character above code 127 and the caret count as three units, every other as one', () => {
  assert.equal(lengthInUnits(''), 0)
  assert.equal(lengthInUnits('abc ~\x7f'), 6)
  assert.equal(lengthInUnits('^'), 3)
  assert.equal(lengthInUnits('\x80'), 3)
  assert.equal(lengthInUnits('é'), 3)
  assert.equal(lengthInUnits('演播室'), 9)
  assert.equal(lengthInUnits('😀'), 3, 'one character, although two code units')
  assert.equal(lengthInUnits('a^é'), 7)
})

test('required wants something, be it a space', () => {
  assert.deepEqual(required(''), { name: 'required' })
  assert.equal(required(' '), undefined)
})

test('a stream name has 1 to 64 units', () => {
  takes(streamName, ['a', 'x'.repeat(64), '室'.repeat(21), `${'室'.repeat(21)}a`])
  assert.deepEqual(streamName('x'.repeat(65)), { name: 'length', min: 1, max: 64 })
  refuses(streamName, 'length', ['室'.repeat(22), `${'室'.repeat(21)}ab`])
  refuses(streamName, 'required', [''])
})

test('a stream name may hold what either reading of the specification allows, and letters of any script', () => {
  for (const character of "_-#() .+'[]09azAZ") takes(streamName, [`a${character}a`])
  takes(streamName, ['Main Hall (2) #1', "Bob's [cam] v1.2+", '演播室 3', 'Größe', 'Зал'])
  for (const character of '^~!@$%&*=/\\|:;"<>?,{}`\t\n\0\x7f😀') refuses(streamName, 'characters', [`a${character}a`])
})

test('a stream name neither begins nor ends with a space', () => {
  refuses(streamName, 'outer-space', [' a', 'a ', ' ', '\ta', 'a\n', '\u00a0a', 'a\u3000'])
  takes(streamName, ['a b'])
})

test('a stream key has 1 to 63 units, may hold inner spaces, and any printable character', () => {
  takes(streamKey, ['k', 'k'.repeat(63), 'a b', '^'.repeat(21), '密'.repeat(21), '~!@#$%^&*()/?'])
  assert.deepEqual(streamKey('k'.repeat(64)), { name: 'length', min: 1, max: 63 })
  refuses(streamKey, 'length', ['^'.repeat(22), `${'^'.repeat(21)}a`])
  refuses(streamKey, 'outer-space', [' k', 'k '])
  refuses(streamKey, 'characters', ['a\nb', 'a\0b', 'a\x7fb', 'a\x85b', 'a\n'])
  refuses(streamKey, 'required', [''])
})

test('a key of a channel has 1 to 256 units and no space at all', () => {
  takes(wireKey, ['k', 'k'.repeat(256), 'PULL-1F0A', '密'.repeat(85)])
  assert.deepEqual(wireKey('k'.repeat(257)), { name: 'length', min: 1, max: 256 })
  refuses(wireKey, 'length', ['密'.repeat(86)])
  refuses(wireKey, 'any-space', ['a b', ' k', 'k\u3000'])
  refuses(wireKey, 'characters', ['a\nb', 'a\0'])
  refuses(wireKey, 'required', [''])
})

test('printable takes everything but control characters', () => {
  takes(printable, ['', 'a b', '密'])
  refuses(printable, 'characters', ['\0', '\x1f', '\x7f', '\x80', '\x9f'])
})

test('a password has 1 to 32 characters of the listed ones', () => {
  takes(password, ['a', 'Aa0_~!@#$%^&*-+=', 'p'.repeat(32), '^'.repeat(32)])
  assert.deepEqual(password('p'.repeat(33)), { name: 'length', min: 1, max: 32 })
  refuses(password, 'required', [''])
  refuses(password, 'any-space', ['a b', ' a', 'a\t', '\n'])
  for (const character of '()[]{}<>/\\|:;"\',.?`é密') refuses(password, 'characters', [`a${character}`])
})

test('a whole number lies between its bounds, both included', () => {
  const rule = (value: string) => wholeNumber(value, 5, 10)
  takes(rule, ['5', '10', '007'])
  assert.deepEqual(rule('4'), { name: 'range', min: 5, max: 10 })
  refuses(rule, 'range', ['4', '11', '0', '9'.repeat(400)])
  refuses(rule, 'number', ['-5', '+5', '5.0', '5e0', '0x5', ' 5', '5 ', '5\n', 'NaN', 'Infinity', '٥', 'five', '1,000'])
  refuses(rule, 'required', [''])
})

test('ports are 1 to 65535, latency is 20 to 8000', () => {
  takes(port, ['1', '65535'])
  assert.deepEqual(port('0'), { name: 'range', min: 1, max: 65535 })
  refuses(port, 'range', ['65536'])
  takes(latency, ['20', '8000'])
  assert.deepEqual(latency('19'), { name: 'range', min: 20, max: 8000 })
  refuses(latency, 'range', ['8001'])
})

test('a passphrase has 10 to 79 printable ASCII characters; the caret counts as one, as SRT counts', () => {
  takes(passphrase, ['p'.repeat(10), 'p'.repeat(79), 'in a word ~', '^'.repeat(79)])
  assert.deepEqual(passphrase('p'.repeat(9)), { name: 'length', min: 10, max: 79 })
  refuses(passphrase, 'length', ['', 'p'.repeat(80)])
  refuses(passphrase, 'characters', ['123456789é', '123456789\n', '123456789\x7f'])
  refuses(passphrase, 'outer-space', [' 123456789', '123456789 '])
})

test('a stream id has at most 256 printable ASCII characters without spaces, or none', () => {
  takes(streamId, ['', '#!::r=live/a,m=request', 's'.repeat(256)])
  assert.deepEqual(streamId('s'.repeat(257)), { name: 'length', min: 0, max: 256 })
  refuses(streamId, 'characters', ['a b', 'é', 'a\n', '\0'])
})

test('an address is a dotted quad whose first octet is 1 to 255', () => {
  for (const good of ['1.0.0.0', '10.0.0.1', '255.255.255.255', '127.0.0.1']) assert.ok(isIpv4(good), good)
  for (const bad of [
    '0.0.0.1',
    '256.1.1.1',
    '1.1.1.256',
    '1.1.1',
    '1.1.1.1.1',
    '01.1.1.1',
    '1.1.1.a',
    '1..1.1',
    '',
    '-1.1.1.1'
  ])
    assert.ok(!isIpv4(bad), bad)
  assert.ok(!isIpv4('1.1.1.1\n'))
  assert.ok(!isIpv4(' 1.1.1.1'))
})

test('a domain has at least two labels of up to 63 letters, digits and hyphens that begin with a letter or digit', () => {
  for (const good of [
    'a.b',
    'stream.example',
    'A-1.b-.example',
    '1a.2b',
    `${'a'.repeat(63)}.example`,
    'xn--bcher-kva.example'
  ])
    assert.ok(isDomain(good), good)
  for (const bad of [
    'a',
    '-a.b',
    'a.-b',
    'a..b',
    '.a.b',
    'a.b.',
    'a_b.c',
    'a.b c',
    'bücher.example',
    'a.1',
    '1.2.3',
    ''
  ])
    assert.ok(!isDomain(bad), bad)
  assert.ok(!isDomain(`${'a'.repeat(64)}.example`))
  const longest = `${'a.'.repeat(126)}b`
  assert.equal(longest.length, 253)
  assert.ok(isDomain(longest))
  assert.ok(!isDomain(`${'a.'.repeat(126)}bc`))
})

test('a host is an address, a domain or localhost', () => {
  takes(host, ['10.0.0.1', 'stream.example', 'localhost'])
  refuses(host, 'required', [''])
  refuses(host, 'invalid', [
    '-i',
    'nas',
    '10.0.0.1:80',
    'http://a.example',
    'a.example/x',
    '::1',
    '0.0.0.0',
    'a.example '
  ])
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
