// Section 8: result codes and their sentences.
import assert from 'node:assert/strict'
import { CODE_KEYS } from '../../contract/codes.ts'
import { LIVE_ERRORS, QUICK_STREAM_ERRORS } from '../../contract/device/live.ts'
import { RECORDING_ERRORS } from '../../contract/device/recording.ts'
import { DEVICE_WARNING_BITS } from '../../contract/device/status.ts'
import { FIRMWARE_ERRORS } from '../../contract/firmware.ts'
import { LICENSE_STATE } from '../../contract/license/license.ts'
import { CHUNK_TIMEOUT } from '../../contract/limits.ts'
import { SYSTEM_STATUS_BITS } from '../../contract/system.ts'
import { ACTION_ERROR_SENTENCES } from '../../contract/text/error-sentences.ts'
import { serverLines } from '../../hub/messages/streaming-servers.ts'
import { codeText, isKnownCode, NO_CONNECTION, NO_RESPONSE, REQUEST_TIMED_OUT } from '../../src/text/codes.ts'
import { hubStatusText } from '../../src/text/hub-status.ts'
import { licenseStateText } from '../../src/text/license.ts'
import { checked, completeRow, part, type Row, type Section, tested, valueRows } from './rows.ts'

const code = (sentence: string, ...codes: number[]): Row[] =>
  codes.map((each) => checked(`Code ${each} reads '${sentence}'.`, () => assert.equal(codeText(each), sentence)))

const LICENSE: Readonly<Record<keyof typeof LICENSE_STATE, number>> = {
  valid: 0,
  invalid: -10,
  notExist: -14,
  none: -20,
  caLicenseError: -102,
  caKeyError: -103,
  expired: -107,
  error: -109,
  disabled: -110,
  occupied: -111
}

const licenseText = (state: keyof typeof LICENSE_STATE, sentence: string): Row =>
  checked(`A licence in the state ${state} reads '${sentence}'.`, () =>
    assert.equal(licenseStateText(LICENSE_STATE[state]), sentence)
  )

const names = (statement: string, actual: readonly string[], expected: readonly string[]): Row[] => [
  ...expected.map((name) => checked(`${statement} ${name}.`, () => assert.ok(actual.includes(name)))),
  checked(`${statement} nothing else.`, () => assert.deepEqual(actual.toSorted(), expected.toSorted()))
]

const action = (name: keyof typeof ACTION_ERROR_SENTENCES, sentence: string): Row =>
  checked(`The error ${name} reads '${sentence}'.`, () => assert.equal(ACTION_ERROR_SENTENCES[name][0]?.[0], sentence))

const server = (name: Parameters<typeof serverLines>[1], sentence: string): Row =>
  checked(`The error ${name} of a streaming server reads '${sentence}'.`, () =>
    assert.equal(serverLines('en', name)[0], sentence)
  )

const MUTATIONS_TEST = 'src/state/mutations.test.tsx'

