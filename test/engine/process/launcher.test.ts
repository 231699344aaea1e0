import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { removeFoldersOfKilledEngines } from '../../kit/engine/killed-engine.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { childrenOf, commandLineOf, hasStarted, isRunning } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'

const test = suite('launcher')
test.after(removeFoldersOfKilledEngines)

/** Returns the arguments of an ffmpeg that waits for an SRT caller. */
const listenerArgs = async () => {
  const url = `srt://127.0.0.1:${await freeUdpPort()}?mode=listener`
  return ['-nostdin', '-v', 'error', '-f', 'data', '-i', url, '-map', '0', '-c', 'copy', '-f', 'data', 'pipe:1']
}

/** Whether a process has a handler for a signal. */
const handlesSignal = (pid: number, signal: number) => {
  const mask = /SigCgt:\s*([0-9a-f]+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return (BigInt(`0x${mask}`) & (1n << BigInt(signal - 1))) !== 0n
}

test('a stopped process ends without a call of onEnd', async () => {
  const launcher = createLauncher()
  let ended = false
  const process = launcher.run({
    args: await listenerArgs(),
    onEnd() {
      ended = true
    }
  })
  const pid = process.pid ?? 0
  await until(() => commandLineOf(pid).startsWith('/') && !commandLineOf(pid).includes('setpriv'), 'ffmpeg runs')
  process.stop()
  await launcher.waitForStops()
  assert.equal(isRunning(pid), false)
  assert.deepEqual([launcher.processCount(), ended], [0, false])
})

test('a process that ignores SIGTERM is killed after a second', async () => {
  const launcher = createLauncher()
  const process = launcher.run({ args: await listenerArgs(), onEnd() {} })
  const pid = process.pid ?? 0
  await until(() => handlesSignal(pid, 15), 'ffmpeg handles SIGTERM')
  globalThis.process.kill(pid, 'SIGSTOP')
  const startedAt = performance.now()
  await process.stop()
  assert.ok(performance.now() - startedAt > 900)
  assert.equal(isRunning(pid), false)
})

test('when a process ends by itself, onEnd gets the last lines of stderr', async () => {
  const launcher = createLauncher()
  const lines = await new Promise<readonly string[]>((resolve) => {
    launcher.run({ args: ['-nostdin', '-v', 'error', '-i', '/no/such/file', '-f', 'null', '-'], onEnd: resolve })
  })
  assert.match(lines.join('\n'), /No such file/)
  assert.equal(launcher.processCount(), 0)
})

test('a private file is not in the process list and leaves no file behind', async () => {
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
    privateFile: `passphrase=${key}\n`,
    pipeStdin: true,
    onProgress() {
      open = true
    },
    onEnd() {}
  })
  process.stdin?.write(Buffer.alloc(1316, 0x47))
  // Other tests create such files for a moment.
  const files = readdirSync(tmpdir()).filter((name) => /^headend-[0-9a-f]{32}$/.test(name))
  await until(() => !files.some((name) => existsSync(join(tmpdir(), name))), 'no private file is left')
  let refusedProcess: ChildProcess | undefined
  const callWith = (passphrase: string) =>
    spawn('ffmpeg', [
      ...['-v', 'quiet', '-nostdin', '-probesize', '32', '-passphrase', passphrase],
      ...['-f', 'data', '-i', `srt://127.0.0.1:${port}`, '-map', '0', '-c', 'copy', '-f', 'data', '-y', '/dev/null']
    ])
  // A refused passphrase shows that the private file was read.
  await until(() => {
    if (refusedProcess?.exitCode === null) return false
    if (refusedProcess?.exitCode === 1 && commandLineOf(process.pid ?? 0).includes('srt:')) return true
    refusedProcess = callWith('another-passphrase')
    return false
  }, 'it listens')
  assert.equal(open, false)
  const client = callWith(key)
  await until(() => open, 'the target is open')
  assert.doesNotMatch(commandLineOf(process.pid ?? 0), /the-passphrase/)
  client.kill('SIGKILL')
  await launcher.stopAll()
})

test('a missing program is reported with the command that installs it', () => {
  const launcher = createLauncher('/no/such/ffmpeg')
  assert.equal(launcher.listMissing()[0], 'no-ffmpeg apt-get install -y ffmpeg')
  assert.throws(() => launcher.run({ args: [], onEnd() {} }), /not installed/)
  assert.deepEqual(createLauncher().listMissing(), [])
})

for (const [cause, args] of [
  ['headend-srt', []],
  ['ffmpeg instead of headend-srt', ['/no/such/program']]
] as const)
  test(`no process is left when the process of the engine is killed: ${cause}`, async () => {
    const script = join(import.meta.dirname, '../listening-engine-process.ts')
    const ports = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()].map(String)
    const owner = spawn(process.execPath, [script, ...ports, ...args], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    let text = ''
    owner.stdout.on('data', (chunk) => {
      text += chunk
    })
    try {
      await until(() => text.includes('running'), 'the engine runs')
      const children = childrenOf(owner.pid ?? 0)
      assert.equal(children.length, 4)
      await until(() => children.every(hasStarted), 'the programs run')
      owner.kill('SIGKILL')
      await until(() => !children.some(isRunning), 'its processes have ended')
    } finally {
      owner.kill('SIGKILL')
      await until(() => (owner.exitCode ?? owner.signalCode) !== null, 'the engine ends')
    }
  })

test.run()
