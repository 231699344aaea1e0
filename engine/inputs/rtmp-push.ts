// Receives the stream of a device that pushes to the shared RTMP port.
import type { EngineContext, Publisher, RtmpPush } from '../interfaces/engine-context.ts'
import type { Launch, Process } from '../interfaces/launcher.ts'
import type { Relay } from '../interfaces/relay.ts'

export class RtmpPushReceiver {
  readonly #context: EngineContext
  #push: RtmpPush | undefined

  constructor(context: EngineContext) {
    this.#context = context
  }

  /** Waits for the device with a new stream key, and forwards its stream to the relay until it ends. */
  run(launch: Launch, relay: Relay): Process {
    let process: Promise<Process> | undefined
    let isStopped = false
    const receive = async (publisher: Publisher): Promise<Process> => {
      const { args, hiddenArgs, allowedHosts } = publisher.command()
      return publisher.run(
        { ...launch, args, ...(hiddenArgs && { hiddenArgs }), ...(allowedHosts && { allowedHosts }) },
        relay
      )
    }
    this.close()
    const push = this.#context.openRtmpPush((publisher) => {
      if (process || isStopped) return
      process = receive(publisher)
      process.catch((error: Error) => isStopped || launch.onEnd([error.message]))
    })
    this.#push = push
    return {
      pid: undefined,
      stdin: undefined,
      async stop() {
        isStopped = true
        const running = await process?.catch(() => undefined)
        await running?.stop()
        push.close()
      }
    }
  }

  /** The port and the stream key for the order. Rejects if the port cannot be opened. */
  async target(): Promise<{ port: number; key: string }> {
    const push = this.#push
    if (!push) throw new Error('The device is not expected')
    return { port: await push.port(), key: push.key }
  }

  /** Refuses the device from now on. */
  close(): void {
    this.#push?.close()
    this.#push = undefined
  }
}
