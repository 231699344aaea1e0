// Commands to devices at a hub without calls of its own for them: through the calls that it relays to each device.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_STATUS_BITS } from '../../../../contract/device/status.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { closeConsole, openConsole, type TestConsole } from '../../../kit/console/console.ts'
import { menuItemOf, selectionToolbar, selectRow } from '../../../kit/console/device-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, fill, findByRole, findFormDialog, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { type SimulatedFleet, startSimulatedFleet } from '../../../kit/fleet/simulated-fleet.ts'
import { until } from '../../../kit/until.ts'

const test = suite('relayed commands')
let fleet: SimulatedFleet
test.after.each(async () => {
  await closeConsole()
  fleet.close()
})
hubForEach(test)

/** Requests of the console to devices, as method and path with the body. */
let requests: string[] = []

async function openDevices(): Promise<TestConsole> {
  requests = []
  const console = await openConsole(hub, { at: ROUTES.allDevices, hasDocumentedCallsOnly: true })
  console.intercept = (path, body) => {
    if (path.startsWith('/socket/')) requests.push(body === undefined ? path : `${path} ${body}`)
    return undefined
  }
  return console
}

const MODELS = ['encodeAio', 'hdmiToNdi', 'directorMini'] as const
const nameAtHub = (sn: string) => hub.parts.store.devices.bySerial(sn)?.name

test('a device of each generation is renamed with the request of its own API', async () => {
  fleet = await startSimulatedFleet(hub, other)
  const serials: string[] = []
  for (const [index, model] of MODELS.entries()) serials.push(await fleet.add(model, `Hall ${index}`))
  await openDevices()
  for (const index of MODELS.keys()) {
    await click(await menuItemOf(`Hall ${index}`, 'Rename'))
    const dialog = await findFormDialog(`Rename Hall ${index}`)
    await fill(await findByRole('textbox', 'Name', dialog), `Aula ${index}`)
    await click(await findByRole('button', 'Save', dialog))
    await waitForNone('dialog')
    await until(() => nameAtHub(serials[index] ?? '') === `Aula ${index}`, `device ${index} is renamed`)
  }
  assert.deepEqual(requests, [
    `/socket/usapi?method=set-name&name=Aula%200&sc-client-id=${serials[0]}`,
    `/socket/mwapi?method=set-eth-config&name=Aula%201&sc-client-id=${serials[1]}`,
    `/socket/api/system/set-device-name?sc-client-id=${serials[2]} {"name":"Aula 2"}`
  ])
})

test('recordings and live streams are started and stopped', async () => {
  fleet = await startSimulatedFleet(hub, other)
  const encoder = await fleet.add('encodeAio', 'Encoder')
  const director = await fleet.add('directorMini', 'Director')
  await openDevices()
  const isActive = (sn: string, bit: number) =>
    ((hub.parts.registry.liveState(sn)?.observation?.status['cur-status'] ?? 0) & bit) !== 0
  for (const [name, sn] of [
    ['Encoder', encoder],
    ['Director', director]
  ] as const)
    for (const [verb, bit, isOn] of [
      ['Start recording', DEVICE_STATUS_BITS.recording, true],
      ['Stop recording', DEVICE_STATUS_BITS.recording, false],
      ['Start streaming', DEVICE_STATUS_BITS.streaming, true],
      ['Stop streaming', DEVICE_STATUS_BITS.streaming, false]
    ] as const) {
      const item = await until(() => menuItemOf(name, verb).catch(() => undefined), `${name} can: ${verb}`)
      await click(item as HTMLElement)
      await until(() => isActive(sn, bit) === isOn, `${name}: ${verb}`)
    }
  assert.deepEqual(
    requests.map((request) => request.replace(/[?&]sc-client-id=\w+|\/socket/g, '')),
    [
      '/usapi?method=start-rec',
      '/usapi?method=stop-rec',
      '/usapi?method=start-live',
      '/usapi?method=stop-live',
      '/api/record/start-record {}',
      '/api/record/stop-record {}',
      '/api/live/start-quick-stream {}',
      '/api/live/stop-quick-stream {}'
    ]
  )
})

test('several devices are rebooted at once, and the result of each is shown', async () => {
  fleet = await startSimulatedFleet(hub, other, { reboot: 60_000, install: 50 })
  for (const [index, model] of MODELS.entries()) await fleet.add(model, `Hall ${index}`)
  const sn = await fleet.add('encodeAio', 'Hall 3')
  await openDevices()
  fleet.device(sn).stop()
  await until(() => !hub.parts.registry.isOnline(sn), 'one device is offline')
  for (const index of [0, 1, 2, 3]) await selectRow(`Hall ${index}`)
  await click(await findByRole('button', 'Reboot 4 devices', await selectionToolbar()))
  await click(await findByRole('button', 'Reboot 4 devices', await findByRole('dialog', 'Reboot 4 devices?')))
  await waitForText('3 of 4 done, 1 failed')
  await waitForText('The device is offline', await findByRole('dialog'))
  assert.equal(requests.length, 4)
})

test('a code of the Ultra family is not mistaken for one of the hub', async () => {
  fleet = await startSimulatedFleet(hub, other)
  await fleet.add('encodeAio', 'Encoder')
  const console = await openDevices()
  const answerWith = (response: object) => {
    console.intercept = (path) => (path.startsWith('/socket/') ? Response.json(response) : undefined)
  }
  for (const [response, sentence] of [
    // 3 is 'Interrupted' in the common list.
    [{ result: 3 }, 'The storage is too slow'],
    [{ result: -22 }, 'The device refused the command. Its error code: -22'],
    [{ result: 10007 }, 'The device is offline'],
    [{ result: 31 }, 'No permission to operate'],
    // The device is recording already.
    [{ result: 2 }, 'Recording started']
  ] as const) {
    answerWith(response)
    await click(await menuItemOf('Encoder', 'Start recording'))
    await waitForText(sentence)
  }
})

test('this hub gets its own call, and no relayed one', async () => {
  fleet = await startSimulatedFleet(hub, other)
  const sn = await fleet.add('encodeAio', 'Encoder')
  requests = []
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  console.intercept = (path) => void requests.push(path)
  await click(await menuItemOf('Encoder', 'Start recording'))
  await until(() => requests.some((path) => path.startsWith('/api/device/record/start')), 'the call was made')
  await waitForText('Recording started')
  assert.ok(!requests.some((path) => path.startsWith('/socket/')), sn)
})

test.run()
