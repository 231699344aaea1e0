// The search for devices on screen: what it has found is added with one click.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForText
} from '../../../kit/console/page.ts'
import { MEDIAMTX, startJsonServer } from '../../../kit/fleet/third-party-servers.ts'
import { until } from '../../../kit/until.ts'

const test = suite('search for devices on screen')
hubForEach(test)

const ADDRESS = '127.31.0.1'

test('nothing is said of a search before there is one, and what was found is added once', async () => {
  const server = await startJsonServer(MEDIAMTX, { address: ADDRESS, port: 9997 })
  try {
    await openConsole(hub, { at: linkTo('allDevices') })
    await click(await findByRole('button', 'Find devices'))
    const dialog = await findByRole('dialog', 'Find devices')
    await selectOption(await findByRole('combobox', 'Network interface', dialog), /^lo /)
    assert.ok(!visibleText(dialog).includes('Nothing found'))
    await fill(await findByRole('textbox', 'Address range (optional)', dialog), ADDRESS)
    await click(await findByRole('button', 'Find devices', dialog))
    await waitForText('Searching…', dialog)
    const found = `MediaMTX ${ADDRESS}`
    await waitForText(found, dialog)
    // Other programs of the machine answer, too.
    const entry = queryAllByRole('listitem', undefined, dialog).find((each) => visibleText(each).includes(found))
    const add = await findByRole('button', 'Add', entry)
    const isDisabled = () => add.getAttribute('aria-disabled') === 'true' && !add.hasAttribute('aria-busy')
    assert.ok(!isDisabled())
    await click(add)
    await until(() => hub.parts.addressedDevices.count() === 1, 'the server is added')
    await until(isDisabled, 'it cannot be added twice')
  } finally {
    await server.close()
  }
})

test.run()
