// Measures the audio level of an input while clients read it. A separate ffmpeg decodes only the audio, which takes
// about 0.5 % of a CPU.

import type { Processes } from '../interfaces/leg-parts.ts'
import type { Stream } from '../interfaces/relay.ts'
import { DECODE_OPTIONS, SideDecoder, STDIN_OPTIONS } from '../process/side-decoder.ts'

/** Milliseconds for which measuring continues after the last read. */
const LINGER = 10_000
/** Milliseconds after which a measurement is outdated. */
const MAX_AGE = 2000
/** dBFS for digital silence, whose logarithm is infinite. */
const SILENCE = -120
/** Audio channels that are measured. */
const CHANNELS_MAX = 16
/** Characters of an incomplete line that are kept. */
const LINE_MAX = 1000

const ARGS = [
  ...DECODE_OPTIONS,
  ...STDIN_OPTIONS,
  ...['-map', '0:a:0'],
  // 24,000 samples: half a second at 48 kHz.
  '-af',
  'asetnsamples=24000,astats=metadata=1:reset=1:measure_perchannel=Peak_level:measure_overall=none,ametadata=print:file=-:direct=1',
  ...['-f', 'null', '-']
]

export interface AudioLevel {
  /** Peak of the last half second by audio channel, in dBFS. Starts measuring, or keeps it going. */
  read(now: number): number[] | undefined
  /** Call about twice a second. */
  tick(now: number): void
  stop(): void
}

export function createAudioLevel(stream: Pick<Stream, 'subscribe' | 'kbps'>, context: Processes): AudioLevel {
  let lastReadAt = Number.NEGATIVE_INFINITY
  let newest: { at: number; channels: number[] } | undefined
  let unsubscribe: (() => void) | undefined
  const decoder = new SideDecoder(
    {
      args: ARGS,
      kbps: () => stream.kbps(),
      createParser: () =>
        createLevelParser((channels) => {
          newest = { at: context.now(), channels }
        }),
      onEnd() {
        newest = undefined
      }
    },
    context
  )

  function stop(): void {
    unsubscribe?.()
    unsubscribe = undefined
    decoder.stop()
  }

  return {
    read(now) {
      lastReadAt = now
      unsubscribe ??= stream.subscribe(decoder.tap)
      return newest && now - newest.at < MAX_AGE
        ? newest.channels.map((level) => Math.round(level * 10) / 10)
        : undefined
    },
    tick(now) {
      if (unsubscribe && now - lastReadAt > LINGER) stop()
    },
    stop
  }
}

/**
 * Parses the output of the ametadata filter.
 * @param onLevels receives the levels of a block after each of its channels
 */
function createLevelParser(onLevels: (channels: number[]) => void): (chunk: Buffer) => boolean {
  let rest = ''
  let channels: number[] = []
  return (chunk) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = (lines.pop() ?? '').slice(-LINE_MAX)
    for (const line of lines) {
      if (line.startsWith('frame:')) channels = []
      const [, channel, level] = /^lavfi\.astats\.(\d+)\.Peak_level=(-?[\d.]+|-inf)$/.exec(line) ?? []
      if (!channel || !level || Number(channel) > CHANNELS_MAX) continue
      channels[Number(channel) - 1] = level === '-inf' ? SILENCE : Math.max(SILENCE, Number(level))
      onLevels(channels)
    }
    return true
  }
}
