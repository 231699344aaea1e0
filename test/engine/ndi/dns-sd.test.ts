// Discovery of NDI sources by DNS-SD, on machines with a real runtime that announces them and avahi that answers.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { listNdiSources } from '../../../contract/stream/ndi.ts'
import { startNdiHub } from '../../kit/ndi/hub.ts'
import { type NdiMachine, type NdiMachines, startNdiMachines } from '../../kit/ndi/machines.ts'
import { startSource } from '../../kit/ndi/programs.ts'
import { missingForNdi } from '../../kit/ndi/runtime.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suiteRequiring('DNS-SD', missingForNdi())

let machines: NdiMachines
test.before(async () => {
  machines = await startNdiMachines()
})
test.after(() => machines?.stop())

/** The machine as it is without the NDI runtime. */
const withoutRuntime = (machine: NdiMachine): NdiMachine => ({
  ...machine,
  wrapper: [...machine.wrapper, 'env', '--unset=NDI_RUNTIME_DIR_V5']
})

test('without the NDI runtime, discovery lists the sources announced by DNS-SD, removes ended ones, and names the missing runtime', async () => {
  const source = await startSource(machines, machines.src, 'Camera v1.2', { id: 5 })
  const own = await startSource(machines, machines.hub, 'Local', { id: 6 })
  const running = await startNdiHub(machines, withoutRuntime(machines.hub), join(machines.folder, 'data'))
  try {
    const list = async () => {
      const { list, runtime } = await running.hub.send(listNdiSources, {})
      assert.match(runtime.reason ?? '', /requires the NDI runtime/)
      return list.map(({ name, addr }) => [name, addr])
    }
    const expected = [
      ['HUB (Local)', `${machines.hub.address}:5961`],
      ['SRC (Camera v1.2)', `${machines.src.address}:5961`]
    ]
    await until(async () => JSON.stringify(await list()) === JSON.stringify(expected), 'both are listed')
    await source.end()
    await until(async () => (await list()).length === 1, 'a source that has ended is not listed')
  } finally {
    await running.kill()
    await own.end()
  }
})

test.run()
