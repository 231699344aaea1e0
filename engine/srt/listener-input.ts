// An input that somebody sends to over SRT, at a port of its own. Its passphrase is in no list of processes.
import { LATENCY_DEFAULT } from '../../contract/limits.ts'
import type { KeyLength } from '../../contract/stream/protocols.ts'
import type { SourceUrl } from '../../contract/stream/source-url.ts'
import type { Surroundings } from '../interfaces/engine-context.ts'
import type { Failure } from '../process/failure.ts'
import type { Launch, Process } from '../process/launcher.ts'
import { addressOf, failedPort, keyOf, nameOf } from './dedicated-port.ts'
import { createSrtPort } from './srt-port.ts'
import { figuresTeller } from './srt-stats.ts'

/**
 * Listens for one sender, as a process would: it ends when the sender has left.
 * @param failed is told why the port cannot be opened, before the end
 */
export function listenOverSrt(
  { srt, host, port: at }: SourceUrl,
  program: string,
  { launcher, now, guesses }: Pick<Surroundings, 'launcher' | 'now' | 'guesses'>,
  launch: Launch,
  failed: (why: Failure) => void
): Process {
  const { latency = LATENCY_DEFAULT, streamId = '', passphrase = '' } = srt ?? {}
  const keyLength: KeyLength = passphrase ? (srt?.keyLength ?? 0) : 0
  let over = false
  let sender: number | undefined
  const port = createSrtPort({
    ...{ launcher, now, guesses, program, host: addressOf(host), port: at, keyLength, latency },
    enter(client, socket) {
      sender ??= client.id
      const tell = figuresTeller(client, launch.figures)
      socket.on('data', (data) => {
        if (over) return
        launch.gives?.(data)
        tell()
      })
    },
    leave({ id }) {
      if (id === sender) end()
    },
    refused({ why }) {
      if (why === 'passphrase' && !over) launch.line?.('BADSECRET')
    },
    changed() {
      const why = failedPort(port)
      if (!why || over) return
      failed(why)
      end()
    }
  })
  const key = { sends: true, name: nameOf(streamId), passphrase, keyLength, latency, max: 1, from: [] }
  port.set([keyOf(key)])

  function end(): void {
    if (over) return
    over = true
    // Closed by whoever is told, and by then there is somebody.
    queueMicrotask(() => launch.ended([]))
  }

  return {
    pid: undefined,
    input: undefined,
    stop() {
      over = true
      return port.close()
    }
  }
}
