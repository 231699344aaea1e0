// Validation rules with their boundaries (docs/specification.md, section 5).
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { catalogName } from '../../contract/catalog.ts'
import * as account from '../../contract/rules/account.ts'
import { notAmong, notSameAs, notSameHost, sameAs } from '../../contract/rules/compare.ts'
import * as file from '../../contract/rules/file.ts'
import * as network from '../../contract/rules/network.ts'
import * as number from '../../contract/rules/number.ts'
import { makePasswordRule, NO_PASSWORD_RULES } from '../../contract/rules/password.ts'
import * as rules from '../../contract/rules/rules.ts'

const test = suite('validation rules')

type Rule = (value: string) => rules.Fault | undefined

/** The rule accepts the first values and refuses the others. */
const accepts = (statement: string, rule: Rule, valid: readonly string[], invalid: readonly string[]): void => {
  test(statement, () => {
    for (const value of valid) assert.equal(rule(value), undefined, value)
    for (const value of invalid) assert.ok(rule(value), value)
  })
}

const letters = (count: number) => 'a'.repeat(count)
const OUTER_SPACES = [' a', 'a ']

/** A rule that compares a field with the field `other`. */
const against =
  (rule: (value: string, all: { other: string }) => rules.Fault | undefined, other: string): Rule =>
  (value) =>
    rule(value, { other })

const strict = (more: Partial<typeof NO_PASSWORD_RULES>) => makePasswordRule({ ...NO_PASSWORD_RULES, ...more }, 'carl')

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----\n'
const KEY = '-----BEGIN PRIVATE KEY-----\nTUlJ\n-----END PRIVATE KEY-----\n'

accepts('the name of a stream has 1 to 64 units', rules.streamName, ['a', letters(64)], ['', letters(65)])
accepts('the name of a stream has no space at either end', rules.streamName, ['a b'], OUTER_SPACES)
accepts(
  'the name of a stream has letters, digits, space and _-#()',
  rules.streamName,
  ['Hall_1-#(2) b'],
  ['a/b', 'a^b', 'a&b']
)
accepts("the name of a stream also has the characters . _ - + ' [ ] ( )", rules.streamName, ["a._-+'[]()"], ['a~b'])
accepts('the name of a channel has 1 to 64 units', rules.channelName, ['a', letters(64)], ['', letters(65)])
accepts('a stream key has 1 to 63 units', rules.streamKey, ['k', letters(63)], ['', letters(64)])
accepts('a stream key has no space at either end', rules.streamKey, ['k'], [' k', 'k '])
accepts('a stream key differs from another one', against(notSameAs('other'), 'one'), ['two', 'One'], ['one'])
test('characters above code 127 and the caret count as 3 units', () => {
  assert.equal(rules.lengthInUnits('a^é'), 7)
  assert.deepEqual(rules.streamName('室'.repeat(22)), { name: 'units', min: 1, max: 64 })
})
accepts('the name of a device has letters, digits, space and _-', rules.deviceName, ['Hall_1-b c'], ['a.b', 'a#b'])
accepts("some families also allow . _ + ' [ ] ( )", rules.dottedDeviceName, ["a._+'[]()"], ['a#b'])
accepts('the name of a device has no space at either end', rules.deviceName, ['a b'], OUTER_SPACES)
accepts('the name of a USB device follows the same rule', rules.usbName, ['Hall_1-b c'], ['a.b', ' a'])
accepts('the name of a user group has at most 32 units', account.groupName, ['Crew', letters(32)], ['', letters(33)])
accepts('the name of a device group has at most 32 units', catalogName, ['Campus', letters(32)], ['', letters(33)])
accepts('the name of a device group has no space at either end', catalogName, ['a b'], OUTER_SPACES)
accepts('a name of a group is unique', notAmong(['Crew'], true), ['Staff'], ['Crew', 'crew'])
accepts(
  'input and output do not have the same host',
  against(notSameHost('other'), 'rtmp://a.example/live'),
  ['rtmp://b.example/live'],
  ['srt://A.example:9000']
)

accepts('a user name has 3 to 12 characters', account.userName, ['abc', letters(12)], ['', 'ab', letters(13)])
accepts('a user name has letters, digits and underscores', account.userName, ['Carl_1'], ['car-l', 'ca rl', 'carlé'])
accepts('a password has 1 to 32 characters', rules.password, ['a', letters(32)], ['', letters(33)])
accepts(
  'a password has no spaces, and no other symbols than ~!@#$%^&*_-+=',
  rules.password,
  ['aZ9~!@#$%^&*_-+='],
  ['a b', 'a/b', 'aé']
)
accepts('the confirmation repeats the password', against(sameAs('other'), 'secret'), ['secret'], ['Secret', ''])
accepts('a rule can demand a minimum length', strict({ length: 8 }), [letters(8)], [letters(7)])
accepts('a rule can demand a lower-case letter', strict({ lowercase: 1 }), ['Aa'], ['A1'])
accepts('a rule can demand an upper-case letter', strict({ uppercase: 1 }), ['Aa'], ['a1'])
accepts('a rule can demand a digit', strict({ number: 1 }), ['a1'], ['aa'])
accepts('a rule can demand a special symbol', strict({ special: 1 }), ['a_'], ['aa'])
accepts('a rule can forbid the user name', strict({ 'chk-name': 1 }), ['secret'], ['my-Carl-1'])
accepts(
  'an access token has 64 letters and digits',
  account.accessToken,
  [letters(64)],
  [letters(63), `${letters(63)}-`]
)
accepts('the serial number of a licence has A-F and digits', account.licenseSerial, ['A0F9'], ['', 'a0', 'G'])
test('a user group has at least one permission', () => {
  assert.equal(account.atLeastOnePermission(1), undefined)
  assert.ok(account.atLeastOnePermission(0))
})

