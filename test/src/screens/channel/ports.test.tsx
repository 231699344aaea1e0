import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { getSettings } from '../../../../contract/settings.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { addSrtOutput, channelForEach, pagePath } from '../../../kit/console/channel-page.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  waitForFieldMessage,
  waitForFocus,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channel ports')

channelForEach(test)

/** Number of calls to the engine's `retryPorts`. */
let retryCount: number

test.before.each(() => {
  retryCount = 0
  const { engine } = hub.parts
  engine.observePorts = () => ({ srt: { reason: 'port-taken 8000' }, rtmp: { port: 1935 } })
  engine.retryPorts = () => void retryCount++
})

async function retryShownPort(path: string): Promise<void> {
  await openConsole(hub, { at: path })
  const banner = await findByRole('alert')
  await waitForText(
    'SRT: port 8000 is in use by another program Choose another port, or stop the program that uses it.',
    banner
  )
  await click(await findByRole('button', 'Retry', banner))
  await until(() => retryCount === 1, 'the retry')
  hub.parts.engine.observePorts = () => ({ srt: { port: 8000 }, rtmp: { port: 1935 } })
  await waitForNone('alert')
}

test('a shared port that could not be opened is shown above the list with its reason, until a retry opens it', () =>
  retryShownPort(ROUTES.channels))

test('the page of a channel shows a port that could not be opened', () => retryShownPort(pagePath()))

test('a user without permission to control channels sees the reason without a button', async () => {
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await openConsole(hub, { at: ROUTES.channels, user: 'viewer' })
  await waitForText(/SRT: port 8000 is in use/, await findByRole('alert'))
  await waitForNone('button', 'Retry')
})

const storedSettings = async () => (await other.send(getSettings, {})).settings

/** Opens the channel list with both ports open, and the settings of one of them. */
async function openPortSettings(name: string, title: string) {
  hub.parts.engine.observePorts = () => ({ srt: {}, rtmp: {} })
  await hub.listen(0, 0, { srt: 8000, rtmp: 1935 })
  await openConsole(hub, { at: ROUTES.channels })
  await click(await findByRole('button', name))
  const dialog = await findByRole('dialog', title)
  return {
    dialog,
    field: (label: string) => findByRole<HTMLInputElement>('textbox', label, dialog),
    save: async () => click(await findByRole('button', 'Save', dialog))
  }
}

async function confirmSave(): Promise<void> {
  const question = await findByRole('dialog', 'Save?')
  await waitForText('Current connections will be dropped.', question)
  await click(await findByRole('button', 'Save', question))
}

test('the list shows the ports; SRT is moved and encrypted, and the dialog shows the stored settings', async () => {
  const { dialog, field, save } = await openPortSettings('SRT: 8000', 'SRT: Settings')
  assert.equal((await field('Port')).value, '8000')
  await waitForNone('textbox', 'Passphrase', dialog)
  await selectOption(await findByRole('combobox', 'Encryption', dialog), 'AES-256')
  await fill(await field('Port'), '8100')
  await fill(await field('Passphrase'), 'too short')
  await save()
  await waitForFieldMessage(await field('Passphrase'), 'Must be 10 to 79 characters long')
  await fill(await field('Passphrase'), 'a word of honour')
  await save()
  await confirmSave()
  await waitForNone('dialog')
  assert.deepEqual((await storedSettings()).srt, { port: 8100, 'pb-key-len': 32, passphrase: 'a word of honour' })
  assert.ok(!document.body.innerHTML.includes('honour'))
  await click(await findByRole('button', 'SRT: 8100'))
  const reopened = await findByRole('dialog', 'SRT: Settings')
  assert.equal((await findByRole<HTMLInputElement>('textbox', 'Passphrase', reopened)).value, 'a word of honour')
  await selectOption(await findByRole('combobox', 'Encryption', reopened), 'Disabled')
  await click(await findByRole('button', 'Save', reopened))
  await confirmSave()
  await waitForNone('dialog')
  assert.deepEqual((await storedSettings()).srt, { port: 8100, 'pb-key-len': 0, passphrase: 'a word of honour' })
})

