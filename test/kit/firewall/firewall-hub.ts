// A hub that manages the firewall of its machine, with a firewall service of its own for each test.
import type { Test } from 'uvu'
import { getFirewall } from '../../../contract/machine/firewall/firewall.ts'
import { type Client, startHub, type TestHub } from '../hub/hub.ts'
import { TestFirewall } from './service.ts'

export let firewall: TestFirewall
export let hub: TestHub
export let admin: Client

/** Starts the hub before each test of a suite, and closes it after. */
export function firewallHubForEach(test: Pick<Test, 'before' | 'after'>): void {
  test.before.each(async () => {
    firewall = new TestFirewall()
    await firewall.start()
    hub = await startHub({ machine: 'manage', firewallSocket: firewall.socket })
    admin = hub.clientAs()
  })
  test.after.each(async () => {
    await hub.close()
    await firewall.close()
  })
}

/** The settings of the firewall, as the hub returns them. */
export const readFirewall = () => admin.send(getFirewall, {})

/** Settings with which no port is open. */
export const BLOCKED = { mode: 0 as const, rules: [] }
