// An engine on the machine `hub`. Its socket is in the file system, which all namespaces share, so this process is its
// client.
import { join } from 'node:path'
import { NDI, SRT } from '../../../contract/stream/protocols.ts'
import type { NdiOutput } from '../../../contract/stream/source.ts'
import { createEngineClient } from '../../../engine/client/create-engine-client.ts'
import { engineSocketPath } from '../../../engine/client/socket-path.ts'
import type { ObservedOutput, WantedInput, WantedOutput } from '../../../engine/interfaces/channel.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import { engineClientOptions } from '../engine/client-options.ts'
import { startEngineProcess } from '../hub/engine-process.ts'
import { until } from '../until.ts'
import type { NdiMachines } from './machines.ts'

export interface NdiEngine {
  client: EngineClient
  /** PID of the engine. */
  pid: number
  /** The observed output with this ID; undefined if the channel has none. */
  output(channel: number, id: number): ObservedOutput | undefined
  /** Waits until a leg of a channel has a connection state. @param output ID of an output; default: the input */
  waitForState(channel: number, connState: number, output?: number): Promise<void>
  stop(): Promise<void>
}

export async function startNdiEngine({ hub, folder }: NdiMachines): Promise<NdiEngine> {
  const data = join(folder, 'data')
  const engine = await startEngineProcess(data, hub.wrapper)
  const client = createEngineClient(engineClientOptions(engineSocketPath(data), [], { deviceState: () => 'offline' }))
  client.connect()
  await client.whenConnected()
  const leg = (channel: number, output?: number) => {
    const observed = client.observe(channel)
    return output === undefined ? observed.input : observed.outputs.get(output)
  }
  return {
    client,
    pid: engine.child.pid ?? 0,
    output: (channel, id) => client.observe(channel).outputs.get(id),
    waitForState: (channel, connState, output) =>
      until(
        () => leg(channel, output)?.connState === connState,
        () => `channel ${channel}, output ${output} has state ${connState}: ${JSON.stringify(leg(channel, output))}`
      ),
    async stop() {
      await client.close()
      await engine.kill()
    }
  }
}

/** An input from an NDI source. */
export const ndiInput = (name: string, address?: string): WantedInput => ({
  id: 100,
  name: 'In',
  kind: 'ndi',
  source: { name, ...(address !== undefined && { address }) }
})

/** An output as the NDI source `HUB (name)`. */
export const ndiOutput = (id: number, name: string, config: NdiOutput = {}): WantedOutput => ({
  id,
  name,
  protocol: NDI,
  config
})

/** An output that listens for SRT on the machine. */
export const srtOutput = (id: number, port: number): WantedOutput => ({
  id,
  name: `SRT ${port}`,
  protocol: SRT,
  config: { mode: 'listener', 'bind-port': port }
})