accepts('a number is between two limits', number.numberRange(5, 10), ['5', '10'], ['4', '11', '5.5', 'x', ''])
accepts('a port is 1 to 65535', rules.port, ['1', '65535'], ['0', '65536', '-1', '8o'])
accepts(
  'a port can be a default outside of its range, and in use elsewhere',
  number.portOrDefault({ default: 80, min: 1024, max: 2000, unique: [1500] }),
  ['80', '1024', '2000'],
  ['81', '1500', '2001']
)
accepts(
  'a range of ports is a-b with a below b',
  number.portRange,
  ['1-2', '80-65535'],
  ['2-1', '5-5', '0-5', '1-65536', '5']
)
accepts('a firewall rule has a port or a range', number.firewallPort, ['80', '80-90'], ['90-80', 'x', ''])
accepts('a latency is 20 to 8000', rules.latency, ['20', '8000'], ['19', '8001'])
accepts('a buffer is 1 to 2000', number.bufferDuration, ['1', '2000'], ['0', '2001'])
accepts(
  'an address has four numbers, the first 1 to 255',
  network.ipv4,
  ['1.0.0.0', '255.255.255.255'],
  ['0.1.1.1', '1.2.3', '1.2.3.256']
)
accepts(
  'a domain has two or more labels of up to 63 letters, digits and hyphens, each beginning with a letter or digit',
  rules.domain,
  ['a.example', `${letters(63)}.example`, '1a-b.example'],
  ['example', `${letters(64)}.example`, '-a.example', 'a_b.example']
)
accepts(
  'an address is between two others',
  network.ipBetween('10.0.0.1', '10.0.0.9'),
  ['10.0.0.1', '10.0.0.9'],
  ['10.0.0.0', '10.0.0.10']
)
accepts(
  'a subnet mask is contiguous',
  network.subnetMask,
  ['255.255.255.0', '255.255.255.255'],
  ['255.0.255.0', '255.255.255.1']
)
accepts(
  'a live URL has an optional scheme rtmp or rtmps, a host, an optional port, and a path',
  network.liveUrl,
  ['a.example/live', 'rtmp://1.2.3.4/live', 'rtmps://a.example:65535/live/key'],
  ['srt://a.example/live', 'rtmp://a.example', 'rtmp://a.example:65536/live', 'rtmp://a.example/']
)
accepts('a value does not repeat a given one', notAmong(['9000']), ['9001'], ['9000'])
accepts('two DNS addresses differ', against(notSameHost('other'), '192.0.2.1'), ['192.0.2.2', ''], ['192.0.2.1'])
accepts('two NTP servers differ', against(notSameHost('other'), 'ntp.example'), ['ntp2.example'], ['NTP.example'])

accepts('a firmware file ends with .mwf', file.firmwareFile, ['a_1_2_3.mwf', 'A.MWF'], ['a.bin', '.mwf', 'a.mwf.txt'])
test('a firmware file fits the model and the hardware', () => {
  const firmware = { 'product-id': 787, 'product-name': 'Ultra Encode AIO', 'hardware-ver': 'A' }
  const device = { 'product-id': 787, 'module-name': 'Ultra Encode AIO', 'hardware-ver': 'A' }
  assert.equal(file.compatibleWith(device)(firmware), undefined)
  assert.ok(file.compatibleWith({ ...device, 'product-id': 789 })(firmware))
  assert.ok(file.compatibleWith({ ...device, 'hardware-ver': 'B' })(firmware))
})
test('a lower version is a question', () => {
  assert.equal(file.downgradePrompt('1.5.0', '1.4.9')?.name, 'lower-version')
  assert.equal(file.downgradePrompt('1.4.9', '1.5.0'), undefined)
})
test('an upload needs 50 MB of free space', () => {
  assert.equal(file.freeSpace(50 * 2 ** 20), undefined)
  assert.ok(file.freeSpace(50 * 2 ** 20 - 1))
})
accepts('a certificate is in PEM format', file.certificate, [CERTIFICATE], ['', 'x', KEY])
accepts('a private key is in PEM format', file.privateKey, [KEY], ['', 'x', CERTIFICATE])

test.run()
