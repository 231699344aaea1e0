// What a decoder plays: fetches an SRT stream, as a caller, and counts its bytes. Any other URL is selected without
// being played.

import type { Machine } from '../machine.ts'
import { createPlayer } from '../streams/player.ts'

export interface SourcePlayer {
  /** Plays the source at a URL; undefined: nothing. */
  select(url: string | undefined): void
  /** Whether data arrives. */
  isPlaying(): boolean
  /** URL of the source without secrets. */
  url(): string
}

export function createSourcePlayer(machine: Machine): SourcePlayer {
  let selected: URL | undefined
  const player = createPlayer({
    onPlaying: (isPlaying) => machine.setPlaying(isPlaying ? player.sourceUrl() : undefined),
    onReceived: machine.countReceivedBytes
  })
  return {
    select(url) {
      player.stop()
      selected = url !== undefined && URL.canParse(url) ? new URL(url) : undefined
      if (selected?.protocol !== 'srt:' || selected.searchParams.get('mode') === 'listener') return
      const { hostname, port, searchParams: query } = selected
      player.start(hostname.replace(/^\[|\]$/g, ''), {
        port: Number(port),
        'stream-id': query.get('streamid') ?? '',
        passphrase: query.get('passphrase') ?? '',
        latency: Number(query.get('latency') ?? 120)
      })
    },
    isPlaying: player.isRunning,
    url: () => (selected ? `${selected.protocol}//${selected.host}` : '')
  }
}
