// Closes a hub while everything is in use: previews, a change feed, a device with an unanswered call, a running
// channel. Afterwards nothing may keep this process alive. The argument is the hub's data folder.

import { acceptDevices } from '../../contract/device/device.ts'
import { setupPreview } from '../../contract/preview.ts'
import { addChannel, enableChannel, setChannelInput } from '../../contract/stream/channel.ts'
import { addInput } from '../../contract/stream/source.ts'
import { readStreamHead } from '../../src/preview/headers.ts'
import { connectLinkDevice } from '../kit/fleet/link-device.ts'
import { openFeed } from '../kit/hub/feed-listener.ts'
import { startHub } from '../kit/hub/hub.ts'
import { helloOf } from '../kit/hub/register-devices.ts'
import { until } from '../kit/until.ts'

const [data = ''] = process.argv.slice(2)
const hub = await startHub({ data })
const { port, linkPort } = await hub.listen(0, 0)
const admin = await hub.signIn()
const { sn } = helloOf(1)
// The device leaves some calls unanswered.
const device = await connectLinkDevice(linkPort, helloOf(1), ({ path }) =>
  path.startsWith('/link/state') ? {} : undefined
)
await admin.send(acceptDevices, { sn: [sn] })
await until(
  () => device.calls.some(({ path }) => path.includes('get-status')),
  'the hub asks the device for its status'
)
const feed = await openFeed(port, { cookie: admin.cookie })
feed.subscribe('device')
const preview = await fetch(`http://127.0.0.1:${port}/api/preview/open`, { headers: { cookie: admin.cookie } })
await admin.send(setupPreview, { id: readStreamHead(preview.headers)?.handle ?? '', add: [`DEV-${sn}`] })
await until(() => device.calls.some(({ path }) => path.startsWith('/link/preview')), 'the hub asks for previews')
const call = fetch(`http://127.0.0.1:${port}/socket/usapi?method=get-info&sc-client-id=${sn}`, {
  headers: { cookie: admin.cookie }
}).catch(() => 'cut')
await until(() => device.calls.some(({ path }) => path.includes('get-info')), 'a call is in progress')
const input = await admin.send(addInput, { name: 'Cam', config: { type: 1, url: 'udp://127.0.0.1:9' } })
const channel = await admin.send(addChannel, { name: 'Hall' })
await admin.send(setChannelInput, { id: channel.id, input: input.id })
await admin.send(enableChannel, { id: channel.id, enable: true })

const began = performance.now()
await hub.close()
const closedIn = performance.now() - began
await device.closed
console.log(JSON.stringify({ closedIn, feed: await feed.closed }))
await call
await preview.body?.cancel().catch(() => {})
