// The firewall with a real nftables and the firewall service, by a hub without rights, seen from the far side of the
// cable.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Browser } from 'playwright-core'
import { changePassword } from '../../../contract/access/session.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import {
  confirmFirewall,
  type FirewallSettings,
  type FirewallState,
  getFirewall,
  setFirewall
} from '../../../contract/machine/firewall/firewall.ts'
import { signIn } from '../../kit/browser/browser.ts'
import { md5, newPassword } from '../../kit/hub/hub.ts'
import {
  connectFromLan,
  MACHINE_ADDRESS,
  MACHINE_ADDRESS_6,
  setAddress,
  startFirewallService
} from '../../kit/machine/firewall-service.ts'
import { openLanChromium } from '../../kit/machine/lan-browser.ts'
import { missingForMachine, TestMachine } from '../../kit/machine/machine.ts'
import { HUB_PORT, LanClient, startMachineHub } from '../../kit/machine/machine-hub.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { LIMIT, until } from '../../kit/until.ts'

const test = suiteRequiring('firewall of the machine', missingForMachine())

const PASSWORD = 'Studio-Hub-1'
/** Port of a program that is not the hub. */
const OTHER_PORT = 7000
/** The addresses of the LAN. */
const LAN_NETWORK = '198.51.100.0/24'
/** Milliseconds until the quick service goes back: a client must find a port blocked meanwhile. */
const QUICK = 8000
/** Seconds for an answer of a port that is not blocked. */
const ANSWER_TIME = 10

const OPEN: FirewallSettings = { mode: 1, rules: [] }
const BLOCKED: FirewallSettings = { mode: 0, rules: [] }
const NO_RULES: FirewallSettings = { mode: -1, rules: [] }
const ONE_RULE: FirewallSettings = {
  mode: -1,
  rules: [{ port: `${OTHER_PORT - 10}-${OTHER_PORT}`, protocol: 2, remark: 'Other', enable: true }]
}

const machines: TestMachine[] = []
let browser: Browser | undefined
test.after(async () => {
  await browser?.close()
  await Promise.all(machines.map((machine) => machine.close()))
})

interface Place {
  machine: TestMachine
  client: LanClient
  hub: ChildProcess
  service: ChildProcess
}

let place: Place
test.before(async () => {
  place = await openPlace()
})

/** A machine with hub, firewall service, and another program, and a signed-in client in the LAN. */
async function openPlace(confirmTime?: number): Promise<Place> {
  const machine = await TestMachine.open([])
  machines.push(machine)
  await setAddress(machine)
  const service = await startFirewallService(machine, confirmTime)
  const echo = machine.start([machine.node, 'test/kit/machine/echo.mjs', String(OTHER_PORT)])
  await once(echo.stdout ?? echo, 'data')
  const hub = await startMachineHub(machine)
  const client = new LanClient(machine, MACHINE_ADDRESS)
  await client.signIn('Admin')
  await client.send(changePassword, { 'old-passwd': md5('Admin'), ...newPassword(PASSWORD) })
  return { machine, client, hub, service }
}

const ruleset = ({ machine }: Place) => machine.run(['nft', 'list', 'ruleset'])
const capabilities = async ({ machine }: Place, name: string) =>
  machine.run(['bash', '-c', `grep -h CapEff /proc/$(pgrep -o -f ${name})/status`])

const waitUntilOpen = ({ machine }: Place) =>
  until(async () => (await connectFromLan(machine, OTHER_PORT)) === 'open', 'the port is open')

/** Waits until the counters of the service, which are up to half a second old, fulfil a condition. */
async function waitForCounts({ client }: Place, what: string, isMet: (state: FirewallState) => boolean): Promise<void> {
  await until(async () => isMet(await client.send(getFirewall, {})), what)
}

test('a browser in the LAN blocks all ports and keeps the change; nobody but the hub reaches the service', async () => {
  const { machine } = place
  assert.equal(await ruleset(place), '')
  assert.match(await capabilities(place, 'headend-firewall'), /0000000000001000$/)
  browser = await openLanChromium(machine)
  const page = await browser.newPage({ locale: 'en' })
  page.setDefaultTimeout(LIMIT)
  await page.goto(`http://${MACHINE_ADDRESS}:${HUB_PORT}/#/settings/firewall`)
  await signIn(page, 'Admin', PASSWORD)
  await page.getByRole('button', { name: 'All ports blocked' }).click()
  await page.getByText(/^Blocks Device registration \(TCP 8070\)/).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/previous settings return in \d\d s/).waitFor()
  assert.equal(await connectFromLan(machine, 8070), 'dropped')
  await page.getByRole('button', { name: 'Keep settings' }).click()
  await page.getByText('Settings of the firewall kept').waitFor()
  assert.match(await ruleset(place), /drop/)

  const send =
    'const s=require("net").connect("/run/headend-firewall/socket",()=>s.end(process.argv[1]+"\\n"));s.on("error",e=>console.log(e.code));s.pipe(process.stdout)'
  const other = ['setpriv', '--reuid=62003', '--regid=62003', '--clear-groups']
  assert.equal(await machine.run([...other, machine.node, '-e', send, '{"op":"state"}']), 'EACCES')
  const before = await ruleset(place)
  for (const text of [
    'flush ruleset',
    '{"op":"flush"}',
    '{'.repeat(17_000),
    '{"op":"console","console":["80 }; flush ruleset"]}'
  ])
    assert.equal(await machine.run([machine.node, '-e', send, text], { as: 'headend' }), '{"error":"invalid"}')
  assert.equal(await ruleset(place), before)
})

