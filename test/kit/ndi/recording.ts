// A recording of a stream with the test pattern, and its figures. ffmpeg decodes it, so it measures without the NDI
// runtime.
import { spawnSync } from 'node:child_process'
import type { NdiMachine } from './machines.ts'

/** Cells of a row, and rows, of the pattern (programs/pattern.h). */
const CELLS = 16
const ROWS = 9
const FLASH_CELL = 14
const THRESHOLD = 120
/** Bytes that ffmpeg may write: 30 seconds of 640 x 360. */
const OUTPUT_MAX = 400 << 20

export interface RecordingFigures {
  frames: number
  lost: number
  repeated: number
  /** How much the beeps come after the flashes, in milliseconds. */
  sync: number[]
  /** Median of the time between two frames, in milliseconds. */
  interval: number
  /** Luma of the bars, in the middle of the recording. */
  luma: number[]
}

/** Records a stream on a machine without decoding it. */
export async function recordStream(machine: NdiMachine, url: string, path: string, seconds: number): Promise<void> {
  const input = ['-probesize', '200000', '-analyzeduration', '1000000', '-i', url]
  await machine.run('ffmpeg', '-v', 'error', '-nostdin', '-y', ...input, '-t', String(seconds), '-c', 'copy', path)
}

/** Measures a recording of the pattern with this size. */
export function measureRecording(path: string, width = 640, height = 360): RecordingFigures {
  const pictures = decode([
    ...['-i', path, '-map', '0:v:0', '-fps_mode', 'passthrough', '-vf', 'extractplanes=y'],
    '-f',
    'rawvideo'
  ])
  const times = frameTimes(path)
  const size = width * height
  const lumaAt = (frame: number, cell: number, row: number) => {
    const [x, y] = [((2 * cell + 1) * width) / (2 * CELLS), ((2 * row + 1) * height) / (2 * ROWS)]
    return pictures[frame * size + Math.floor(y) * width + Math.floor(x)] ?? 0
  }
  const frames = Math.min(Math.floor(pictures.length / size), times.length)
  const figures: RecordingFigures = {
    frames,
    lost: 0,
    repeated: 0,
    sync: [],
    interval: 0,
    luma: []
  }
  const beeps = beepTimes(path)
  const gaps: number[] = []
  let last: number | undefined
  for (let frame = 0; frame < frames; frame++) {
    const time = times[frame] ?? 0
    let counter = 0
    for (let cell = 0; cell < CELLS; cell++) counter = counter * 2 + (lumaAt(frame, cell, 0) > THRESHOLD ? 1 : 0)
    if (last === counter) figures.repeated++
    else if (last !== undefined) figures.lost += (counter - last - 1) & 0xffff
    last = counter
    if (frame > 0) gaps.push((time - (times[frame - 1] ?? 0)) * 1000)
    if (lumaAt(frame, FLASH_CELL, 1) <= THRESHOLD) continue
    const beep = beeps.find((each) => Math.abs(each - time) < 0.4)
    if (beep !== undefined) figures.sync.push((beep - time) * 1000)
  }
  figures.interval = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0
  figures.luma = Array.from({ length: 8 }, (_, bar) => lumaAt(Math.floor(frames / 2), bar * 2, 6))
  return figures
}

function decode(args: readonly string[]): Buffer {
  const { stdout, stderr, status } = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', ...args, 'pipe:1'], {
    maxBuffer: OUTPUT_MAX
  })
  if (status !== 0) throw new Error(`ffmpeg cannot decode the recording: ${stderr}`)
  return stdout
}

/** Presentation times of the frames in seconds. */
function frameTimes(path: string): number[] {
  const entries = ['-select_streams', 'v:0', '-show_entries', 'frame=best_effort_timestamp_time', '-of', 'csv=p=0']
  const { stdout } = spawnSync('ffprobe', ['-v', 'error', ...entries, path], {
    encoding: 'utf8',
    maxBuffer: OUTPUT_MAX
  })
  return stdout.split('\n').flatMap((line) => (line ? [Number.parseFloat(line)] : []))
}

/** Times in seconds at which a beep begins after silence. */
function beepTimes(path: string): number[] {
  const filter = ['-map', '0:a:0', '-af', 'silencedetect=n=-20dB:d=0.2', '-copyts', '-f', 'null', '-']
  const { stderr } = spawnSync('ffmpeg', ['-v', 'info', '-nostdin', '-i', path, ...filter], { encoding: 'utf8' })
  return [...stderr.matchAll(/silence_end: ([\d.]+)/g)].map(([, time]) => Number(time))
}