export const ERRORS: Section = {
  number: 8,
  title: 'Results and messages',
  file: 'errors.ts',
  parts: [
    part(
      'Handling',
      tested('Code 37 clears the sign-in.', 'src/state/session.test.ts', 'result 37 of any call clears the cache'),
      tested(
        'Code 37 leads to the sign-in page.',
        MUTATIONS_TEST,
        'result 37 redirects to the login page with a return URL, from every route, without a toast'
      ),
      code('Operation succeeded', 0),
      checked("An unknown code reads 'Operation failed. Error code: {code}'.", () =>
        assert.equal(codeText(4711), 'Operation failed. Error code: 4711')
      ),
      tested(
        'A missing response of a device has a sentence.',
        MUTATIONS_TEST,
        'a missing response of a device has a sentence of its own, and its codes are those of the device'
      ),
      code('No response from the device', NO_RESPONSE),
      checked('A file of the console is given up after 120 s.', () => assert.equal(CHUNK_TIMEOUT, 120_000))
    ),
    part(
      'General messages',
      code('Cannot connect to server', NO_CONNECTION),
      code('Network Error: Please check your network connection', REQUEST_TIMED_OUT),
      code('Limit exceeded', 17),
      code('Repeated operations', 43),
      code('Invalid request parameters', 7, -10),
      code('Not yet supported', 9),
      code('The input string is incorrect', -28),
      code('The name already exists', 1003),
      code('Occupied', 10, -9),
      code('The port is already in use', 46),
      code('No permission to operate.', 31),
      code('This configuration has been deleted by another user.', 16),
      tested(
        'An object that is missing or changed names the user who deleted or changed it.',
        'hub/handlers/log/operation-log.test.ts',
        'an error about a missing or changed object names the user who deleted or changed it'
      )
    ),
    part(
      'Codes of the hub',
      valueRows((name, value) => `Code ${name} is \`${value}\`.`, CODE_KEYS, {
        1001: 'play-key-exists',
        1002: 'push-key-exists',
        1003: 'name-exists',
        1004: 'state-changed',
        1005: 'object-busy',
        1006: 'license-limit',
        1007: 'port-occupied',
        1008: 'user-group-missing',
        1009: 'data-loss',
        2001: 'ndi-source-offline',
        2002: 'ndi-source-online'
      }),
      code('The playback key already exists', 1001),
      code('The ingest key already exists', 1002),
      code('The status has been changed by another people', 1004),
      code('Limit exceeded', 1006),
      code('The port is already in use', 1007),
      code('The user group does not exist', 1008),
      code('The NDI source is offline', 2001),
      code('The NDI source is online', 2002),
      tested(
        'Code 1005 asks whether to force the action.',
        MUTATIONS_TEST,
        'for a busy object the user is asked, with the names of its users, and the call is repeated with force'
      ),
      tested(
        'Code 1009 asks whether to lose the data.',
        MUTATIONS_TEST,
        'a loss of data is confirmed with a danger button'
      )
    ),
    part(
      'Codes of the relay',
      code('No response from the device', 10004),
      code('The device does not exist', 10006),
      code('The device is offline', 10007)
    ),
    part(
      'Codes of devices',
      valueRows((name, value) => `Code ${name} of a device is \`${value}\`.`, CODE_KEYS, {
        '-4': 'device-error',
        '-9': 'device-is-busy',
        '-10': 'bad-parameters',
        '-11': 'bad-usage',
        '-14': 'not-found',
        '-28': 'bad-string',
        '-102': 'ca-license-error',
        '-103': 'ca-key-error'
      }),
      code('Device error', -4),
      tested(
        'The codes 0 to 54 have names.',
        'contract/codes.test.ts',
        'every common status code from 0 to 54 has a key'
      ),
      checked('The codes 0 to 54 have sentences.', () => {
        for (let each = 0; each <= 54; each++) assert.ok(isKnownCode(each), String(each))
      }),
      tested(
        'A code of a device is read in its generation.',
        'hub/messages/response-messages.test.ts',
        'a code of a device is translated according to its API generation'
      )
    ),
    part(
      'Licences',
      valueRows((name, value) => `The state ${name} of a licence is ${value}.`, LICENSE_STATE, LICENSE),
      completeRow('There are no other states of a licence.', LICENSE_STATE, LICENSE),
      licenseText('invalid', 'Invalid certificate'),
      licenseText('disabled', 'Certificate disabled'),
      licenseText('occupied', 'activated by another user'),
      licenseText('error', 'Certificate error'),
      licenseText('expired', 'License subscription is expired, please renew it.'),
      licenseText('caLicenseError', 'The certificate of the license is not trusted'),
      licenseText('caKeyError', 'The key of the license does not match its certificate'),
      tested(
        'Each state is shown, and stops no channel.',
        'src/screens/license/license.test.tsx',
        'a licence that is {} says so, and that nothing stops'
      ),
      tested(
        'A notice says when a licence ends.',
        'src/text/license.test.tsx',
        'the expiry notice contains the days and the date'
      )
    ),
    part(
      'Accounts and servers',
      code('Incorrect account or password', 39),
      tested(
        'A user name that exists is refused at its field.',
        'src/screens/user/users.test.tsx',
        'a duplicate name is refused at its field'
      ),
      tested(
        'A port in use is named with its owner.',
        'src/screens/channel/ports.test.tsx',
        'an occupied port is refused at its field with the name of its owner'
      ),
      ...[
        'A user name that exists reads `User already exists`, and a group `Group already exists`.',
        'A port in use reads `Port {port} occupied`.',
        'The limits read `max users {count}` and `max groups {count}`.'
      ].map((statement) =>
        tested(
          statement,
          'hub/messages/response-messages.test.ts',
          'a message includes the numbers and names of the response'
        )
      ),
      server('exists', 'The server already exists'),
      server('too-many', '16 servers at most'),
      server('deleted', 'The configuration is deleted by others'),
      tested(
        'A group that exists is refused.',
        'hub/handlers/user/user-group.test.ts',
        'a name is unique ignoring case, except for the group’s own'
      ),
      tested(
        'The maximum of users is said.',
        'src/screens/user/users.test.tsx',
        'with 32 users no more can be added, with the reason'
      ),
      tested(
        'The maximum of user groups is said.',
        'src/screens/user/groups.test.tsx',
        'with 6 groups no more can be added'
      )
    ),
    part(
      'Recording, live streams and Quick Stream',
      names('A recording can fail with', RECORDING_ERRORS, [
        'usb-lost',
        'usb-missing',
        'usb-full',
        'slow-writes',
        'read-only',
        'storage-full',
        'storage-missing',
        'ndi-limit',
        'ndi-no-signal',
        'full-ndi-unsupported',
        'system-busy'
      ]),
      names('A live stream can fail with', LIVE_ERRORS, [
        'bad-settings',
        'codec-error',
        'no-signal',
        'locked',
        'network-down',
        'rebooting'
      ]),
      names('A Quick Stream can fail with', QUICK_STREAM_ERRORS, [
        'none-configured',
        'too-many',
        'test-running',
        'operation-running',
        'none-active'
      ]),
      action('none-configured', 'No Quick Stream configured'),
      action('too-many', 'maximum Quick Stream servers reached'),
      action('network-down', 'Network disconnected'),
      tested(
        'Every error has its own sentence in both languages.',
        'src/bare-results.test.tsx',
        'every named error of recordings, live streams and Quick Stream has its sentence'
      ),
      tested(
        'Every error of recordings, live streams and Quick Stream comes from a device.',
        'src/screens/device-detail/faults.test.tsx',
        'every error of recordings, live streams and Quick Stream was seen'
      ),
      tested(
        'A device that is about to reboot is busy.',
        'src/screens/device-detail/faults.test.tsx',
        'a device of each generation that is already about to reboot says so'
      ),
      tested(
        "A hub that cannot be restarted now says 'Reboot busy'.",
        'hub/machine/power/logind.test.ts',
        'a program that blocks a shutdown is named, and one that only delays it does not count'
      ),
      tested(
        'A device that fails shows the reason.',
        'hub/handlers/device/action.test.ts',
        'the device’s own error code is forwarded, with its documented reason'
      )
    ),
    part(
      'Firmware',
      names('An update can fail with', FIRMWARE_ERRORS, [
        'download-failed',
        'installation-failed',
        'busy',
        'file-missing',
        'wrong-model',
        'space-below-minimum',
        'no-space'
      ]),
      tested(
        'Each failure is on the page of the device.',
        'src/screens/firmware/device-update.test.tsx',
        'each failure of an update is on the page of the device with what to do'
      ),
      tested(
        'Each failure of an update has its reason.',
        'hub/firmware/device-update.test.ts',
        'each kind of failure has its reason, and the rollout continues on other devices if it has no failure limit'
      )
    ),
    part(
      'Warnings',
      names('A device warns of', Object.keys(DEVICE_WARNING_BITS), [
        'noSignal',
        'usbInvalid',
        'usbFull',
        'storageFull',
        'firmwareUnsupported',
        'firmwareOld'
      ]),
      tested(
        'Each warning is in the list of devices and on the page.',
        'src/screens/device/warnings.test.tsx',
        'each warning of each generation is in the list, and on the page with its duration and advice'
      ),
      checked('The console says that the SRT service failed to start.', () =>
        assert.deepEqual(hubStatusText(SYSTEM_STATUS_BITS.srtFailed), ['The SRT service failed to start.'])
      ),
      checked('The console says that memory is low.', () =>
        assert.deepEqual(hubStatusText(SYSTEM_STATUS_BITS.lowMemory), ['Memory is too low for normal operation.'])
      )
    )
  ]
}
