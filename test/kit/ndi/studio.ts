// Two sources on one machine, a hub with a matrix on the other, and a receiver of each of its destinations: the first
// on the machine of the sources, the second on that of the hub.
import assert from 'node:assert/strict'
import { type NdiMachines, startNdiMachines } from './machines.ts'
import { startReceiver, startSource, type TestReceiver, type TestSource } from './programs.ts'
import { type RouterSetup, startRouter } from './router.ts'

export interface Studio {
  machines: NdiMachines
  router: RouterSetup
  /** ID of the matrix. It has a third source, which does not exist yet. */
  id: number
  /** Camera n is source n, and shows the number n. */
  cameras: TestSource[]
  receivers: [TestReceiver, TestReceiver]
  startCamera(n: number): Promise<TestSource>
  /** Waits until the receivers get these cameras. */
  receiving(first: number, second: number): Promise<void>
  stop(): Promise<void>
}

export async function startStudio(): Promise<Studio> {
  const machines = await startNdiMachines()
  const startCamera = (n: number) => startSource(machines, machines.src, `Cam ${n}`, { id: n })
  const router = await startRouter(machines)
  const cameras = [await startCamera(1), await startCamera(2)]
  const sources = [1, 2, 3].map((n) => ({ name: `SRC (Cam ${n})` }))
  const { id } = await router.add({ name: 'Studio', machine: 'Studio', sources, destinations: [{}, {}] })
  assert.equal(await router.take(id, { destination: 1, source: 1 }, { destination: 2, source: 2 }), 0)
  await router.states(id, 'routed', 'routed')
  const receivers: Studio['receivers'] = [
    startReceiver(machines, machines.src, 'HUB (Studio 1)'),
    startReceiver(machines, machines.hub, 'HUB (Studio 2)')
  ]
  const receiving = async (first: number, second: number) => {
    await Promise.all([receivers[0].receiving(first), receivers[1].receiving(second)])
  }
  await receiving(1, 2)
  return {
    ...{ machines, router, id, cameras, receivers, startCamera, receiving },
    async stop() {
      await router.stop()
      await machines.stop()
    }
  }
}
