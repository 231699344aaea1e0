import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { type FirewallRule, getFirewall, setFirewall } from '../../../../contract/machine/firewall/firewall.ts'
import { addChannel, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { SRT } from '../../../../contract/stream/protocols.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { input } from '../../../hub/handlers/stream/source-requests.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  clickWhenFree,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { TestFirewall } from '../../../kit/firewall/service.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'

const test = suite('firewall')

const firewall = new TestFirewall()
test.before.each(() => firewall.start())
test.after.each(() => firewall.reset())
test.after(() => firewall.close())
hubForEach(test, { machine: 'manage', firewallSocket: firewall.socket })

const at = ROUTES.firewall
const rule = (port: string, protocol: 0 | 1 | 2 = 0, enable = true, remark = ''): FirewallRule => ({
  port,
  protocol,
  remark,
  enable
})
const button = async (name: string | RegExp) => click(await findByRole('button', name))
const waitForRow = async (name: string, text: RegExp) => waitForText(text, await findByRole('row', name))
const current = () => other.send(getFirewall, {})

/** Adds a running channel that receives UDP at port 5004. */
async function startChannel(): Promise<number> {
  const { id: inputId } = await other.send(addInput, input('Multicast in', 'udp://239.1.1.1:5004'))
  const { id } = await other.send(addChannel, { name: 'News' })
  await other.send(setChannelInput, { id, input: inputId })
  await other.send(enableChannel, { id, enable: true })
  return id
}

test('a rule is added, its effect is shown before it is applied, and the change is kept', async () => {
  await openConsole(hub, { at })
  await waitForText('No rules')
  await button('Rules')
  await button('Add rule')
  const dialog = await findByRole('dialog', 'Add rule')
  await fill(await findByRole('textbox', 'Ports', dialog), '9010-9000')
  await click(await findByRole('button', 'Save', dialog))
  await waitForFieldMessage(await findByRole('textbox', 'Ports', dialog), 'The end must come after the start')
  await fill(await findByRole('textbox', 'Ports', dialog), '8880-8899')
  await selectOption(await findByRole('combobox', 'Protocol', dialog), 'UDP')
  await fill(await findByRole('textbox', 'Remark', dialog), 'Contribution')
  await click(await findByRole('button', 'Save', dialog))
  await waitForRow('8880-8899 UDP', /Contribution.*Enabled/)
  assert.equal((await current()).mode, 1)
  await waitForText('Changes are not applied yet')
  await button('Save')
  await waitForText('Keep the new settings of the firewall?')
  await waitForText(/previous settings return in (60|59|58) s/)
  assert.deepEqual(queryAllByRole('button', 'Add rule'), [])
  await button('Keep settings')
  await waitForText('Settings of the firewall kept')
  const { mode, rules } = await current()
  assert.deepEqual([mode, rules], [-1, [rule('8880-8899', 1, true, 'Contribution')]])
  await waitForRow('8880-8899 UDP', /0 packets, 0/)
})

test('a rule with a source says from where it opens its ports', async () => {
  await startChannel()
  await other.send(setFirewall, { mode: -1, rules: [rule('1-65535', 2)], force: true })
  await openConsole(hub, { at })
  await waitForRow('1-65535 TCP and UDP', /Enabled/)
  await button('Delete 1-65535 TCP and UDP')
  await button('Add rule')
  const dialog = await findByRole('dialog', 'Add rule')
  const source = await findByRole('textbox', 'Source', dialog)
  await fill(await findByRole('textbox', 'Ports', dialog), '5004')
  await selectOption(await findByRole('combobox', 'Protocol', dialog), 'UDP')
  await fill(source, '192.168.1.0/33')
  await click(await findByRole('button', 'Save', dialog))
  await waitForFieldMessage(source, 'Invalid entry')
  await fill(source, '192.168.1.0/24')
  await click(await findByRole('button', 'Save', dialog))
  await waitForRow('5004 UDP from 192.168.1.0/24', /Opens Input Multicast in \(UDP 5004\) from 192\.168\.1\.0\/24/)
  await waitForText(/Blocks .*Input Multicast in \(UDP 5004\) except from 192\.168\.1\.0\/24/)
  await waitForText('Open from 192.168.1.0/24')
  await button('Save')
  await click(await findByRole('button', 'Proceed anyway', await findByRole('dialog')))
  await button('Keep settings')
  await waitForText('Settings of the firewall kept')
  assert.deepEqual((await current()).rules, [{ ...rule('5004', 1), source: '192.168.1.0/24' }])
})

test('the page highlights the menu entry Network', async () => {
  await openConsole(hub, { at })
  const entry = await findByRole('link', 'Network', await findByRole('navigation', 'Main menu'))
  assert.equal(entry.getAttribute('aria-current'), 'page')
  await waitForText('No rules')
})

test('the streams that a change would end are named before it is applied, and again by the hub', async () => {
  await startChannel()
  await openConsole(hub, { at })
  await button('All ports blocked')
  await waitForText('Blocks Input Multicast in (UDP 5004)')
  await waitForText('These streams end at once: News')
  await button('Save')
  const question = await findByRole('dialog')
  assert.match(visibleText(question), /News/)
  assert.equal(firewall.tables.current, '')
  await click(await findByRole('button', 'Proceed anyway', question))
  await waitForText('Keep the new settings of the firewall?')
  assert.match(firewall.tables.current, /drop/)
  await button('Undo now')
  await waitForText('The change of the firewall was undone: A user cancelled it')
  assert.equal(firewall.tables.current, '')
  await button('Try again')
  await waitForText('Changes are not applied yet')
  await button('Discard changes')
  await waitForNone('button', 'Save')
})

const outdated = 'Changed meanwhile by somebody else. If you keep your changes, they replace the newer settings.'

test('edited settings are not left without a question; they are then discarded', async () => {
  await openConsole(hub, { at })
  await button('All ports blocked')
  await waitForText('Not saved: Firewall')
  await click(await findByRole('link', 'Network', await findByRole('navigation', 'Main menu')))
  const question = await findByRole('dialog', 'Leave without saving?')
  await click(await findByRole('button', 'Cancel', question))
  await waitForText('Changes are not applied yet')
  await click(await findByRole('link', 'Network', await findByRole('navigation', 'Main menu')))
  await click(await findByRole('button', 'Discard changes', await findByRole('dialog', 'Leave without saving?')))
  await findByRole('heading', 'Connectivity')
  await click(await findByRole('link', 'Firewall', document.querySelector('main') as HTMLElement))
  await waitForText('No rules')
  await waitForNone('button', 'Save')
  assert.equal((await current()).mode, 1)
})

test('the question about a channel on air says that it goes off air, and how many watch it', async () => {
  const id = await startChannel()
  setObservedChannel(hub, id, CARRYING_LEG)
  const player = { address: '192.0.2.40:4000', kbps: 900, livingTimeS: 5, isPublisher: false, protocol: SRT }
  hub.parts.engine.observe(id).clients = [
    { ...player, id: 1 },
    { ...player, id: 2 }
  ]
  await openConsole(hub, { at })
  await button('All ports blocked')
  await button('Save')
  const question = await findByRole('dialog')
  await waitForText('News goes off air. Viewers: 2.', question)
  await click(await findByRole('button', 'Cancel', question))
  await waitForNone('dialog')
  assert.equal(firewall.tables.current, '')
})

test('a draft is not applied over settings that another user has applied meanwhile', async () => {
  await other.send(setFirewall, { mode: 1, rules: [rule('9000')] })
  await openConsole(hub, { at })
  await button('Disable 9000 TCP')
  assert.ok(!visibleText().includes(outdated))
  await button('Add rule')
  await other.send(setFirewall, { mode: 1, rules: [rule('9000'), rule('9001')] })
  await waitForText(outdated)
  await fill(await findByRole('textbox', 'Ports'), '9002')
  await click(await findByRole('button', 'Save', await findByRole('dialog')))
  await waitForNone('dialog')
  await waitForRow('9002 TCP', /Enabled/)
  await button('Save')
  await findByRole('button', 'Keep my changes')
  await waitForRow('9002 TCP', /Enabled/)
  assert.deepEqual((await current()).rules, [rule('9000'), rule('9001')])
  await button('Discard changes')
  await findByRole('row', '9001 TCP')
  await button('Disable 9000 TCP')
  await clickWhenFree('Save')
  await waitForText('Settings saved')
  assert.deepEqual((await current()).rules, [rule('9000', 0, false), rule('9001')])
})

test('settings that the page does not have yet are not overwritten, unless the user keeps the draft', async () => {
  await openConsole(hub, { at })
  await button('Add rule')
  await fill(await findByRole('textbox', 'Ports'), '9002')
  await click(await findByRole('button', 'Save', await findByRole('dialog')))
  await waitForNone('dialog')
  await waitForText('Not saved: Firewall')
  const apply = await findByRole('button', 'Save')
  hub.parts.store.settings.set('firewall', { mode: 1, rules: [rule('9001')] })
  await click(apply)
  await waitForText(outdated)
  assert.deepEqual((await current()).rules, [rule('9001')])
  await waitForRow('9002 TCP', /Enabled/)
  await button('Keep my changes')
  await waitForNone('button', 'Keep my changes')
  await button('Save')
  await waitForText('Settings saved')
  assert.deepEqual((await current()).rules, [rule('9002')])
})

test('rules name the ports that they open', async () => {
  await startChannel()
  const rules = [rule('5000-5010', 1), rule('5004', 1, false), rule('5004', 0, false)]
  hub.parts.store.settings.set('firewall', { mode: 1, rules })
  await openConsole(hub, { at })
  await waitForRow('5000-5010 UDP', /Ignored in this mode/)
  await button('Rules')
  await waitForRow('5000-5010 UDP', /Opens Input Multicast in \(UDP 5004\)/)
  await waitForRow('5004 UDP', /Disabled.*Opened by another rule: Input Multicast in/)
  await waitForRow('5004 TCP', /Disabled.*None/)
  await button('Disable 5000-5010 UDP')
  await waitForRow('5004 UDP', /Disabled.*Blocked: Input Multicast in/)
  await button('Delete 5004 TCP')
  await waitForNone('row', '5004 TCP')
  await button('Discard changes')
  await findByRole('row', '5004 TCP')
})

test('settings that are not in effect are marked, and can be applied', async () => {
  await startChannel()
  hub.parts.store.settings.set('firewall', { mode: -1, rules: [rule('1-65535', 2)] })
  await openConsole(hub, { at })
  await waitForText('These settings are not in effect')
  await waitForText(/Input Multicast in · UDP 5004\s*Unknown/)
  await button('Apply them')
  await waitForText('Settings saved')
  await waitForNone('button', 'Apply them')
  await waitForText(/Input Multicast in · UDP 5004\s*Open/)
  assert.match(firewall.tables.current, /1-65535/)
})

test('without the firewall service the page says how to start it, and offers nothing to change', async () => {
  await startChannel()
  await firewall.stop()
  await openConsole(hub, { at })
  await waitForText('headend-firewall is not running on the hub.')
  await waitForText('Start it on the hub: sudo systemctl enable --now headend-firewall')
  await waitForText(/firewall is unknown\. Setting of the hub: All ports open/)
  await waitForText(/Input Multicast in · UDP 5004\s*Unknown/)
  assert.deepEqual([...queryAllByRole('button', 'Add rule'), ...queryAllByRole('button', 'All ports blocked')], [])
})

test('a change that waits for its confirmation is in effect, and the page describes its mode', async () => {
  await other.send(setFirewall, { mode: 0, rules: [] })
  await openConsole(hub, { at })
  await waitForText('Keep the new settings of the firewall?')
  await waitForText('All ports are blocked. The rules are ignored.')
  assert.doesNotMatch(visibleText(document.body), /The hub does not know/)
})

test('a user without the Admin group sees the rules and why they are fixed, but cannot change rules or mode', async () => {
  await other.send(setFirewall, { mode: -1, rules: [rule('1-65535', 2)] })
  await addUser(hub, 'viewer', SYSTEM_CONFIG_VIEW | SYSTEM_CONFIG_EDIT)
  await openConsole(hub, { at, user: 'viewer' })
  await findByRole('row', /1-65535/)
  await waitForText('To change them, ask an administrator.')
  assert.deepEqual([...queryAllByRole('button', /Delete/), ...queryAllByRole('button', 'All ports blocked')], [])
})

test('a user without the permission sees why the page is empty', async () => {
  await addUser(hub, 'nobody', 4)
  await openConsole(hub, { at, user: 'nobody' })
  await waitForText('Ask an administrator for it.')
})

test.run()
