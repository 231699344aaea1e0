// Two machines, `hub` and `src`, joined by a cable. Each has network, mount and UTS namespaces of its own with D-Bus
// and avahi, without which the NDI runtime announces and finds no sources. Nothing leaves the namespaces, and several
// test files can run at once. The machines end with `stop`, or with the process of the test.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, getPriority, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { until } from '../until.ts'
import { NDI_RUNTIME_FOLDER } from './runtime.ts'

const execute = promisify(execFile)
export interface NdiMachine {
  /** Its NDI sources are named `HOST (name)` in capitals. */
  host: 'hub' | 'src'
  address: string
  /**
   * A command that runs the command in its further arguments on this machine, where the NDI runtime is installed for
   * `headend-ndi`. It becomes that command without a fork, so that a signal to its process reaches the command.
   */
  wrapper: readonly string[]
  /** Runs a command on this machine. @returns its stdout. @throws Error if it fails */
  run(program: string, ...args: string[]): Promise<string>
}

export interface NdiMachines {
  hub: NdiMachine
  src: NdiMachine
  /** An empty folder that is removed at the end. */
  folder: string
  /** Pulls the cable between the machines: both lose the carrier, and connections stay half open. */
  pullCable(): Promise<void>
  plugCable(): Promise<void>
  /** Ends all processes of both machines. */
  stop(): Promise<void>
}

/**
 * Everything on the machines runs before other processes, where that is allowed: a test that measures milliseconds must
 * not measure the load of the computer, on which other tests may run.
 */
const REAL_TIME = spawnSync('chrt', ['--rr', '1', 'true']).status === 0 ? ['chrt', '--rr', '1'] : []

interface RunningMachine extends NdiMachine {
  child: ChildProcess
}

/** @param family of the addresses; with `IPv6` the machines have no IPv4 address, not even the loopback one */
export async function startNdiMachines(family: 'IPv4' | 'IPv6' = 'IPv4'): Promise<NdiMachines> {
  // The test measures, too. Later files in this process must not run before those of other workers.
  const priority = getPriority()
  if (REAL_TIME.length > 0) setPriority(constants.priority.PRIORITY_HIGHEST)
  const folder = mkdtempSync(join(tmpdir(), 'headend-machines-'))
  const started: RunningMachine[] = []
  const stop = async () => {
    setPriority(priority)
    await Promise.all(started.map(({ child }) => endMachine(child)))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const network = family === 'IPv4' ? '203.0.113.' : '2001:db8:7::'
    const hub = await createMachine(folder, 'hub', `${network}1`, started)
    const src = await createMachine(folder, 'src', `${network}2`, started)
    await hub.run('ip', 'link', 'add', 'v0', 'type', 'veth', 'peer', 'name', 'v0', 'netns', String(src.child.pid))
    await Promise.all(started.map((machine) => nextStep(machine.child, 'up')))
    return {
      hub,
      src,
      folder,
      pullCable: async () => void (await src.run('ip', 'link', 'set', 'v0', 'down')),
      async plugCable() {
        await src.run('ip', 'link', 'set', 'v0', 'up')
        // The kernel removes the routes of an interface that is down.
        await src.run('ip', 'route', 'replace', 'default', 'dev', 'v0')
      },
      stop
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function createMachine(
  folder: string,
  host: NdiMachine['host'],
  address: string,
  started: RunningMachine[]
): Promise<RunningMachine> {
  const script = join(import.meta.dirname, 'machine.sh')
  const child = spawn('unshare', ['--net', '--mount', '--uts', script, folder, host, address], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const namespaces = ['nsenter', `--target=${child.pid}`, '--net', '--mount', '--uts', `--wdns=${process.cwd()}`]
  // There the runtime locks the names of its sources and its ports, which would be in use if another pair of machines
  // ran.
  const temporary = join(folder, `${host}-tmp`)
  mkdirSync(temporary)
  const wrapper = [
    ...namespaces,
    ...REAL_TIME,
    'env',
    `NDI_RUNTIME_DIR_V5=${NDI_RUNTIME_FOLDER}`,
    `TMPDIR=${temporary}`
  ]
  const machine: RunningMachine = {
    child,
    host,
    address,
    wrapper,
    async run(...command) {
      const [program = '', ...args] = [...wrapper, ...command]
      return (await execute(program, args)).stdout
    }
  }
  started.push(machine)
  await nextStep(child, 'ready')
  return machine
}

/** Lets a machine continue, and waits for the line that it writes after the next step. */
async function nextStep(child: ChildProcess, step: string): Promise<void> {
  if (step !== 'ready') child.stdin?.write('\n')
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  let line: string | undefined
  lines.once('line', (text) => {
    line = text
  })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  await until(() => line !== undefined || hasEnded(), `an NDI machine is ${step}`)
  lines.close()
  if (line !== step) throw new Error(`An NDI machine did not start: '${line}' instead of '${step}'`)
}

async function endMachine(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.stdin?.end()
  await exit
}
