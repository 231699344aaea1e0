// Changes of the network that nobody confirms: NetworkManager goes back after 60 s, whatever happens to hub and
// console.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { listLog } from '../../contract/log.ts'
import { missingForMachine } from '../kit/machine/machine.ts'
import { ADDRESS } from '../kit/machine/managed-machine.ts'
import {
  change,
  closeMachines,
  LOST_MAX,
  NEW_ADDRESS,
  openConsole,
  openMachine,
  setAddress,
  waitForOutcome
} from '../kit/machine/network-journey.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'

const test = suiteRequiring('undone changes of the network', missingForMachine())

test.after(closeMachines)

test('without a confirmation, when the hub is killed, and when the console cannot follow, NetworkManager goes back', async () => {
  const [silent, killed, unreachable] = await Promise.all([openMachine(), openMachine(), openMachine()])
  const watchSilent = async () => {
    await change(silent)
    const gap = await silent.measureGap([ADDRESS, NEW_ADDRESS], silent.waitForAddress(ADDRESS))
    // NetworkManager goes back before the hub notices it.
    await waitForOutcome(silent)
    const lines = await silent.client.send(listLog, { type: 'system' })
    assert.match(JSON.stringify(lines.list), /Network change undone: eth0 \(Not confirmed in time\)/)
    return gap
  }
  const watchKilled = async () => {
    await change(killed)
    killed.hub.kill('SIGKILL')
    const restart = async () => {
      await sleep(62_000)
      await killed.restartHub()
      await killed.waitForAddress(ADDRESS)
    }
    return killed.measureGap([ADDRESS, NEW_ADDRESS], restart())
  }
  const watchUnreachable = async () => {
    const page = await openConsole(unreachable)
    await setAddress(page, '203.0.113.77', '')
    const begun = performance.now()
    await page.getByText('Changing eth0').first().waitFor()
    // The page is still that of the previous address, and says why without a click.
    await page.getByText('The change of eth0 was undone: Not confirmed in time').waitFor({ timeout: 90_000 })
    const gap = (performance.now() - begun) / 1000
    await page.getByRole('button', { name: 'Try again' }).click()
    assert.equal(await page.getByLabel('Address', { exact: true }).inputValue(), '203.0.113.77')
    return gap
  }
  const gaps = await Promise.all([watchSilent(), watchKilled(), watchUnreachable()])
  for (const managed of [silent, killed, unreachable]) {
    const last = await waitForOutcome(managed)
    assert.deepEqual([last.outcome, last.reason, last.iface], ['undone', 'not-confirmed', 'eth0'])
    assert.equal((await managed.eth0()).ipaddr, ADDRESS)
    assert.equal((await managed.list()).change, undefined)
    assert.match(await managed.storedConnections(), /198\.51\.100\.10\/24/)
  }
  for (const gap of gaps) assert.ok(gap < LOST_MAX, `The hub was lost for ${gap} s`)
})

test.run()
