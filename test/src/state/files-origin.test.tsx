// Where links to HLS outputs and downloads lead: the hub's port for files, or the console's own origin if a browser
// does not reach it.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { exportLog } from '../../../contract/log.ts'
import { HTTP } from '../../../contract/stream/protocols.ts'
import { addOutput } from '../../../contract/stream/source.ts'
import { setTransport } from '../../../src/link/fetch-json.ts'
import { reachableAddress } from '../../../src/parts/connect-dialog.tsx'
import { ROUTES } from '../../../src/paths.ts'
import { downloadUrl, filesOrigin } from '../../../src/state/system.ts'
import { openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../kit/console/hub-for-each.ts'
import { click, findByRole, waitForText } from '../../kit/console/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('files origin')

hubForEach(test)
test.after.each(() => setTransport({ relayedHub: undefined }))

const HLS = '/hls/****/index.m3u8'

test('while the port is not open, everything is at the origin of the console', async () => {
  await openConsole(hub)
  assert.equal(filesOrigin(), location.origin)
  assert.equal(reachableAddress(HLS), `${location.origin}${HLS}`)
})

test('the URL of an HLS output, and the links of downloads, have the port for files', async () => {
  await hub.listen(0, 0)
  const { port } = hub.parts.webPorts.ports.files.observe()
  await other.send(addOutput, { name: 'Web', protocol: HTTP, config: { key: 'hall-key' } })
  await openConsole(hub, { at: ROUTES.outputs })
  const origin = `http://${location.hostname}:${port}`
  await until(() => filesOrigin() === origin, 'the status has the port')
  assert.equal(filesOrigin('192.0.2.1'), `http://192.0.2.1:${port}`)
  assert.equal(downloadUrl(exportLog, { type: 'system' }), `${origin}/api/log/export?type=system`)
  await click(await findByRole('button', /^URL for the remote end/))
  await waitForText(`${origin}/hls/****/index.m3u8`, await findByRole('dialog'))
})

test('behind a cloud relay the relay carries both', async () => {
  await hub.listen(0, 0)
  await openConsole(hub)
  await until(() => filesOrigin() !== location.origin, 'the status has the port')
  setTransport({ relayedHub: 'H1' })
  assert.equal(filesOrigin(), location.origin)
  assert.equal(
    downloadUrl(exportLog, { type: 'system' }),
    `${location.origin}/socket/api/log/export?type=system&client-id=H1`
  )
})

test.run()
