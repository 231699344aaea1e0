// How loud an input is, for as long as somebody looks: an ffmpeg of its own decodes the sound and nothing else, which costs about half a
// percent of a processor. A stream without sound has no level.

import type { Surroundings } from '../interfaces/engine-context.ts'
import type { Tap } from '../interfaces/tap.ts'
import { createDecoding, LOOKS, READS } from '../process/side-decoder.ts'

/** Milliseconds for which it goes on when nobody asks any more. */
const LINGER = 10_000
/** Milliseconds after which a level says nothing of now. */
const OLD = 2000
/** dBFS: quieter is silence, which has no logarithm. */
const SILENCE = -120
/** Channels of sound; what is beyond is not measured. */
const CHANNELS = 16
/** Characters of a line. */
const LINE_MAX = 1000

const ARGS = [
  ...[...LOOKS, ...READS, '-map', '0:a:0'],
  // Half a second at 48 kHz.
  '-af',
  'asetnsamples=24000,astats=metadata=1:reset=1:measure_perchannel=Peak_level:measure_overall=none,ametadata=print:file=-:direct=1',
  ...['-f', 'null', '-']
]

export interface Level {
  /** In dBFS, of each channel the loudest moment of the last half second. Asking for it keeps it measured. */
  read(now: number): number[] | undefined
  /** Call about twice a second. */
  tick(now: number): void
  stop(): void
}

/** @param taps those who take the stream */
export function createLevel(taps: Set<Tap>, kbps: () => number, around: Pick<Surroundings, 'launcher' | 'now'>): Level {
  let asked = Number.NEGATIVE_INFINITY
  let newest: { at: number; channels: number[] } | undefined
  const { tap, end } = createDecoding(
    {
      args: ARGS,
      kbps,
      begin() {
        let rest = ''
        let coming: number[] = []
        return (chunk) => {
          const lines = (rest + chunk.toString()).split('\n')
          rest = (lines.pop() ?? '').slice(-LINE_MAX)
          for (const line of lines) {
            if (line.startsWith('frame:')) coming = []
            const [, channel, level] = /^lavfi\.astats\.(\d+)\.Peak_level=(-?[\d.]+|-inf)$/.exec(line) ?? []
            if (!channel || !level || Number(channel) > CHANNELS) continue
            coming[Number(channel) - 1] = level === '-inf' ? SILENCE : Math.max(SILENCE, Number(level))
            newest = { at: around.now(), channels: coming }
          }
          return true
        }
      },
      over() {
        newest = undefined
      }
    },
    around
  )

  function stop(): void {
    taps.delete(tap)
    end()
  }

  return {
    read(at) {
      asked = at
      taps.add(tap)
      return newest && at - newest.at < OLD ? newest.channels.map((level) => Math.round(level * 10) / 10) : undefined
    },
    tick(at) {
      if (taps.has(tap) && at - asked > LINGER) stop()
    },
    stop
  }
}
