// A hub and an engine on the machine `hub` that route sources of the machine `src`.
import { join } from 'node:path'
import type { Call, Envelope } from '../../../contract/call.ts'
import {
  addMatrix,
  listMatrices,
  type Matrix,
  type MatrixFields,
  type Take,
  takeRoutes
} from '../../../contract/ndi/router.ts'
import { type EngineProcess, startEngineProcess } from '../hub/engine-process.ts'
import { commandLineOf, descendantsOf, isRunning } from '../system-processes.ts'
import { until } from '../until.ts'
import { type NdiHub, startNdiHub } from './hub.ts'
import type { NdiMachines } from './machines.ts'

/** Seconds of CLOCK_MONOTONIC, which receivers measure by. */
export const monotonicSeconds = () => Number(process.hrtime.bigint()) / 1e9

export interface RouterSetup {
  engine: EngineProcess
  send<Request, Reply>(call: Call<Request, Reply>, request: Request): Promise<Reply & Envelope>
  /** Adds a matrix and waits until its destinations are announced. */
  add(fields: MatrixFields): Promise<Matrix>
  matrix(id: number): Promise<Matrix>
  /** Waits until the destinations have these states. */
  states(id: number, ...expected: string[]): Promise<void>
  take(id: number, ...takes: Take[]): Promise<number>
  /** Process ID of a router process; undefined while there is none. */
  routerProcess(): number | undefined
  killHub(): Promise<void>
  startHub(): Promise<void>
  killEngine(): Promise<void>
  startEngine(): Promise<void>
  stop(): Promise<void>
}

export async function startRouter(machines: NdiMachines): Promise<RouterSetup> {
  const data = join(machines.folder, 'data')
  const startEngine = () => startEngineProcess(data, machines.hub.wrapper)
  let engine = await startEngine()
  let hub: NdiHub = await startNdiHub(machines, machines.hub, data, 'hub/main.ts')
  const send: RouterSetup['send'] = (call, request) => hub.hub.send(call, request)
  const matrix = async (id: number) => (await send(listMatrices, {})).list.find((each) => each.id === id) as Matrix
  return {
    get engine() {
      return engine
    },
    send,
    matrix,
    async add(fields) {
      const { id } = await send(addMatrix, fields)
      await until(
        async () => (await matrix(id)).destinations.every(({ state }) => state === 'none'),
        'the destinations are announced'
      )
      return matrix(id)
    },
    async states(id, ...expected) {
      await until(async () => {
        const { destinations } = await matrix(id)
        return destinations.map(({ state }) => state).join() === expected.join()
      }, `the destinations are ${expected}`)
    },
    take: async (id, ...takes) => (await send(takeRoutes, { id, takes })).result,
    routerProcess: () =>
      descendantsOf(engine.child.pid as number).find(
        (pid) => isRunning(pid) && commandLineOf(pid).includes('headend-ndi\0route\0')
      ),
    killHub: () => hub.kill(),
    async startHub() {
      hub = await startNdiHub(machines, machines.hub, data, 'hub/main.ts')
    },
    killEngine: () => engine.kill(),
    async startEngine() {
      engine = await startEngine()
    },
    async stop() {
      await hub.kill()
      await engine.kill()
    }
  }
}
