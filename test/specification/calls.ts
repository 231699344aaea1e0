// Section 7: the transport, and the calls with their methods and paths.
import assert from 'node:assert/strict'
import { WEB_PAGE_PREFIX } from '../../contract/device/web-page.ts'
import { LINK_PORT, REQUEST_TIMEOUT } from '../../contract/limits.ts'
import { CLIENT_ID_PARAM, relayedMethods } from '../../contract/relay.ts'
import { listDeclaredCalls } from '../../contract/requests.ts'
import { apiUrl } from '../../src/link/relay.ts'
import { tableHub } from './objects.ts'
import { checked, part, type Row, type Section, tested } from './rows.ts'

/** Calls by their function. */
const CALLS_BY_MEANING: Readonly<Record<string, string>> = {
  'opens a stream of images': 'GET /preview/open',
  'subscribes and unsubscribes images': 'POST /preview/setup',
  'clears a preview stream': 'GET /preview/clear',
  'returns the status for the dashboard': 'GET /system/status',
  'lists device groups': 'GET /catalog/list',
  'lists devices with their groups': 'GET /device/list-with-catalog',
  'adds a device group': 'POST /catalog/add',
  'moves devices and sets the security of a group': 'POST /catalog/set',
  'renames a device group': 'POST /catalog/rename',
  'deletes a device group': 'POST /catalog/del'
}

const declared = ([meaning, call]: [string, string]): Row =>
  checked(`\`${call}\` ${meaning}.`, () =>
    assert.ok(listDeclaredCalls().some(({ method, path }) => `${method} ${path}` === call))
  )

const relayed = (api: string, method: string, meaning: string): Row =>
  checked(`The hub relays \`${method}\` of ${api}: ${meaning}.`, () => assert.ok(relayedMethods(api)?.[method]))

const PREVIEW_TEST = 'hub/preview/feed.test.ts'

export const CALLS: Section = {
  number: 7,
  title: 'Calls',
  file: 'calls.ts',
  parts: [
    part(
      'Transport',
      checked('Calls are below `/api`.', () => assert.equal(apiUrl('/system/status'), '/api/system/status')),
      checked('A request times out after 20 s.', () => assert.equal(REQUEST_TIMEOUT, 20_000)),
      tested(
        'A silent hub is given up after 20 s.',
        'src/link/send.test.ts',
        "a hub that is silent for 20 s gives 'timed out'"
      ),
      tested(
        'Relayed requests begin with `/socket` and carry the serial number.',
        'src/link/relay.test.ts',
        'calls go to the hub directly, or through the relay with its serial number'
      ),
      checked('The serial number is in the query parameter `sc-client-id`.', () =>
        assert.equal(CLIENT_ID_PARAM, 'sc-client-id')
      ),
      tested(
        'The change feed is a WebSocket, at `sub_socket` behind the relay.',
        'src/link/relay.test.ts',
        'the feed has its own path, or sub_socket behind the relay'
      ),
      tested(
        'The hub serves the change feed at `sub_socket`, too.',
        'hub/http/change-feed.test.ts',
        'the path that a cloud relay forwards is the same feed, with the same authentication and origin check'
      ),
      tested(
        'Files are downloaded from a server of their own.',
        'hub/http/files-port.test.ts',
        'it serves HLS and downloads, and nothing else of the hub'
      ),
      checked('Devices register at port 8070.', () => assert.equal(LINK_PORT, 8070)),
      checked('Every response has a result code.', async () => {
        const { admin, hub } = tableHub()
        for (const client of [admin, hub.client()])
          for (const path of ['/system/status', '/channel/query', '/nothing']) {
            const reply = (await (await client.raw('GET', `/api${path}`)).json()) as { result?: unknown }
            assert.equal(typeof reply.result, 'number', path)
          }
      })
    ),
    part(
      'Preview stream',
      tested(
        'The stream has a handle, a boundary, and parts with id and type.',
        PREVIEW_TEST,
        'the response has a random boundary and handle ID, and forbids caching and buffering'
      ),
      tested(
        'The console shows the images of devices.',
        PREVIEW_TEST,
        'the console shows images of devices, and reconnects after the feed was closed'
      ),
      tested(
        'The console adds and removes ids in one call.',
        'src/preview/previews.test.ts',
        'subscriptions at the same time become one call'
      ),
      tested(
        'A stream without subscriptions is closed and its handle cleared.',
        'src/preview/connection.test.ts',
        'the stream is closed without subscriptions, and its handle cleared'
      )
    ),
    part(
      'Calls of the hub',
      Object.entries(CALLS_BY_MEANING).map(declared),
      checked('The status has the system and the limits of the licence.', async () => {
        const { admin } = tableHub()
        const { status } = (await (await admin.raw('GET', '/api/system/status')).json()) as {
          status: Record<string, unknown>
        }
        assert.ok(status.system && status['cur-license'])
      }),
      tested(
        'An id of a device group below 0 is taken as 0.',
        'hub/handlers/catalog/catalog-fields.test.ts',
        'an id below 0 is taken as 0'
      ),
      tested(
        'A list that the user has no permission for becomes empty.',
        'src/state/live-store.test.tsx',
        'result 31 empties the list'
      ),
      tested('Every declared call has a handler.', 'hub/every-call.test.ts', 'each call has a handler'),
      tested(
        'Every declared call is in the document of the wire.',
        'house/wire.test.ts',
        'every declared call has one row'
      )
    ),
    part(
      'Calls of devices',
      relayed('usapi', 'set-name', 'sets the name of an Ultra device'),
      relayed('mwapi', 'set-eth-config', 'sets the name of a Pro Convert device'),
      relayed('api', '/system/set-device-name', 'sets the name of a newer device'),
      relayed('api', '/reboot', 'restarts a newer device'),
      tested(
        '`POST /reboot` without a device restarts the hub.',
        'hub/machine/power/logind.test.ts',
        'running channels are asked about; then the flag is seen before logind is called, and a second restart is refused'
      ),
      relayed('api', '/record/start-record', 'starts a recording of a Director'),
      relayed('api', '/record/stop-record', 'stops a recording of a Director'),
      relayed('api', '/live/start-quick-stream', 'starts the Quick Stream of a Director'),
      relayed('api', '/live/stop-quick-stream', 'stops the Quick Stream of a Director'),
      tested(
        'Each generation has its prefix, its result field and its request for a name.',
        'hub/devices/actions.test.ts',
        'renames and actions are sent in the requests of each generation'
      ),
      checked('The web page of a device is at `/socket/sc-remote/`.', () =>
        assert.equal(WEB_PAGE_PREFIX, '/socket/sc-remote/')
      )
    ),
    part(
      'Outcome',
      tested(
        'A success is announced.',
        'src/state/mutations.test.tsx',
        'a write shows its response as a toast and returns it, unless the caller shows it itself'
      ),
      tested(
        'A failure has the sentence of its code.',
        'src/bare-results.test.tsx',
        'a bare result code is shown as its sentence, in English and in Chinese'
      ),
      tested(
        'The result 37 clears the login cache, and leads to the login page.',
        'src/bare-results.test.tsx',
        'the bare result 37 clears the login cache and leads to the login page, which returns to the page'
      )
    )
  ]
}
