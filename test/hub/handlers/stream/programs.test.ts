// Inputs with several programs, sent by ffmpeg and read by ffprobe.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { INVALID_ARG, SUCCESS } from '../../../../contract/codes.ts'
import { addChannel, addChannelOutputs, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { UDP } from '../../../../contract/stream/protocols.ts'
import { addInput, addOutput, type InputSource, listInputs, setInput } from '../../../../contract/stream/source.ts'
import { cleanUpMedia, clipPath, runProcess } from '../../../kit/engine/media.ts'
import { admin, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { freeUdpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('programs of an input')

test.before(() => {
  clipPath()
})
hubForEach(test)
test.after(cleanUpMedia)

/** Sends two programs in a loop: number 1 with H.264 and AAC, number 2 with MPEG-2. */
function sendPrograms(port: number): void {
  const file = `${clipPath()}.programs.ts`
  const encoder = spawnSync('ffmpeg', [
    ...['-v', 'error', '-i', clipPath(), '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-t', '4'],
    ...['-map', '0:v', '-map', '0:a', '-map', '1:v', '-c', 'copy', '-c:v:1', 'mpeg2video', '-g', '12'],
    ...['-program', 'title=one:st=0:st=1', '-program', 'title=two:st=2', '-f', 'mpegts', '-y', file]
  ])
  assert.equal(encoder.status, 0, String(encoder.stderr))
  const target = `udp://127.0.0.1:${port}?pkt_size=1316`
  const programs = ['-program', 'title=one:st=0:st=1', '-program', 'title=two:st=2']
  runProcess([
    ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', file, '-map', '0', '-c', 'copy'],
    ...[...programs, '-f', 'mpegts', target]
  ])
}

const inputOf = async (id: number): Promise<InputSource | undefined> =>
  (await admin.send(listInputs, { start: 0, count: 10 })).list.find((input) => input.id === id)

/** Reads the programs and codecs that arrive at a port for 4 s. */
async function probePort(port: number): Promise<string> {
  const probe = runProcess(
    [
      ...['-v', 'quiet', '-analyzeduration', '3000000', '-show_entries', 'program=program_num:stream=codec_name'],
      ...['-of', 'csv', `udp://127.0.0.1:${port}?timeout=10000000`]
    ],
    'ffprobe'
  )
  await probe.exited
  return probe.output()
}

test('the programs of an input are listed, and the output carries only the chosen one', async () => {
  const [from, to] = [await freeUdpPort(), await freeUdpPort()]
  const config = { type: 1 as const, url: `udp://127.0.0.1:${from}` }
  const { id: input } = await admin.send(addInput, { name: 'Mux', config })
  const { id: output } = await admin.send(addOutput, {
    ...{ name: 'Out', protocol: UDP, config: { 'dst-ip': '127.0.0.1', 'dst-port': to } }
  })
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id, input })
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  await admin.send(enableChannel, { id, enable: true })
  assert.equal((await inputOf(input))?.programs, undefined)
  sendPrograms(from)
  await until(async () => (await inputOf(input))?.programs?.[1]?.codecs.length === 1, 'the programs are known')
  assert.deepEqual((await inputOf(input))?.programs, [
    { number: 1, codecs: ['H.264', 'AAC'] },
    { number: 2, codecs: ['MPEG-2'] }
  ])
  const all = await probePort(to)
  assert.match(all, /h264/)
  assert.match(all, /mpeg2video/)
  assert.equal(
    (await admin.send(setInput, { id: input, name: 'Mux', config: { ...config, program: 2 } })).result,
    SUCCESS
  )
  assert.equal((await inputOf(input))?.config.program, 2)
  await until(async () => (await inputOf(input))?.programs?.length === 2, 'the programs are known again')
  const chosen = await probePort(to)
  assert.match(chosen, /mpeg2video/)
  assert.doesNotMatch(chosen, /h264|aac/)
  await admin.send(setInput, { id: input, name: 'Mux', config })
  assert.equal((await inputOf(input))?.config.program, undefined)
})

test('a program number is from 1 to 65535', async () => {
  const config = { type: 1 as const, url: `udp://127.0.0.1:${await freeUdpPort()}` }
  for (const program of [0, 65_536, 1.5])
    assert.equal((await admin.send(addInput, { name: 'Mux', config: { ...config, program } })).result, INVALID_ARG)
  assert.equal((await admin.send(addInput, { name: 'Mux', config: { ...config, program: 65_535 } })).result, SUCCESS)
})

test.run()
