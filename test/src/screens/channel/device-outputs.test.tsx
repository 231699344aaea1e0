// Devices as outputs of a channel, on the page of the channel.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { acceptDevices, setDeviceSecurity } from '../../../../contract/device/device.ts'
import { DIRECTOR, PRO_CONVERT_DECODER } from '../../../../contract/device/products.ts'
import { addChannel, addChannelOutputs } from '../../../../contract/stream/channel.ts'
import { DIR_BOTH, DIR_OUTPUT, INPUT_OUTPUT_DEVICE } from '../../../../contract/stream/protocols.ts'
import { channelForEach, channelId, fetchChannel, openChannelPage } from '../../../kit/console/channel-page.ts'
import { hub, other } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, selectOption, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { helloOf } from '../../../kit/hub/register-devices.ts'

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
  hub.parts.registry.register(hello, '192.0.2.10')
  await other.send(acceptDevices, { sn: [sn] })
  node = hub.parts.store.devices.bySerial(sn)?.id ?? 0
})

test('a channel is sent to a decoder, which is an output with a link to its page, and is removed', async () => {
  await openChannelPage()
  await click(await findByRole('button', 'Send to decoder'))
  const dialog = await findByRole('dialog', 'Send News to a decoder')
  await waitForText('Lobby Offline Pro Convert NDI to HDMI', dialog)
  await click(await findByRole('button', 'Send to Lobby', dialog))
  await waitForNone('dialog')
  await waitForText('News is being sent to the decoder Open')
  assert.match((await findByRole('link', 'Lobby')).getAttribute('href') ?? '', new RegExp(sn))
  await waitForNone('button', 'Delete: Lobby')
  assert.equal((await fetchChannel()).outputs.list[0]?.id, node)
  await click(await findByRole('button', 'Remove: Lobby'))
  await waitForNone('link', 'Lobby')
  assert.equal((await fetchChannel()).outputs.total, 0)
})

test('the menu of a channel leads to the decoders, and one that plays another channel is not offered', async () => {
  const { id: rival } = await other.send(addChannel, { name: 'Rival' })
  await other.send(addChannelOutputs, { id: rival, outputs: [node] })
  await openChannelPage()
  await click(await findByRole('button', 'More'))
  await click(await findByRole('menuitem', 'Send to decoder'))
  const dialog = await findByRole('dialog')
  await waitForText('Plays Rival', dialog)
  await waitForNone('button', 'Send to Lobby', dialog)
})

test('a decoder that the user has no access to is an output without a name', async () => {
  await other.send(addChannelOutputs, { id: channelId, outputs: [node] })
  await other.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, 'group-mask': 1, 'usr-mask': 0 } })
  addSignedInUser(hub, 'vera', CHANNEL_VIEW | DEVICE_VIEW)
  await openChannelPage('vera')
  await waitForText('Device of other users')
  await waitForNone('link', 'Lobby')
})

test('a device that can be both is offered as an input and as an output, and is shown as a device', async () => {
  const hello = helloOf(8, { dir: DIR_BOTH, name: 'News Desk', module: DIRECTOR, 'module-name': 'Director Mini' })
  hub.parts.registry.register({ ...hello, sn: 'A511210600008', 'product-id': 1297 }, '192.0.2.10')
  await other.send(acceptDevices, { sn: ['A511210600008'] })
  await openChannelPage()
  await click(await findByRole('button', 'More'))
  await click(await findByRole('menuitem', 'Change input'))
  const dialog = await findByRole('dialog', 'Change input: News')
  await selectOption(await findByRole('combobox', 'Device or input', dialog), /^Director · News Desk/)
  await click(await findByRole('button', 'Change input', dialog))
  await waitForNone('dialog')
  await waitForText('News Desk')
  await waitForText('Main · Device')
  const { input } = await fetchChannel()
  assert.deepEqual([input?.name, input?.type], ['News Desk', INPUT_OUTPUT_DEVICE])
  await click(await findByRole('button', 'Send to decoder'))
  await findByRole('button', 'Send to News Desk', await findByRole('dialog', 'Send News to a decoder'))
})

test.run()
