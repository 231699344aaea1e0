import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { enableChannel, setChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import type { ObservedOnAir } from '../../../../engine/interfaces/channel.ts'
import {
  addRtmpInput,
  addSrtOutput,
  channelForEach,
  channelId,
  openChannelPage
} from '../../../kit/console/channel-page.ts'
import { hub, other } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, nameOf, queryAllByRole, visibleText, waitForText } from '../../../kit/console/page.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'

const test = suite('switching on the page of a channel')
channelForEach(test)

let main = 0
let backup = 0

test.before.each(async () => {
  main = await addRtmpInput('Studio')
  backup = await addRtmpInput('Van')
  await other.send(setChannelInput, { id: channelId, input: main })
  await other.send(setChannel, { id: channelId, name: 'News', config: { backups: [backup], slate: true } })
  await other.send(enableChannel, { id: channelId, enable: true })
})

/** The engine reports media on main and backup, and the input on air. */
function observe(onAir: ObservedOnAir): void {
  setObservedChannel(hub, channelId, CARRYING_LEG)
  const { engine } = hub.parts
  const observed = { ...engine.observe(channelId), backups: new Map([[backup, CARRYING_LEG]]), onAir }
  engine.observe = () => observed
}

async function menuLabels(): Promise<string[]> {
  await click(await findByRole('button', 'More'))
  return queryAllByRole('menuitem').map((item) => visibleText(item))
}

test('the menu switches a channel on its main input to the backup or the slate', async () => {
  observe({ inputId: main, slate: false, reason: 'on-air-first' })
  await openChannelPage()
  assert.deepEqual((await menuLabels()).slice(0, 3), ['Switch to backup now', 'Show slate now', 'Change input'])
  await click(await findByRole('menuitem', 'Switch to backup now'))
  await waitForText('News: backup on air Open')
  const { hold } = hub.parts.store.channels.byId(channelId) ?? { hold: '' }
  assert.equal(JSON.parse(hold).input, backup)
})

test('the banner of a channel on its backup says that the main input is back, and when it returns by itself', async () => {
  observe({ inputId: backup, slate: false, reason: 'on-air-backup 1' })
  await openChannelPage()
  await waitForText('Running on backup 1: main input lost. Check the main input.')
  observe({ inputId: backup, slate: false, reason: 'on-air-backup 1', isFirstBack: true, returnsInS: 8 })
  await waitForText('Running on backup 1: main input is back and returns in 8 s. Recovery is automatic.')
  observe({ inputId: backup, slate: false, reason: 'on-air-backup 1', isFirstBack: true })
  await waitForText('Running on backup 1: main input is back. Switch to the main input.')
})

test('the menu of a channel that is held on the backup returns to the main input or to the rule', async () => {
  observe({ inputId: backup, slate: false, reason: 'on-air-held-backup 1', isHeld: true })
  await openChannelPage()
  assert.deepEqual((await menuLabels()).slice(0, 3), [
    'Return to main now',
    'Show slate now',
    'Return to automatic failover'
  ])
  await click(await findByRole('menuitem', 'Return to automatic failover'))
  await waitForText('News: automatic failover Open')
})

test('a user without permission to control channels is not offered to switch', async () => {
  observe({ inputId: main, slate: false, reason: 'on-air-first' })
  addSignedInUser(hub, 'vera', CHANNEL_VIEW)
  await openChannelPage('vera')
  await waitForText('On air')
  assert.deepEqual(await menuLabels(), ['Settings'])
  assert.deepEqual(queryAllByRole('button', 'Put on air').map(nameOf), [])
})

test('a channel is duplicated, and the message names what the copy does not have', async () => {
  await addSrtOutput('Foyer', 9001)
  await openChannelPage()
  await click(await findByRole('button', 'More'))
  await click(await findByRole('menuitem', 'Duplicate'))
  await waitForText('News copy added Open Not copied: Foyer (port in use)')
  await click(await findByRole('link', 'Open'))
  await findByRole('heading', 'News copy')
})

test('the inputs that a channel has already are not offered as a backup', async () => {
  await addRtmpInput('Gallery')
  await openChannelPage()
  await click(await findByRole('button', 'Add backup'))
  const dialog = await findByRole('dialog', /^Add backup/)
  await waitForText('Gallery', dialog)
  const options = [...dialog.querySelectorAll('option')].map((option) => visibleText(option))
  assert.ok(!options.some((text) => /Studio|Van/.test(text)), options.join())
})

test.run()
