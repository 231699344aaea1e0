// A PostgreSQL server of the system for the tests of one file, in a temporary folder and on a Unix socket there.
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { until } from '../until.ts'

export interface PostgresServer {
  /** Address of the database that every server has, with a superuser. */
  address: string
  /** Creates an empty database. @returns its address, with a superuser */
  createDatabase(): Promise<string>
  /** Ends the server without letting it finish anything, as a crash does. */
  kill(): Promise<void>
  /** Starts a server again that was killed. */
  restart(): Promise<void>
  /**
   * Starts a standby, without which no commit is acknowledged from now on. `promote` lets it take the place of the
   * server, which was killed, under the same addresses.
   */
  startStandby(): Promise<{ promote(): Promise<void> }>
  close(): Promise<void>
}

interface PostgresOptions {
  /** Whether commits are written to the disk. Off, because most tests are not about that. */
  fsync?: boolean
  /** Others, by their names. */
  settings?: Readonly<Record<string, string>>
}

const OWNER = 'postgres'

/** Where Debian keeps the programs of PostgreSQL: the newest version that is installed. */
function findPrograms(): string {
  const found = globSync('/usr/lib/postgresql/*/bin/initdb').sort().at(-1)
  if (!found) throw new Error('PostgreSQL is not installed. Install it: apt-get install postgresql')
  return join(found, '..')
}

/** PostgreSQL refuses to run as root. */
const asOwner = process.getuid?.() === 0 ? ['setpriv', `--reuid=${OWNER}`, '--clear-groups'] : []

/** Gives a folder to the owner of the server, who has to be able to enter the temporary folders above it. */
function giveToOwner(folder: string): void {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, OWNER], { encoding: 'utf8' }))
  chownSync(folder, idOf('-u'), idOf('-g'))
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    const { mode } = statSync(above)
    if ((mode & 0o001) === 0) chmodSync(above, (mode & 0o7777) | 0o011)
  }
}

/** Runs a command as the user of the server. */
function runAsOwner(...words: string[]): void {
  const [command = '', ...args] = [...asOwner, ...words]
  execFileSync(command, args, { stdio: 'ignore' })
}

const BUILD = resolve(import.meta.dirname, '../../../build')

/**
 * The data folder of a new server. It is made once for each version of PostgreSQL and kept in build/, because making it
 * takes ten times as long as copying it.
 */
function findNewData(programs: string): string {
  const kept = join(BUILD, `postgres-${basename(dirname(programs))}`)
  if (existsSync(kept)) return kept
  mkdirSync(BUILD, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'initdb-'))
  const own = mkdtempSync(`${kept}-`)
  try {
    if (asOwner.length > 0) giveToOwner(folder)
    const options = ['-A', 'trust', '-U', OWNER, '--no-sync', '--no-instructions']
    runAsOwner(join(programs, 'initdb'), '-D', join(folder, 'data'), ...options)
    copyData(join(folder, 'data'), join(own, 'data'))
    renameSync(join(own, 'data'), kept)
  } catch (error) {
    // Another test has kept one meanwhile.
    if (!existsSync(kept)) throw error
  } finally {
    for (const path of [folder, own]) rmSync(path, { recursive: true, force: true })
  }
  return kept
}

/** Copies a data folder, with its owner. */
const copyData = (from: string, to: string) => execFileSync('cp', ['--archive', from, to])

/** A server on a data folder, whose socket is in the folder above it. */
interface RunningServer {
  kill(signal: NodeJS.Signals): Promise<void>
}

async function runServer(
  programs: string,
  folder: string,
  others: Readonly<Record<string, string>>
): Promise<RunningServer> {
  const settings = {
    ...{ listen_addresses: '', unix_socket_directories: folder, shared_buffers: '16MB' },
    // A standby notices soon that its server runs again.
    wal_retrieve_retry_interval: '100ms',
    ...others
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command = '', ...args] = [...asOwner, join(programs, 'postgres'), '-D', join(folder, 'data'), ...options]
  for (;;) {
    const server = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
    let log = ''
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-4000)
    })
    const isReady = () => /ready to accept (read-only )?connections/.test(log)
    await until(() => server.exitCode !== null || isReady(), 'PostgreSQL started')
    // Processes of a server that was killed may still hold its memory.
    if (server.exitCode !== null && /still in use|lock file/.test(log)) continue
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${log}`)
    return {
      async kill(signal) {
        server.kill(signal)
        await ended
      }
    }
  }
}

export async function startPostgres({
  fsync = false,
  settings: others
}: PostgresOptions = {}): Promise<PostgresServer> {
  const programs = findPrograms()
  // The path of a socket has at most 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'pg-'))
  // A link, so that a standby can take its place.
  const address = join(folder, 'current')
  const [first, second] = ['1', '2'].map((name) => join(folder, name)) as [string, string]
  for (const path of [first, second]) mkdirSync(path)
  if (asOwner.length > 0) for (const path of [folder, first, second]) giveToOwner(path)
  copyData(findNewData(programs), join(first, 'data'))
  symlinkSync(first, address)
  const run = (path: string) => runServer(programs, path, { fsync: fsync ? 'on' : 'off', ...others })
  let server = await run(first)
  let standby: RunningServer | undefined
  const connect = async (database: string) => {
    const client = new pg.Client({ host: address, user: OWNER, database })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const runSql = async (...statements: string[]) => {
    const client = await connect(OWNER)
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  const addressOf = (database: string) => `postgres://${OWNER}@/${database}?host=${encodeURIComponent(address)}`
  let databases = 0
  return {
    address: addressOf(OWNER),
    async createDatabase() {
      const name = `test${++databases}`
      await runSql(`create database ${name}`)
      return addressOf(name)
    },
    kill: () => server.kill('SIGKILL'),
    async restart() {
      server = await run(first)
    },
    async startStandby() {
      const data = join(second, 'data')
      runAsOwner(join(programs, 'pg_basebackup'), '-h', address, '-U', OWNER, '-D', data, '-R', '-c', 'fast')
      const started = await run(second)
      standby = started
      await runSql("alter system set synchronous_standby_names = 'ANY 1 (*)'", 'select pg_reload_conf()')
      return {
        async promote() {
          runAsOwner(join(programs, 'pg_ctl'), 'promote', '-w', '-D', data)
          symlinkSync(second, `${address}-next`)
          renameSync(`${address}-next`, address)
          // Nobody follows it: its commits wait for no standby.
          await runSql('alter system reset synchronous_standby_names', 'select pg_reload_conf()')
          server = started
          standby = undefined
        }
      }
    },
    async close() {
      await standby?.kill('SIGINT')
      await server.kill('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