test('each mode that blocks ports leaves the console, existing connections and IPv6 neighbours', async () => {
  const { machine, client } = place
  assert.equal((await client.send(setFirewall, OPEN)).result, SUCCESS)
  const flow = machine.start([process.execPath, 'test/kit/machine/echo.mjs', String(OTHER_PORT), MACHINE_ADDRESS], {
    in: 'lan'
  })
  const answers = createInterface(flow.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]()
  let sent = 0
  /**
   * Waits for 20 further numbers, and until they and all earlier ones have come back. A dropped datagram never does.
   */
  const requireFlow = async () => {
    const wanted = sent + 20
    await until(async () => {
      flow.stdin?.write('\n')
      const answer = await answers.next()
      const { tcp, udp, ...flowed } = JSON.parse(answer.value ?? '')
      sent = flowed.sent
      return Math.min(tcp, udp) >= wanted
    }, `all of ${wanted} numbers come back`)
  }
  await requireFlow()
  for (const settings of [BLOCKED, NO_RULES]) {
    assert.equal((await client.send(setFirewall, OPEN)).result, SUCCESS)
    const { result, change } = await client.send(setFirewall, settings)
    assert.deepEqual([result, change?.mode], [0, settings.mode])
    assert.equal(await client.reaches(), true)
    assert.equal(await connectFromLan(machine, OTHER_PORT), 'dropped')
    assert.equal(await connectFromLan(machine, 8070), 'dropped')
    // The hub does not listen there, but its machine answers: the LAN has found it by neighbour discovery.
    assert.equal(await connectFromLan(machine, HUB_PORT, MACHINE_ADDRESS_6, ANSWER_TIME), 'refused')
    await requireFlow()
    assert.equal((await client.send(confirmFirewall, {})).result, SUCCESS)
  }
  assert.match(await ruleset(place), /^table inet headend \{[^}]*\}?/)
  assert.equal((await ruleset(place)).match(/^table /gm)?.length, 1)

  // Opening a port needs no confirmation, and its counter counts.
  assert.equal((await client.send(setFirewall, ONE_RULE)).change, undefined)
  assert.equal(await connectFromLan(machine, OTHER_PORT, MACHINE_ADDRESS, ANSWER_TIME), 'open')
  await waitForCounts(place, 'packets of the rule', ({ counts: [rule] = [] }) => (rule?.packets ?? 0) > 10)
  await waitForCounts(place, 'bytes of the rule', ({ counts: [rule] = [] }) => (rule?.bytes ?? 0) > 400)
  await connectFromLan(machine, OTHER_PORT + 1)

  // A rule with a source opens its ports for that source alone.
  for (const [source, expected] of [
    ['192.0.2.0/24', 'dropped'],
    [LAN_NETWORK, 'open']
  ] as const) {
    const rules = ONE_RULE.rules.map((rule) => ({ ...rule, source }))
    await client.send(setFirewall, { mode: -1, rules, force: true })
    await client.send(confirmFirewall, {})
    assert.equal(await connectFromLan(machine, OTHER_PORT, MACHINE_ADDRESS, ANSWER_TIME), expected)
  }
  assert.equal((await client.send(setFirewall, ONE_RULE)).change, undefined)
  await connectFromLan(machine, OTHER_PORT + 1)
  await waitForCounts(place, 'refused packets', ({ refused }) => (refused?.packets ?? 0) > 0)

  // The service restores the confirmed rules, also after it was killed and its table is lost.
  place.service.kill('SIGKILL')
  await once(place.service, 'exit')
  await machine.run(['nft', 'delete', 'table', 'inet', 'headend'])
  await startFirewallService(machine)
  assert.match(await ruleset(place), /6990-7000/)
  assert.equal((await client.send(getFirewall, {}))['in-effect'], true)
})

test('a change that nobody confirms is undone, also if the hub was killed, and the hub says so', async () => {
  const quick = await openPlace(QUICK)
  const { machine, client } = quick
  await client.send(setFirewall, BLOCKED)
  assert.equal(await connectFromLan(machine, OTHER_PORT), 'dropped')
  await waitUntilOpen(quick)
  const silent = await client.send(getFirewall, {})
  assert.deepEqual([silent.mode, silent.last?.outcome], [1, 'undone'])
  assert.equal(await ruleset(quick), '')

  await client.send(setFirewall, BLOCKED)
  quick.hub.kill('SIGKILL')
  assert.equal(await connectFromLan(machine, OTHER_PORT), 'dropped')
  await waitUntilOpen(quick)
  await startMachineHub(machine)
  const killed = await client.send(getFirewall, {})
  assert.deepEqual([killed.mode, killed.last?.outcome, killed.change], [1, 'undone', undefined])
})

test.run()
