// Section 4: states, their numbers, and when they change.
import assert from 'node:assert/strict'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../contract/device/link.ts'
import { DEVICE_STATUS_BITS } from '../../contract/device/status.ts'
import { DEVICE_UPDATE_STATE } from '../../contract/firmware.ts'
import { PREVIEW_RECONNECT, SESSION_NEVER } from '../../contract/limits.ts'
import { FORWARD_STATE } from '../../contract/port-forward.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import { SYSTEM_STATUS_BITS, UPDATE_STATUS_BITS } from '../../contract/system.ts'
import { UPDATE_STATE } from '../../contract/update.ts'
import { hubStatusText } from '../../src/text/hub-status.ts'
import { HUB_UPGRADE } from './roadmap.ts'
import { checked, completeRow, part, planned, type Section, tested, valueRows } from './rows.ts'

const REGISTRATION = { registering: 29, accepted: 101, rejected: 102, pending: 103, deleted: 104 }
const DEVICE_UPDATE = { failed: -1, idle: 0, waiting: 1, updating: 2, installing: 3, restarting: 4 }
const SYSTEM = {
  newVersion: 4096,
  rebooting: 8192,
  srtFailed: 16384,
  updating: 32768,
  resetting: 65536,
  importing: 131072,
  lowMemory: 262144
}
const UPDATE = {
  idle: 0,
  checking: 1,
  checkingOnline: 2,
  pulling: 4,
  verifying: 8,
  uploading: 16,
  cancelling: 32,
  restarting: 64,
  unavailable: 256,
  failed: 512
}
const SOURCE = {
  initializing: 0,
  adding: 1,
  running: 2,
  addFailed: 3,
  configuring: 4,
  unsupported: 5,
  firmwareTooOld: 6,
  offline: 7,
  failed: 8
}
const CONNECTION = {
  waiting: 0,
  connecting: 1,
  waitingForData: 2,
  connected: 10,
  failed: 20,
  disconnected: 21,
  refused: 22,
  nameNotFound: 23,
  tcpPortFailed: 24,
  handshakeFailed: 25,
  streamFailed: 26,
  notAuthorized: 27,
  creationFailed: 28
}

const DEVICES_TEST = 'hub/handlers/device/device.test.ts'

