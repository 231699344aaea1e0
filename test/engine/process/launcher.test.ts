import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { freeUdpPort } from '../../kit/free-port.ts'
import { childrenOf, commandOf, isRunning } from '../../kit/system-processes.ts'
import { until } from '../media.ts'

const test = suite('launcher')

/** Waits for a caller that never comes. */
const listening = async () => {
  const url = `srt://127.0.0.1:${await freeUdpPort()}?mode=listener`
  return ['-nostdin', '-v', 'error', '-f', 'data', '-i', url, '-map', '0', '-c', 'copy', '-f', 'data', 'pipe:1']
}

const catches = (pid: number, signal: number) => {
  const mask = /SigCgt:\s*([0-9a-f]+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return (BigInt(`0x${mask}`) & (1n << BigInt(signal - 1))) !== 0n
}

test('a process that is told to stop ends and says nothing more', async () => {
  const launcher = createLauncher()
  let ended = false
  const process = launcher.run({
    args: await listening(),
    ended() {
      ended = true
    }
  })
  const pid = process.pid ?? 0
  await until('ffmpeg to run', () => commandOf(pid).startsWith('/') && !commandOf(pid).includes('setpriv'))
  process.stop()
  await launcher.quiet()
  assert.equal(isRunning(pid), false)
  assert.deepEqual([launcher.count(), ended], [0, false])
})

test('one that does not listen is killed after a second', async () => {
  const launcher = createLauncher()
  const process = launcher.run({ args: await listening(), ended() {} })
  const pid = process.pid ?? 0
  await until('ffmpeg to catch SIGTERM', () => catches(pid, 15))
  globalThis.process.kill(pid, 'SIGSTOP')
  const began = performance.now()
  await process.stop()
  const took = performance.now() - began
  assert.ok(took > 900 && took < 3000, `${took} ms`)
  assert.equal(isRunning(pid), false)
})

test('an end by itself hands on the last words', async () => {
  const launcher = createLauncher()
  const lines = await new Promise<readonly string[]>((resolve) => {
    launcher.run({ args: ['-nostdin', '-v', 'error', '-i', '/no/such/file', '-f', 'null', '-'], ended: resolve })
  })
  assert.match(lines.join('\n'), /No such file/)
  assert.equal(launcher.count(), 0)
})

test('a preset is in no process list and leaves no file', async () => {
  const launcher = createLauncher()
  const [port, key] = [await freeUdpPort(), 'the-passphrase']
  let open = false
  const args = ['-nostdin', '-v', 'warning', '-progress', 'pipe:3', '-probesize', '32', '-f', 'data', '-i', 'pipe:0']
  const target = [
    '-map',
    '0',
    '-c',
    'copy',
    '-fpre',
    '/dev/fd/4',
    '-f',
    'data',
    `srt://127.0.0.1:${port}?mode=listener`
  ]
  const process = launcher.run({
    args: [...args, ...target],
    preset: `passphrase=${key}\n`,
    takes: true,
    progress() {
      open = true
    },
    ended() {}
  })
  process.input?.write(Buffer.alloc(1316, 0x47))
  assert.deepEqual(
    readdirSync(tmpdir()).filter((name) => /^headend-[0-9a-f]{32}$/.test(name)),
    []
  )
  let refused: ChildProcess | undefined
  const call = (passphrase: string) =>
    spawn('ffmpeg', [
      ...['-v', 'quiet', '-nostdin', '-probesize', '32', '-passphrase', passphrase],
      ...['-f', 'data', '-i', `srt://127.0.0.1:${port}`, '-map', '0', '-c', 'copy', '-f', 'data', '-y', '/dev/null']
    ])
  // That it asks for the passphrase shows that the preset was read.
  await until('it to listen', () => {
    if (refused?.exitCode === null) return false
    if (refused?.exitCode === 1 && commandOf(process.pid ?? 0).includes('srt:')) return true
    refused = call('another-passphrase')
    return false
  })
  assert.equal(open, false)
  const client = call(key)
  await until('it to open', () => open)
  assert.doesNotMatch(commandOf(process.pid ?? 0), /the-passphrase/)
  client.kill('SIGKILL')
  await launcher.stopAll()
})

test('a program that is not there is named with the command that installs it', () => {
  const launcher = createLauncher('/no/such/ffmpeg')
  assert.match(launcher.missing()[0] ?? '', /ffmpeg is missing.*apt-get install/)
  assert.throws(() => launcher.run({ args: [], ended() {} }), /not installed/)
  assert.deepEqual(createLauncher().missing(), [])
})

for (const [what, words] of [
  ['our program for SRT', []],
  ['ffmpeg in its place', ['/no/such/program']]
] as const)
  test(`nothing is left when the process that runs the engine is killed, with ${what}`, async () => {
    const owner = spawn(process.execPath, [join(import.meta.dirname, '../engine-process.ts'), ...words], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    let text = ''
    owner.stdout.on('data', (chunk) => {
      text += chunk
    })
    try {
      await until('the engine to run', () => text.includes('running'))
      const children = childrenOf(owner.pid ?? 0)
      assert.equal(children.length, 3)
      // Until then it is setpriv, which becomes the program.
      const runs = (pid: number) => /^[^\0]*(ffmpeg|headend-srt)\0/.test(commandOf(pid))
      await until('the programs to run', () => children.every(runs))
      owner.kill('SIGKILL')
      await until('its processes to end', () => !children.some(isRunning), 3000)
    } finally {
      owner.kill('SIGKILL')
    }
  })

test.run()
