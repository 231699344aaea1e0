// A PostgreSQL server of the system for the tests of one file, in a temporary folder and on a Unix socket there.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { until } from '../until.ts'

export interface PostgresServer {
  /** Creates an empty database. @returns its address, with a superuser */
  createDatabase(): Promise<string>
  close(): Promise<void>
}

interface PostgresOptions {
  /** Whether commits are written to the disk. Off, because most tests are not about that. */
  fsync?: boolean
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

function start(program: string, ...args: string[]): ChildProcess {
  const [command = program, ...rest] = [...asOwner, program, ...args]
  return spawn(command, rest, { stdio: ['ignore', 'ignore', 'pipe'] })
}

export async function startPostgres({ fsync = false }: PostgresOptions = {}): Promise<PostgresServer> {
  const programs = findPrograms()
  // The path of a socket has at most 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'pg-'))
  if (asOwner.length > 0) giveToOwner(folder)
  const data = join(folder, 'data')
  copyData(findNewData(programs), data)
  const settings = { fsync, listen_addresses: '', unix_socket_directories: folder, shared_buffers: '16MB' }
  const server = start(
    join(programs, 'postgres'),
    ...['-D', data],
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value === false ? 'off' : value}`])
  )
  let log = ''
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4000)
  })
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()))
  const connect = async (database: string) => {
    const client = new pg.Client({ host: folder, user: OWNER, database })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  await until(() => server.exitCode !== null || log.includes('ready to accept connections'), 'PostgreSQL started')
  if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${log}`)
  let databases = 0
  return {
    async createDatabase() {
      const client = await connect(OWNER)
      const name = `test${++databases}`
      await client.query(`create database ${name}`)
      await client.end()
      return `postgres://${OWNER}@/${name}?host=${encodeURIComponent(folder)}`
    },
    async close() {
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
