// Players and receivers of the demo channels: ffmpeg processes that read the streams and drop them. They start with the
// fleet, from a list that the demo set-up writes.
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from './device-storage.ts'
import { findProgram, spawnWithDeathSignal } from './process/child-process.ts'

export type DemoPeer =
  /** Plays an output of a channel. */
  | { kind: 'player'; url: string }
  /** Waits for an encrypted SRT stream at a port of this machine. */
  | { kind: 'receiver'; port: number; passphrase: string }

/** Milliseconds until an ended peer starts again. A channel may be stopped for hours, so the pause grows. */
const RETRY = { first: 1000, last: 15_000 }
/** Milliseconds after which a peer counts as started, so that its next pause is short again. */
const STABLE_AFTER = 20_000

/** SRT options as ffmpeg names them: connect timeout in milliseconds, and the timeout without data in microseconds. */
const SRT_OPTIONS = 'connect_timeout=2000&timeout=10000000'

function urlOf(peer: DemoPeer): string {
  if (peer.kind === 'receiver') return `srt://127.0.0.1:${peer.port}?mode=listener&passphrase=${peer.passphrase}`
  return peer.url.startsWith('srt:') ? `${peer.url}?mode=caller&${SRT_OPTIONS}` : peer.url
}

const fileIn = (folder: string) => join(folder, 'demo-peers.json')

/** Stores the peers of a fleet. */
export const storeDemoPeers = (folder: string, peers: readonly DemoPeer[]): void =>
  writeFileAtomically(fileIn(folder), JSON.stringify(peers))

/** The stored peers of a fleet; none before the demo set-up. */
function readDemoPeers(folder: string): DemoPeer[] {
  const file = fileIn(folder)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoPeer[]) : []
}

interface RunningPeers {
  stop(): void
}

/** Starts the stored peers and keeps them running. Without ffmpeg there are none. */
export function startDemoPeers(folder: string): RunningPeers {
  const children = new Set<ChildProcess>()
  const timers = new Set<NodeJS.Timeout>()
  let isStopped = false

  function start(peer: DemoPeer, pause: number = RETRY.first): void {
    const args = ['-hide_banner', '-nostdin', '-v', 'quiet', '-i', urlOf(peer), '-map', '0', '-c', 'copy', '-f', 'null']
    const startedAt = Date.now()
    const child = spawnWithDeathSignal('ffmpeg', [...args, '-'], { stdio: 'ignore' })
    children.add(child)
    let hasEnded = false
    const onEnd = () => {
      if (hasEnded || isStopped) return
      hasEnded = true
      children.delete(child)
      const wasStable = Date.now() - startedAt > STABLE_AFTER
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          start(peer, wasStable ? RETRY.first : Math.min(pause * 2, RETRY.last))
        },
        wasStable ? RETRY.first : pause
      )
      timers.add(timer)
    }
    child.on('error', onEnd)
    child.on('exit', onEnd)
  }

  if (findProgram('ffmpeg')) for (const peer of readDemoPeers(folder)) start(peer)
  return {
    stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
      for (const child of children) child.kill('SIGKILL')
    }
  }
}
