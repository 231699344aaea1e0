// Reads the measurements of the sound from the lines of ffmpeg's ametadata filter.

/** dBFS and LUFS of digital silence, whose logarithm is infinite. */
const SILENCE = -120
/** Blocks of half a second until the short-term loudness covers its 3 s. */
const LOUDNESS_BLOCKS = 6

/** Half a second of sound. */
export interface SoundSample {
  /** Highest peak of all audio channels, in dBFS. A lossy codec can exceed 0. */
  peak: number
  /** Short-term loudness of EBU R 128 in LUFS; undefined until there are 3 s of sound. */
  loudness?: number
  /** Mean phase of the left and right channel: 1 in phase, -1 inverted. */
  phase: number
}

/** Filters whose measurements `SoundMeter` reads, for each half second: 24,000 samples at 48 kHz. */
export const SOUND_FILTERS = [
  'aresample=48000',
  'ebur128=metadata=1',
  'asetnsamples=n=24000:p=0',
  'astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=Peak_level',
  'aphasemeter=video=0',
  // One block at a time, as soon as it is measured.
  'ametadata=print:file=pipe\\\\:2:direct=1'
].join(',')

export class SoundMeter {
  readonly #onSound: (sample: SoundSample) => void
  #blocks = 0
  #peak: number | undefined
  #loudness: number | undefined

  constructor(onSound: (sample: SoundSample) => void) {
    this.#onSound = onSound
  }

  /** Takes a line. Other lines than measurements are ignored. */
  push(line: string): void {
    const [, name, text] =
      /^lavfi\.(r128\.S|astats\.Overall\.Peak_level|aphasemeter\.phase)=(-?[\d.]+|-inf)$/.exec(line) ?? []
    if (!name || !text) return
    const value = text === '-inf' ? SILENCE : Math.max(SILENCE, Number(text))
    if (name === 'r128.S') this.#loudness = value
    else if (name === 'astats.Overall.Peak_level') this.#peak = value
    else this.#finishBlock(value)
  }

  /** The phase is the last measurement of a block. */
  #finishBlock(phase: number): void {
    const [peak, loudness] = [this.#peak, this.#loudness]
    this.#peak = undefined
    this.#loudness = undefined
    if (peak === undefined) return
    const isComplete = ++this.#blocks > LOUDNESS_BLOCKS && loudness !== undefined
    this.#onSound({ peak, phase, ...(isComplete && { loudness }) })
  }
}
