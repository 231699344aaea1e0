// Section 5: validation rules with their boundaries, and the sentences of their faults.
import assert from 'node:assert/strict'
import { catalogName } from '../../contract/catalog.ts'
import * as account from '../../contract/rules/account.ts'
import { notAmong, notSameAs, notSameHost, sameAs } from '../../contract/rules/compare.ts'
import * as file from '../../contract/rules/file.ts'
import * as network from '../../contract/rules/network.ts'
import * as number from '../../contract/rules/number.ts'
import { makePasswordRule, NO_PASSWORD_RULES } from '../../contract/rules/password.ts'
import * as rules from '../../contract/rules/rules.ts'
import { faultText } from '../../src/text/faults.ts'
import { checked, part, type Row, type Section, tested } from './rows.ts'

type Rule = (value: string) => rules.Fault | undefined

/** The rule accepts the first values and refuses the others. */
const accepts = (statement: string, rule: Rule, valid: readonly string[], invalid: readonly string[]): Row =>
  checked(statement, () => {
    for (const value of valid) assert.equal(rule(value), undefined, value)
    for (const value of invalid) assert.ok(rule(value), value)
  })

const letters = (count: number) => 'a'.repeat(count)
const OUTER_SPACES = [' a', 'a ']

/** A rule that compares a field with the field `other`. */
const against =
  (rule: (value: string, all: { other: string }) => rules.Fault | undefined, other: string): Rule =>
  (value) =>
    rule(value, { other })

const MESSAGES: Readonly<Record<string, rules.Fault>> = {
  Required: { name: 'required' },
  'Invalid entry': { name: 'invalid' },
  'Invalid number': { name: 'number' },
  'Cannot begin or end with a space': { name: 'outer-space' },
  'Cannot contain any space': { name: 'any-space' },
  'Two passwords are inconsistent': { name: 'different' },
  'Invalid file': { name: 'file' }
}

const strict = (more: Partial<typeof NO_PASSWORD_RULES>) => makePasswordRule({ ...NO_PASSWORD_RULES, ...more }, 'carl')

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----\n'
const KEY = '-----BEGIN PRIVATE KEY-----\nTUlJ\n-----END PRIVATE KEY-----\n'