export const STATES: Section = {
  number: 4,
  title: 'States and transitions',
  file: 'states.ts',
  parts: [
    part(
      'Registration of devices',
      valueRows((name, value) => `The registration state ${name} is ${value}.`, REGISTRATION_STATE, REGISTRATION),
      completeRow('There are no other registration states.', REGISTRATION_STATE, REGISTRATION),
      tested(
        'A device that has to ask again is registering.',
        'hub/devices/registrations.test.ts',
        'a device that has to ask again is registering, which is another state than refused'
      ),
      tested(
        'A device is pending, and then accepted, rejected or deleted.',
        DEVICES_TEST,
        'a device that connects is pending; then it is accepted, rejected and deleted'
      ),
      tested(
        'A device is moved between groups.',
        'src/screens/device/actions.test.tsx',
        'devices are moved to a group without drag and drop'
      ),
      tested(
        'A device is a favorite of a user.',
        'src/screens/device/actions.test.tsx',
        'favorites are a list of the user'
      )
    ),
    part(
      'Updates of devices',
      valueRows((name, value) => `The update state ${name} is ${value}.`, DEVICE_UPDATE_STATE, DEVICE_UPDATE),
      completeRow('There are no other update states.', DEVICE_UPDATE_STATE, DEVICE_UPDATE),
      tested(
        'A device receives a file, installs it, restarts, and reports the new version.',
        'hub/firmware/device-update.test.ts',
        'each generation is updated with its own calls, and succeeds when the device reports the new version'
      ),
      tested(
        'The steps of an update are on the page of the device.',
        'src/screens/firmware/device-update.test.tsx',
        'an update goes through uploading, installing and restarting, and each is on the page of the device'
      ),
      tested(
        'An upload of a firmware file is cancelled.',
        'src/screens/firmware/files.test.tsx',
        'an upload can be cancelled, and its file is deleted'
      ),
      tested(
        'A rollout that has not started on a device is cancelled.',
        'hub/handlers/firmware/rollout.test.ts',
        'a paused rollout starts no further device; a cancelled one never does'
      ),
      planned('The hardware of the hub is updated, with states of its own.', HUB_UPGRADE)
    ),
    part(
      'States of the hub',
      valueRows((name, value) => `The flag ${name} of the hub is ${value}.`, SYSTEM_STATUS_BITS, SYSTEM),
      Object.entries(SYSTEM).map(([name, bit]) =>
        checked(`The console has a sentence for the flag ${name}.`, () => assert.equal(hubStatusText(bit).length, 1))
      ),
      tested(
        'Low memory sets its flag.',
        'hub/handlers/system/system.test.ts',
        'low memory is a bit of the status code'
      ),
      tested(
        'A failed SRT server sets its flag.',
        'hub/handlers/channel/shared-ports.test.ts',
        'an occupied SRT port sets a status bit with the reason, is logged once, and clears when another port is set'
      ),
      tested(
        'A restart by the supervisor sets its flag before the hub ends.',
        'hub/restart.test.ts',
        'open consoles see a restart in the status while the hub still answers, and then the hub ends'
      ),
      tested(
        'An uploaded newer version sets its flag.',
        'hub/handlers/system/update.test.ts',
        'an uploaded newer version is a flag of the system status until it is installed'
      ),
      tested(
        'An update that is uploaded or on trial sets its flag.',
        'hub/upgrade/update-states.test.ts',
        'an upload is checking, uploading and verifying, and then a new version exists'
      ),
      tested(
        'A restart, a reset, an import and an update are shown on every page.',
        'src/frame/banners.test.tsx',
        'resetting, importing and updating have their sentences on every page'
      ),
      tested('`/reboot` fills the page.', 'src/screens/power/reboot.test.tsx', 'a restart is followed to its end'),
      tested('`/reset-all-settings` too.', 'browser/machine/reset.test.ts', 'a reset is followed to its end'),
      tested(
        'Resetting sets its flag.',
        'hub/handlers/system/reset.test.ts',
        'open consoles see the flag of the reset; a hub that is killed then is reset at its next start'
      ),
      tested(
        'Importing sets its flag.',
        'hub/export/import-state.test.ts',
        'an import sets its flag until the hub restarts, which it does once, and meanwhile no change is accepted'
      ),
      valueRows((name, value) => `The state ${name} of a console update is ${value}.`, UPDATE_STATE, UPDATE),
      completeRow('There are no other states of a console update.', UPDATE_STATE, UPDATE),
      checked('The flags of the update service in the status of the hub have the same numbers.', () => {
        const { downloading, ...same } = UPDATE_STATUS_BITS
        assert.equal(downloading, UPDATE.pulling)
        for (const [name, bit] of Object.entries(same)) assert.equal(bit, UPDATE[name as keyof typeof UPDATE], name)
      }),
      tested(
        'A console update is uploaded, verified, installed and confirmed.',
        'hub/handlers/system/update.test.ts',
        'an uploaded console is served at once, confirmed by its script, and every step is logged'
      ),
      tested(
        'A cancelled update is cancelling, until its files are removed.',
        'hub/upgrade/update-states.test.ts',
        'a cancelled upload is cancelling until its files are removed'
      ),
      tested(
        'A hub that trusts no key has no update service.',
        'hub/upgrade/update-states.test.ts',
        'a hub that trusts no key has no update service, in the same number as all flags'
      ),
      planned('A new version is found online.', HUB_UPGRADE)
    ),
    part(
      'States of sources',
      valueRows((name, value) => `The source state ${name} is ${value}.`, SOURCE_STATE, SOURCE),
      completeRow('There are no other source states.', SOURCE_STATE, SOURCE),
      valueRows((name, value) => `The connection state ${name} is ${value}.`, CONNECTION_STATE, CONNECTION),
      completeRow('There are no other connection states.', CONNECTION_STATE, CONNECTION),
      tested(
        'Each state of an input has a verdict.',
        'contract/stream/channel-health.test.ts',
        'each state of an input has its verdict, and an input with media beside the one on air is on standby'
      ),
      tested(
        'Each state of an output has a verdict.',
        'contract/stream/channel-health.test.ts',
        'each state of an output has its verdict'
      )
    ),
    part(
      'Other states',
      valueRows((name, value) => `The state ${name} of a port forward is ${value}.`, FORWARD_STATE, {
        idle: 0,
        connected: 1
      }),
      tested(
        'An NDI discovery server is not enabled, started, starting, or waits to retry.',
        'engine/ndi/discovery-server.test.ts',
        'the server starts, is started again when it ends, and stops'
      ),
      planned('The hub has states of its registration in a cloud.', HUB_UPGRADE),
      checked('A refused device gets the reason exists, wrong code or illegal device.', () =>
        assert.deepEqual(Object.keys(REFUSAL_STATE).sort(), ['exists', 'illegalDevice', 'wrongCode'])
      ),
      tested(
        'HTTPS of the hub is disabled.',
        'src/screens/certificate/certificate.test.tsx',
        'the menu leads to the page, which says that HTTPS is off'
      ),
      tested(
        'HTTPS of the hub is enabled.',
        'hub/handlers/system/certificate.test.ts',
        'an uploaded pair serves new connections, and the settings describe it'
      ),
      tested(
        'Network links are down, disconnected, connecting or connected.',
        'hub/machine/network/kernel-interfaces.test.ts',
        'the link is down, disconnected, or connecting while there is no address'
      ),
      tested(
        'An interface that NDI uses is locked.',
        'browser/machine/wifi.test.ts',
        'an interface that NDI uses is locked: a change names NDI, and is made when the user insists'
      ),
      tested(
        'An interface that a channel uses is locked, and has its speed and that of its USB bus.',
        'src/screens/network/network.test.tsx',
        'an interface is shown with its state, users, address, speed, USB speed and traffic'
      ),
      tested(
        'The firewall follows its rules, or closes or opens all ports.',
        'contract/machine/firewall-effect.test.ts',
        'the rules count in their mode alone'
      ),
      tested(
        'Settings of the firewall that another user has applied meanwhile are not overwritten.',
        'src/screens/firewall/firewall.test.tsx',
        'settings that the page does not have yet are not overwritten, unless the user keeps the draft'
      ),
      checked('A device reports whether it records and streams.', () => {
        assert.ok(DEVICE_STATUS_BITS.recording > 0)
        assert.ok(DEVICE_STATUS_BITS.streaming > 0)
      }),
      tested(
        'Recording and live streams of a device are started and stopped.',
        'hub/handlers/device/action.test.ts',
        'recording and live streams start and stop, and the status changes at once'
      ),
      tested(
        'A Director starts and stops its Quick Stream.',
        'hub/devices/actions.test.ts',
        'renames and actions are sent in the requests of each generation'
      )
    ),
    part(
      'Session',
      tested(
        'A session ends after the set minutes without use.',
        'hub/handlers/user/session.test.ts',
        'a session expires after the configured minutes without use, and use extends it'
      ),
      tested(
        'The minutes, or never, are set on a screen.',
        'src/screens/user/sessions.test.tsx',
        'sessions end after some minutes without use, or never'
      ),
      checked('A session expiry of -1 means never.', () => assert.equal(SESSION_NEVER, -1)),
      tested(
        'When the session ends, the cookies are cleared.',
        'src/state/session.test.ts',
        'a session that has ended on the hub clears the cache'
      ),
      tested(
        'Clearing the sign-in empties every cookie.',
        'src/state/login-cache.test.ts',
        'clearing deletes every cookie'
      ),
      tested(
        'Signing out removes the preview images.',
        'src/state/previews.test.tsx',
        'images arrive while a user is signed in, and are removed on sign-out'
      )
    ),
    part(
      'Preview stream',
      checked('The preview stream is reopened after 3 s.', () => assert.equal(PREVIEW_RECONNECT, 3000)),
      tested(
        'A reopened stream registers all subscribed ids again.',
        'src/preview/connection.test.ts',
        '3 s after the stream failed or ended it is reopened and all ids are registered'
      )
    )
  ]
}
