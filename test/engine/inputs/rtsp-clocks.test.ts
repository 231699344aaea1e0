// An RTSP source whose sender reports say how its timestamps belong to wall-clock time.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { buildInputCommand } from '../../../engine/inputs/input-command.ts'
import { type SenderReport, startRtspSource } from '../../kit/engine/rtsp-source.ts'
import { parseUrl } from '../../kit/engine/wanted-channels.ts'

const test = suite('clocks of an RTSP source')

/** Seconds of the stream, and when the second reports come. */
const LENGTH = 5
const SECOND_REPORT = 3

/** Receives a source as an input does. @returns for each track, the steps between its timestamps in milliseconds */
async function receiveSteps(reports: readonly SenderReport[]): Promise<number[][]> {
  const source = await startRtspSource(LENGTH, reports)
  const { args, hiddenArgs = [] } = buildInputCommand(parseUrl(`${source.url}?mw-tcp-first=1`))
  assert.equal(hiddenArgs.length, 1)
  const receiver = spawn('ffmpeg', args)
  const chunks: Buffer[] = []
  receiver.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  receiver.stderr.resume()
  await new Promise((resolve) => receiver.on('close', resolve))
  source.close()
  const probe = ['-v', 'error', '-show_entries', 'packet=stream_index,pts', '-of', 'csv=p=0', 'pipe:0']
  const { stdout } = spawnSync('ffprobe', probe, { input: Buffer.concat(chunks), encoding: 'utf8' })
  const packets = [...stdout.matchAll(/^(\d),(\d+)/gm)]
  return [0, 1].map((track) => {
    const times = packets.filter(([, of]) => Number(of) === track).map(([, , time]) => Number(time))
    return times.slice(1).map((time, index) => Math.round((time - (times[index] ?? 0)) / 90))
  })
}

const jumps = (steps: readonly number[]) => steps.filter((step) => step !== 24)

test('reports that agree with the timestamps change nothing', async () => {
  const tracks = await receiveSteps([
    { at: 0, error: 0 },
    { at: SECOND_REPORT, error: 0 }
  ])
  assert.deepEqual(tracks.map(jumps), [[], []])
  assert.ok(tracks.every(({ length }) => length > 200))
})

test('a source that corrects its clock in a later report jumps by that', async () => {
  const tracks = await receiveSteps([
    { at: 0, error: -0.5 },
    { at: SECOND_REPORT, error: 0 }
  ])
  assert.deepEqual(tracks.map(jumps), [[524], [524]])
})

test.run()