export const RULES: Section = {
  number: 5,
  title: 'Validation rules',
  file: 'rules.ts',
  parts: [
    part(
      'Names and keys',
      accepts('The name of a stream has 1 to 64 units.', rules.streamName, ['a', letters(64)], ['', letters(65)]),
      accepts('It has no space at either end.', rules.streamName, ['a b'], OUTER_SPACES),
      accepts(
        'Letters, digits, space and _-#() are allowed.',
        rules.streamName,
        ['Hall_1-#(2) b'],
        ['a/b', 'a^b', 'a&b']
      ),
      accepts("The characters . _ - + ' [ ] ( ) are allowed too.", rules.streamName, ["a._-+'[]()"], ['a~b']),
      accepts('The name of a channel has 1 to 64 units.', rules.channelName, ['a', letters(64)], ['', letters(65)]),
      accepts('A stream key has 1 to 63 units.', rules.streamKey, ['k', letters(63)], ['', letters(64)]),
      accepts('A stream key has no space at either end.', rules.streamKey, ['k'], [' k', 'k ']),
      accepts('A stream key differs from another one.', against(notSameAs('other'), 'one'), ['two', 'One'], ['one']),
      checked('Characters above code 127 and the caret count as 3 units.', () => {
        assert.equal(rules.lengthInUnits('a^é'), 7)
        assert.deepEqual(rules.streamName('室'.repeat(22)), { name: 'units', min: 1, max: 64 })
      }),
      checked('The message of a length has both limits.', () =>
        assert.equal(faultText({ name: 'length', min: 3, max: 12 }), 'Must be 3 to 12 characters long')
      ),
      accepts(
        'The name of a device has letters, digits, space and _-.',
        rules.deviceName,
        ['Hall_1-b c'],
        ['a.b', 'a#b']
      ),
      accepts("Some families also allow . _ + ' [ ] ( ).", rules.dottedDeviceName, ["a._+'[]()"], ['a#b']),
      accepts('The name of a device has no space at either end.', rules.deviceName, ['a b'], OUTER_SPACES),
      accepts('The name of a USB device follows the same rule.', rules.usbName, ['Hall_1-b c'], ['a.b', ' a']),
      tested(
        'Each family has its rule for names.',
        'contract/device/families.test.ts',
        'names of Pro Convert and USB devices have fewer allowed characters'
      ),
      accepts(
        'The name of a user group has at most 32 units.',
        account.groupName,
        ['Crew', letters(32)],
        ['', letters(33)]
      ),
      accepts(
        'The name of a device group has at most 32 units.',
        catalogName,
        ['Campus', letters(32)],
        ['', letters(33)]
      ),
      accepts('The name of a device group has no space at either end.', catalogName, ['a b'], OUTER_SPACES),
      accepts('A name of a group is unique.', notAmong(['Crew'], true), ['Staff'], ['Crew', 'crew']),
      accepts(
        'Input and output do not have the same host.',
        against(notSameHost('other'), 'rtmp://a.example/live'),
        ['rtmp://b.example/live'],
        ['srt://A.example:9000']
      ),
      tested(
        'A channel sends to the host from which it receives only if the user insists.',
        'src/screens/channel/same-host.test.tsx',
        'an output to the host of the input is added when the user insists, else nothing is left over'
      ),
      tested(
        'A stream key of a playback output differs from all others of the hub.',
        'hub/handlers/stream/stream-keys.test.ts',
        'a key of another stream is refused, and nothing changes'
      ),
      tested(
        'The forms show the message of each rule at its field.',
        'src/form/wrong-values.test.tsx',
        'names of channels, inputs, outputs and devices'
      )
    ),
    part(
      'Same host',
      tested(
        'An output that sends to the host of the input is a question.',
        'src/screens/channel/same-host.test.tsx',
        'an output to the host of the input is added when the user insists, else nothing is left over'
      ),
      tested(
        'The hub asks for input, outputs and backups.',
        'hub/handlers/channel/same-host.test.ts',
        'an input from the host of an output, and a backup, are set only by force'
      )
    ),
    part(
      'Accounts and secrets',
      accepts('A user name has 3 to 12 characters.', account.userName, ['abc', letters(12)], ['', 'ab', letters(13)]),
      accepts(
        'A user name has letters, digits and underscores.',
        account.userName,
        ['Carl_1'],
        ['car-l', 'ca rl', 'carlé']
      ),
      accepts('A password has 1 to 32 characters.', rules.password, ['a', letters(32)], ['', letters(33)]),
      accepts(
        'A password has no spaces, and no other symbols than ~!@#$%^&*_-+=.',
        rules.password,
        ['aZ9~!@#$%^&*_-+='],
        ['a b', 'a/b', 'aé']
      ),
      accepts('The confirmation repeats the password.', against(sameAs('other'), 'secret'), ['secret'], ['Secret', '']),
      accepts('A rule can demand a minimum length.', strict({ length: 8 }), [letters(8)], [letters(7)]),
      accepts('A rule can demand a lower-case letter.', strict({ lowercase: 1 }), ['Aa'], ['A1']),
      accepts('A rule can demand an upper-case letter.', strict({ uppercase: 1 }), ['Aa'], ['a1']),
      accepts('A rule can demand a digit.', strict({ number: 1 }), ['a1'], ['aa']),
      accepts('A rule can demand a special symbol.', strict({ special: 1 }), ['a_'], ['aa']),
      accepts('A rule can forbid the user name.', strict({ 'chk-name': 1 }), ['secret'], ['my-Carl-1']),
      tested(
        'The rules of a hub are in its settings and in its status.',
        'hub/handlers/user/new-password.test.ts',
        'the rules are in the settings and, for every user, in the status; absent fields require nothing'
      ),
      tested(
        'The rules are set on a screen.',
        'src/screens/user/sessions.test.tsx',
        'password rules are set, show the stored values, and apply to the next password'
      ),
      accepts(
        'An access token has 64 letters and digits.',
        account.accessToken,
        [letters(64)],
        [letters(63), `${letters(63)}-`]
      ),
      accepts('The serial number of a licence has A-F and digits.', account.licenseSerial, ['A0F9'], ['', 'a0', 'G']),
      checked('A user group has at least one permission.', () => {
        assert.equal(account.atLeastOnePermission(1), undefined)
        assert.ok(account.atLeastOnePermission(0))
      })
    ),
    part(
      'Numbers and networks',
      accepts('A number is between two limits.', number.numberRange(5, 10), ['5', '10'], ['4', '11', '5.5', 'x', '']),
      accepts('A port is 1 to 65535.', rules.port, ['1', '65535'], ['0', '65536', '-1', '8o']),
      accepts(
        'A port can be a default outside of its range, and in use elsewhere.',
        number.portOrDefault({ default: 80, min: 1024, max: 2000, unique: [1500] }),
        ['80', '1024', '2000'],
        ['81', '1500', '2001']
      ),
      checked('The message of a port has the default and the range.', () =>
        assert.equal(
          faultText({ name: 'port', default: 80, min: 1024, max: 2000 }),
          'Must be 80, or between 1024 and 2000'
        )
      ),
      accepts(
        'A range of ports is a-b with a below b.',
        number.portRange,
        ['1-2', '80-65535'],
        ['2-1', '5-5', '0-5', '1-65536', '5']
      ),
      accepts('A firewall rule has a port or a range.', number.firewallPort, ['80', '80-90'], ['90-80', 'x', '']),
      accepts('A latency is 20 to 8000.', rules.latency, ['20', '8000'], ['19', '8001']),
      accepts('A buffer is 1 to 2000.', number.bufferDuration, ['1', '2000'], ['0', '2001']),
      accepts(
        'An address has four numbers, the first 1 to 255.',
        network.ipv4,
        ['1.0.0.0', '255.255.255.255'],
        ['0.1.1.1', '1.2.3', '1.2.3.256']
      ),
      accepts(
        'A domain has two or more labels of up to 63 letters, digits and hyphens, each beginning with a letter or digit.',
        rules.domain,
        ['a.example', `${letters(63)}.example`, '1a-b.example'],
        ['example', `${letters(64)}.example`, '-a.example', 'a_b.example']
      ),
      accepts(
        'A list of hosts is separated by commas.',
        network.hostList(),
        ['1.2.3.4,a.example'],
        ['', '1.2.3.4,,a.example']
      ),
      accepts(
        'A list of hosts can have another separator, and be empty.',
        network.hostList({ separator: ';', allowEmpty: true }),
        ['', '1.2.3.4;a.example'],
        ['1.2.3.4,a.example']
      ),
      accepts(
        'An address is between two others.',
        network.ipBetween('10.0.0.1', '10.0.0.9'),
        ['10.0.0.1', '10.0.0.9'],
        ['10.0.0.0', '10.0.0.10']
      ),
      accepts(
        'A subnet mask is contiguous.',
        network.subnetMask,
        ['255.255.255.0', '255.255.255.255'],
        ['255.0.255.0', '255.255.255.1']
      ),
      accepts(
        'A live URL has an optional scheme rtmp or rtmps, a host, an optional port, and a path.',
        network.liveUrl,
        ['a.example/live', 'rtmp://1.2.3.4/live', 'rtmps://a.example:65535/live/key'],
        ['srt://a.example/live', 'rtmp://a.example', 'rtmp://a.example:65536/live', 'rtmp://a.example/']
      ),
      tested(
        'A live URL without a scheme is RTMP.',
        'src/screens/source/outputs.test.tsx',
        'an RTMP output takes a live URL without rtmp://'
      ),
      accepts('A value does not repeat a given one.', notAmong(['9000']), ['9001'], ['9000']),
      accepts(
        'Two DNS addresses differ.',
        against(notSameHost('other'), '192.0.2.1'),
        ['192.0.2.2', ''],
        ['192.0.2.1']
      ),
      accepts(
        'Two NTP servers differ.',
        against(notSameHost('other'), 'ntp.example'),
        ['ntp2.example'],
        ['NTP.example']
      )
    ),
    part(
      'Files',
      accepts(
        'A firmware file ends with .mwf.',
        file.firmwareFile,
        ['a_1_2_3.mwf', 'A.MWF'],
        ['a.bin', '.mwf', 'a.mwf.txt']
      ),
      tested(
        'An invalid file is refused with the reason.',
        'src/screens/firmware/files.test.tsx',
        'a file that is no firmware is refused before a byte is sent; a damaged or too large one is refused with the reason'
      ),
      checked('A firmware file fits the model and the hardware.', () => {
        const firmware = { 'product-id': 787, 'product-name': 'Ultra Encode AIO', 'hardware-ver': 'A' }
        const device = { 'product-id': 787, 'module-name': 'Ultra Encode AIO', 'hardware-ver': 'A' }
        assert.equal(file.compatibleWith(device)(firmware), undefined)
        assert.ok(file.compatibleWith({ ...device, 'product-id': 789 })(firmware))
        assert.ok(file.compatibleWith({ ...device, 'hardware-ver': 'B' })(firmware))
      }),
      checked('A lower version is a question.', () => {
        assert.equal(file.downgradePrompt('1.5.0', '1.4.9')?.name, 'lower-version')
        assert.equal(file.downgradePrompt('1.4.9', '1.5.0'), undefined)
      }),
      tested(
        'The question says that data and settings may be lost.',
        'src/screens/firmware/rollouts.test.tsx',
        'a lower version warns that data and settings may be lost, and requires consent'
      ),
      checked('An upload needs 50 MB of free space.', () => {
        assert.equal(file.freeSpace(50 * 2 ** 20), undefined)
        assert.ok(file.freeSpace(50 * 2 ** 20 - 1))
      }),
      accepts('A certificate is in PEM format.', file.certificate, [CERTIFICATE], ['', 'x', KEY]),
      accepts('A private key is in PEM format.', file.privateKey, [KEY], ['', 'x', CERTIFICATE]),
      tested(
        'The hub stores a certificate and its key.',
        'hub/handlers/system/certificate.test.ts',
        'an uploaded pair serves new connections, and the settings describe it'
      )
    ),
    part(
      'Messages',
      Object.entries(MESSAGES).map(([sentence, fault]) =>
        checked(`The fault ${fault.name} reads '${sentence}'.`, () => assert.equal(faultText(fault), sentence))
      ),
      tested(
        'Every fault has a sentence in both languages with all its numbers.',
        'src/text/sentences.test.tsx',
        'every fault of a rule has a sentence in both languages with all its numbers'
      ),
      tested(
        'A user can meet every rule in a form or a call, or it is on the roadmap.',
        'house/calls.test.ts',
        'every rule has a caller that a user can meet, or is on the roadmap'
      ),
      tested(
        'Every rule is tested with valid and invalid values.',
        'contract/rules/rules.test.ts',
        'every rule has a table with a valid and an invalid value'
      )
    )
  ]
}
