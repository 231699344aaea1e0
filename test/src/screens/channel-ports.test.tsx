import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../../../contract/permissions.ts'
import { getSettings } from '../../../contract/settings.ts'
import { PLACES } from '../../../src/paths.ts'
import { addedOutput, channelForEach, place } from '../../kit/channel-page.ts'
import { openConsole } from '../../kit/console.ts'
import { addUser } from '../../kit/hub.ts'
import { hub, other } from '../../kit/hub-for-each.ts'
import { all, choose, click, fill, focuses, none, one, says, saysOf } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('channel ports')

channelForEach(test)

/** How often the engine was told to try again. */
let tries: number

test.before.each(() => {
  tries = 0
  const { engine } = hub.hub
  engine.ports = () => ({ srt: { reason: 'port-taken 8000' }, rtmp: { port: 1935 } })
  engine.retryPorts = () => void tries++
})

async function isRepaired(at: string): Promise<void> {
  await openConsole(hub, { at })
  const banner = await one('alert')
  await says('SRT: port 8000 is in use by another program Choose another port, or end what uses it.', banner)
  await click(await one('button', 'Retry', banner))
  await until(() => tries === 1, 'it is tried again')
  hub.hub.engine.ports = () => ({ srt: { port: 8000 }, rtmp: { port: 1935 } })
  await none('alert')
}

test('a shared port that is not open is said above the list with its reason, until trying again has opened it', () =>
  isRepaired(PLACES.channels))

test('and so it is on the page of each channel', () => isRepaired(place()))

test('who may not control channels sees why, and no button', async () => {
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await openConsole(hub, { at: PLACES.channels, user: 'viewer' })
  await says(/SRT: port 8000 is in use/, await one('alert'))
  await none('button', 'Retry')
})

const settings = async () => (await other.send(getSettings, {})).settings

/** Opens the list, where both ports are as they are set, and what one of them is set to. */
async function opened(name: string, title: string) {
  hub.hub.engine.ports = () => ({ srt: {}, rtmp: {} })
  await hub.listen(0, 0, { srt: 8000, rtmp: 1935 })
  await openConsole(hub, { at: PLACES.channels })
  await click(await one('button', name))
  const dialog = await one('dialog', title)
  return {
    dialog,
    field: (label: string) => one<HTMLInputElement>('textbox', label, dialog),
    save: async () => click(await one('button', 'Save', dialog))
  }
}

async function agree(): Promise<void> {
  const question = await one('dialog', 'Save?')
  await says('Open connections are cut.', question)
  await click(await one('button', 'Save', question))
}

test('the list says where the ports are, and there SRT is moved and encrypted; what comes back is what the hub has', async () => {
  const { dialog, field, save } = await opened('SRT: 8000', 'SRT: Settings')
  assert.equal((await field('Port')).value, '8000')
  await none('textbox', 'Passphrase', dialog)
  await choose(await one('combobox', 'Encryption', dialog), 'AES-256')
  await fill(await field('Port'), '8100')
  await fill(await field('Passphrase'), 'too short')
  await save()
  await saysOf(await field('Passphrase'), 'Must be 10 to 79 characters long')
  await fill(await field('Passphrase'), 'a word of honour')
  await save()
  await agree()
  await none('dialog')
  assert.deepEqual((await settings()).srt, { port: 8100, 'pb-key-len': 32, passphrase: 'a word of honour' })
  assert.ok(!document.body.innerHTML.includes('honour'))
  await click(await one('button', 'SRT: 8100'))
  const again = await one('dialog', 'SRT: Settings')
  assert.equal((await one<HTMLInputElement>('textbox', 'Passphrase', again)).value, 'a word of honour')
  await choose(await one('combobox', 'Encryption', again), 'None')
  await click(await one('button', 'Save', again))
  await agree()
  await none('dialog')
  assert.deepEqual((await settings()).srt, { port: 8100, 'pb-key-len': 0, passphrase: 'a word of honour' })
})

test('RTMP has its port alone; nothing is sent before the question is answered with yes', async () => {
  const { dialog, field, save } = await opened('RTMP: 1935', 'RTMP: Settings')
  assert.equal(all('combobox', undefined, dialog).length, 0)
  await fill(await field('Port'), '1936')
  await save()
  await click(await one('button', 'Cancel', await one('dialog', 'Save?')))
  assert.equal((await settings()).rtmp.port, 1935)
  await save()
  await agree()
  await one('button', 'RTMP: 1936')
  assert.equal((await settings()).rtmp.port, 1936)
})

test('a port that something else has is refused at its field, with who has it', async () => {
  await addedOutput('Wall', 9100)
  const { field, save } = await opened('SRT: 8000', 'SRT: Settings')
  for (const [port, said] of [
    ['9100', 'Port 9100 occupied: output Wall'],
    ['1935', 'Port 1935 occupied: shared RTMP port']
  ] as const) {
    await fill(await field('Port'), port)
    await save()
    await agree()
    await saysOf(await field('Port'), said)
    await focuses('Port')
  }
  assert.equal((await settings()).srt.port, 8000)
})

test('a port that is not open is set from its banner, and nothing is asked, since nobody is connected', async () => {
  await openConsole(hub, { at: place() })
  await click(await one('button', 'SRT: Settings', await one('alert')))
  const dialog = await one('dialog', 'SRT: Settings')
  await fill(await one('textbox', 'Port', dialog), '8200')
  await click(await one('button', 'Save', dialog))
  await none('dialog')
  assert.equal((await settings()).srt.port, 8200)
})

test('who may not change the settings sees no button for the ports', async () => {
  await addUser(hub, 'viewer', CHANNEL_VIEW | SYSTEM_CONFIG_VIEW)
  await openConsole(hub, { at: PLACES.channels, user: 'viewer' })
  await one('alert')
  await none('button', /^(SRT|RTMP)/)
})

test('who may, and may not control channels, does', async () => {
  await addUser(hub, 'editor', CHANNEL_VIEW | SYSTEM_CONFIG_VIEW | SYSTEM_CONFIG_EDIT)
  await openConsole(hub, { at: PLACES.channels, user: 'editor' })
  await one('button', 'RTMP: 1935')
})

test.run()
