// Where the NDI router searches the sources of a matrix: where the settings say, with the real runtime.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NdiDiscoverySettings } from '../../../contract/ndi/settings.ts'
import { NdiConfig } from '../../../engine/ndi/config.ts'
import { MachineAnswers } from '../../../engine/ndi/machine-answers.ts'
import { DestinationPorts, RouterMatrix } from '../../../engine/ndi/router-matrix.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { type NdiMachines, startNdiMachines } from '../../kit/ndi/machines.ts'
import { startSource } from '../../kit/ndi/programs.ts'
import { missingForNdi, NDI_RUNTIME_FOLDER } from '../../kit/ndi/runtime.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suiteRequiring('search of the NDI router', missingForNdi())

const PROGRAM = join(import.meta.dirname, '../../../build/headend-ndi')

let machines: NdiMachines
let folder: string
test.before(async () => {
  machines = await startNdiMachines()
  folder = mkdtempSync(join(tmpdir(), 'headend-account-'))
  // Without mDNS the router finds sources at the addresses of the settings alone.
  await machines.hub.run('sh', '-c', 'kill $(cat /run/avahi-daemon/pid)')
})
test.after(async () => {
  await machines.stop()
  rmSync(folder, { recursive: true })
})

/** A program that runs `headend-ndi` on the machine of the hub. */
function programOnHub(): string {
  const path = join(folder, 'headend-ndi')
  writeFileSync(path, `#!/bin/sh\nexec ${machines.hub.wrapper.join(' ')} ${PROGRAM} "$@"\n`)
  chmodSync(path, 0o755)
  return path
}

test('a matrix finds sources at the extra addresses and in the groups of the settings, which later settings do not change', async () => {
  const settings: NdiDiscoverySettings = {
    ...{ enable: false, servers: [], 'send-groups': '', 'machine-name': '', ifaces: [] },
    ...{ 'recv-groups': 'Stage', 'extra-ips': [machines.src.address] }
  }
  const config = new NdiConfig({ resolveHost: async (host) => host, accountFolder: folder })
  await config.configure(settings)
  await startSource(machines, machines.src, 'Public', { id: 1 })
  await startSource(machines, machines.src, 'Staged', { id: 2, groups: 'Stage' })
  const sources = ['SRC (Public)', 'SRC (Staged)']
  const library = join(NDI_RUNTIME_FOLDER, 'libndi.so.5')
  const runtime = { library, version: '5', canRoute: true, program: programOnHub(), ffmpeg: 'ffmpeg' }
  const ndi = {
    findRuntime: async () => runtime,
    listMissing: () => [],
    openConfig: config.open.bind(config),
    machineName: () => 'HUB',
    defaultMachineName: () => 'HUB'
  }
  const ports = new DestinationPorts()
  const answers = new MachineAnswers({ resolveHost: async (host) => host })
  const context = { ndi, launcher: createLauncher(), machines: answers, ports, now: () => performance.now() }
  const matrix = new RouterMatrix({ id: 1, name: 'Studio', sources, destinations: [] }, context, () => {})
  const online = () => new Map(matrix.observe().sources.map((source) => [source.name, source.online]))
  await until(
    () => online().size === 2,
    () => `both sources were looked for: ${[...online()]}`
  )
  assert.deepEqual(
    sources.map((name) => online().get(name)),
    [false, true]
  )
  assert.deepEqual(config.observe().outdated, [])
  await config.configure({ ...settings, 'recv-groups': 'Public' })
  assert.deepEqual(config.observe().outdated, [{ role: 'route', name: 'Studio' }])
  await matrix.close()
  assert.deepEqual(config.observe().outdated, [])
})

test.run()
