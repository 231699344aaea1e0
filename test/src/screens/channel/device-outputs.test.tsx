// Devices as outputs of a channel, on the page of the channel.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { acceptDevices, setDeviceSecurity } from '../../../../contract/device/device.ts'
import { PRO_CONVERT_DECODER } from '../../../../contract/device/products.ts'
import { CHANNEL_VIEW, DEVICE_VIEW } from '../../../../contract/permissions.ts'
import { addChannel, addChannelOutputs } from '../../../../contract/stream/channel.ts'
import { DIR_OUTPUT } from '../../../../contract/stream/protocols.ts'
import { channel, channelForEach, id, open } from '../../../kit/channel-page.ts'
import { helloOf } from '../../../kit/device.ts'
import { join } from '../../../kit/hub.ts'
import { hub, other } from '../../../kit/hub-for-each.ts'
import { click, none, one, says } from '../../../kit/page.ts'

const test = suite('devices as outputs on the page of a channel')

channelForEach(test)

let sn: string
let node: number

test.before.each(async () => {
  const hello = helloOf(7, {
    dir: DIR_OUTPUT,
    name: 'Lobby',
    module: PRO_CONVERT_DECODER,
    'module-name': 'Pro Convert NDI to HDMI'
  })
  ;({ sn } = hello)
  hub.context.registry.register(hello, '192.0.2.10')
  await other.send(acceptDevices, { sn: [sn] })
  node = hub.context.store.devices.bySerial(sn)?.id ?? 0
})

test('a decoder is added to a channel as an output, links to its page, and is removed', async () => {
  await open()
  await click(await one('button', 'Existing output'))
  await click(await one('menuitem', 'Lobby'))
  await says('Pro Convert NDI to HDMI')
  assert.match((await one('link', 'Lobby')).getAttribute('href') ?? '', new RegExp(sn))
  await none('button', 'Delete: Lobby')
  assert.equal((await channel()).outputs.list[0]?.id, node)
  await none('button', 'Existing output')
  await click(await one('button', 'Remove: Lobby'))
  await one('button', 'Existing output')
  assert.equal((await channel()).outputs.total, 0)
})

test('a decoder used by another channel is not offered until it is free', async () => {
  const { id: rival } = await other.send(addChannel, { name: 'Rival' })
  await open()
  await one('button', 'Existing output')
  await other.send(addChannelOutputs, { id: rival, outputs: [node] })
  await none('button', 'Existing output')
})

test('a decoder that the user may not see is an output without a name', async () => {
  await other.send(addChannelOutputs, { id, outputs: [node] })
  await other.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, 'group-mask': 1, 'usr-mask': 0 } })
  join(hub, 'vera', CHANNEL_VIEW | DEVICE_VIEW)
  await open('vera')
  await says('Hidden device')
  await none('link', 'Lobby')
})

test.run()
