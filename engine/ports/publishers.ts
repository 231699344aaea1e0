// Publishers at the shared ports, as inputs receive them.
import type { Socket } from 'node:net'
import { RTMP } from '../../contract/stream/protocols.ts'
import { buildInputCommand } from '../inputs/input-command.ts'
import type { Publisher } from '../interfaces/engine-context.ts'
import type { InputCommand } from '../interfaces/input-command.ts'
import type { Launch, Launcher, Process } from '../interfaces/launcher.ts'
import type { RtmpPort } from '../rtmp/rtmp-port.ts'
import type { SrtClient } from '../srt/srt-port.ts'
import { createSrtStatsNotifier } from '../srt/stats-notifier.ts'

const NO_COMMAND: InputCommand = { args: [], secrets: [], isListener: false, isConnectionless: false }

/**
 * A publisher whose bytes arrive at a socket.
 * @param disconnect called when the input stops
 */
export const createSrtPublisher = (client: SrtClient, socket: Socket, disconnect: () => void): Publisher => ({
  command: () => NO_COMMAND,
  run: (launch) => readSocket(client, socket, launch, disconnect)
})

/**
 * A publisher whose stream ffmpeg fetches from nginx.
 * @param stream name of the stream inside nginx
 * @param disconnect called when the input stops
 */
export const createRtmpPublisher = (
  stream: string,
  port: RtmpPort,
  launcher: Launcher,
  disconnect: () => void
): Publisher => ({
  command: () => fetchCommand(stream, port),
  run(launch) {
    const process = launcher.run(launch)
    return {
      pid: process.pid,
      stdin: process.stdin,
      stop() {
        disconnect()
        return process.stop()
      }
    }
  }
})

/** The internal address is valid for one connection, which is made immediately, because the process list shows it. */
function fetchCommand(stream: string, port: RtmpPort): InputCommand {
  const { url, name } = port.createInternalAddress(stream, true)
  const { hostname, port: number, pathname } = new URL(url)
  const path = `${pathname}/${name}`
  return buildInputCommand({ protocol: RTMP, scheme: 'rtmp', host: hostname, port: Number(number), path })
}

/** Reads a socket behind the interface of a process. */
function readSocket(client: SrtClient, socket: Socket, launch: Launch, disconnect: () => void): Process {
  const closed = Promise.withResolvers<void>()
  const notifyStats = createSrtStatsNotifier(client, launch.onSrtStats)
  let isStopping = false
  socket.on('data', (chunk) => {
    if (isStopping) return
    launch.onStdout?.(chunk)
    notifyStats()
  })
  const handleClose = () => {
    closed.resolve()
    if (!isStopping) launch.onEnd([])
  }
  if (socket.destroyed) queueMicrotask(handleClose)
  else socket.once('close', handleClose)
  return {
    pid: undefined,
    stdin: undefined,
    stop() {
      isStopping = true
      disconnect()
      socket.destroy()
      return closed.promise
    }
  }
}