test('RTMP has only a port; nothing is sent before the confirmation', async () => {
  const { dialog, field, save } = await openPortSettings('RTMP: 1935', 'RTMP: Settings')
  assert.equal(queryAllByRole('combobox', undefined, dialog).length, 0)
  await fill(await field('Port'), '1936')
  await save()
  await click(await findByRole('button', 'Cancel', await findByRole('dialog', 'Save?')))
  assert.equal((await storedSettings()).rtmp?.port, 1935)
  await save()
  await confirmSave()
  await findByRole('button', 'RTMP: 1936')
  assert.equal((await storedSettings()).rtmp?.port, 1936)
})

test('an occupied port is refused at its field with the name of its owner', async () => {
  await addSrtOutput('Wall', 9100)
  const { field, save } = await openPortSettings('SRT: 8000', 'SRT: Settings')
  for (const [port, message] of [
    ['9100', 'Port 9100 occupied by output Wall'],
    ['1935', 'Port 1935 occupied by the shared RTMP port']
  ] as const) {
    await fill(await field('Port'), port)
    await save()
    await confirmSave()
    await waitForFieldMessage(await field('Port'), message)
    await waitForFocus('Port')
  }
  assert.equal((await storedSettings()).srt?.port, 8000)
})

test('a port that could not be opened is changed from its banner without a confirmation', async () => {
  await openConsole(hub, { at: pagePath() })
  await click(await findByRole('button', 'SRT: Settings', await findByRole('alert')))
  const dialog = await findByRole('dialog', 'SRT: Settings')
  await fill(await findByRole('textbox', 'Port', dialog), '8200')
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
  assert.equal((await storedSettings()).srt?.port, 8200)
})

test('the port for HLS that another program has is shown with a retry button, and has no settings', async () => {
  const { engine, webPorts } = hub.parts
  engine.observePorts = () => ({ srt: { port: 8000 }, rtmp: { port: 1935 } })
  let reason: 'port-taken 8080' | undefined = 'port-taken 8080'
  webPorts.ports.files.observe = () => (reason ? { reason } : { port: 8080 })
  webPorts.ports.files.retry = async () => {
    reason = undefined
    hub.parts.store.changes.markChanged('status')
  }
  await openConsole(hub, { at: ROUTES.channels })
  const banner = await findByRole('alert')
  await waitForText(
    /HLS: port 8080 is in use by another program Stop the program that uses it, or choose another port/,
    banner
  )
  assert.deepEqual(
    queryAllByRole('button', undefined, banner).map((button) => button.textContent),
    ['Retry']
  )
  await click(await findByRole('button', 'Retry', banner))
  await waitForNone('alert')
})

test('a user without permission to change settings sees no port buttons', async () => {
  await addUser(hub, 'viewer', CHANNEL_VIEW | SYSTEM_CONFIG_VIEW)
  await openConsole(hub, { at: ROUTES.channels, user: 'viewer' })
  await findByRole('alert')
  await waitForNone('button', /^(SRT|RTMP)/)
})

test('a user with permission to change settings but not to control channels can change a port, not the encryption', async () => {
  await addUser(hub, 'editor', CHANNEL_VIEW | SYSTEM_CONFIG_VIEW | SYSTEM_CONFIG_EDIT)
  hub.parts.engine.observePorts = () => ({ srt: {}, rtmp: {} })
  await hub.listen(0, 0, { srt: 8000, rtmp: 1935 })
  await openConsole(hub, { at: ROUTES.channels, user: 'editor' })
  await findByRole('button', 'RTMP: 1935')
  await click(await findByRole('button', 'SRT: 8000'))
  const dialog = await findByRole('dialog', 'SRT: Settings')
  assert.ok((await findByRole('combobox', 'Encryption', dialog)).closest('fieldset')?.disabled, 'for the Admin group')
  await waitForText('To change them, ask an administrator', dialog)
  await fill(await findByRole('textbox', 'Port', dialog), '8300')
  await click(await findByRole('button', 'Save', dialog))
  await confirmSave()
  await waitForNone('dialog')
  assert.equal((await storedSettings()).srt?.port, 8300)
})

test.run()
